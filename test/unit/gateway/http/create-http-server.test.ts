import t from 'tap'
import { createHttpServer } from '../../../../gateway/http/create-http-server.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { err } from '../../../../src/core/result.ts'
import { HTTP_KINDS } from '../../../support/http/http-under-test.ts'
import { freePort } from '../../../support/servers/free-port.ts'

const reply = () => ({ status: 200, body: '' })
const options = { handler: reply, refuse: reply, exclusivePort: true }

t.test('node:http serves, and says why, where uWebSockets.js does not load', async (t) => {
  const warnings: unknown[] = []
  const log = {
    ...silentLog,
    warn: (message: string, fields?: object) => void warnings.push([message, fields]),
  }
  const deps = { clock: systemClock, log }
  const server = createHttpServer(deps, options, 'uws', () => err('wrong platform'))
  t.equal(server.kind, 'node')
  t.same(warnings, [
    [
      'uWebSockets.js cannot be used; node:http serves instead, about a fifth fewer captures a second',
      { reason: 'wrong platform' },
    ],
  ])
  await server.close(0)
})

for (const kind of HTTP_KINDS) {
  t.test(`${kind}: servers share a port when none of them is exclusive`, async (t) => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) }
    const deps = { clock: systemClock, log }
    const shared = { ...options, exclusivePort: false }
    const first = createHttpServer(deps, shared, kind)
    const second = createHttpServer(deps, shared, kind)
    const exclusive = createHttpServer(deps, options, kind)
    t.teardown(() => Promise.all([first, second, exclusive].map((server) => server.close(0))))
    const port = await freePort() // Port 0 is taken alone by uWebSockets.js, however asked for.
    t.same(await first.listen('127.0.0.1', port), { port })
    if (kind === 'node' && Number.parseInt(process.versions.node, 10) < 22) {
      t.match(warnings, [/cannot share/, /cannot share/], 'this Node says so')
      await t.rejects(second.listen('127.0.0.1', port), { code: 'failed_precondition' })
    } else {
      t.same(warnings, [])
      t.same(await second.listen('127.0.0.1', port), { port })
    }
    await t.rejects(exclusive.listen('127.0.0.1', port), { code: 'failed_precondition' })
  })
}
