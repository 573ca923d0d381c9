/**
 * The driver's own first question of each connection, for array types: it catches no failure of it,
 * so that one would end the process. A test with an unhandled rejection fails.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../src/core/clock.ts'
import { silentLog as log } from '../../src/core/log.ts'
import { createSql, destroySql } from '../../src/store/connect.ts'
import { createSlotConnection } from '../../src/store/slot-connection.ts'
import { commandComplete, errorResponse, readyForQuery } from '../../src/store/wire-frames.ts'
import { until } from '../support/until.ts'

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])
const CANCELLED = Buffer.from(
  errorResponse('57014', 'canceling statement due to statement timeout')
    .toString('latin1')
    .replaceAll('FATAL', 'ERROR'),
  'latin1',
)

/**
 * A server that lets everybody in and answers the questions of the first connection in this way,
 * and all others with nothing found.
 */
async function pretend(t: Test, first: (socket: Socket) => void) {
  let connections = 0
  let asked = () => {}
  const question = new Promise<void>((resolve) => {
    asked = resolve
  })
  const server = createServer((socket) => {
    connections += 1
    const answer =
      connections === 1
        ? first
        : () => socket.write(Buffer.concat([commandComplete('SELECT 0'), readyForQuery('I')]))
    t.teardown(() => socket.destroy())
    socket.on('error', () => {
      // The client leaves as it likes.
    })
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, readyForQuery('I')]))
      socket.on('data', () => {
        asked()
        answer(socket)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const options = { applicationName: 'test', connectionsMax: 1, log }
  const open = () => createSql(`postgres://joe@127.0.0.1:${address.port}/sluice`, options)
  return { open, question }
}

const silence = () => {
  // As a server that hangs.
}

t.test('a pool is destroyed while the server does not answer it', async (t) => {
  const { open, question } = await pretend(t, silence)
  const sql = open()
  const asking = t.rejects(sql`select 1`)
  await question
  await destroySql(sql)
  await asking
})

t.test(
  'a slot whose server does not answer it is thrown away, and the next one works',
  async (t) => {
    const { open } = await pretend(t, silence)
    const slot = createSlotConnection({ open, clock })
    t.teardown(() => slot.close())
    await t.rejects(
      slot.run(100, (sql) => sql`select 1`),
      { kind: 'unreachable', code: 'TIMEOUT' },
    )
    t.strictSame([...(await slot.run(10_000, (sql) => sql.unsafe('select 1')))], [])
  },
)

t.test('a server that refuses to answer it is left, and asked again', async (t) => {
  const { open } = await pretend(t, (socket) => {
    socket.write(Buffer.concat([CANCELLED, readyForQuery('I')]))
  })
  const sql = open()
  t.teardown(() => destroySql(sql))
  await t.rejects(sql.unsafe('select 1'), { code: '08006' })
  await until('another connection', async () => (await sql.unsafe('select 1')).length === 0)
})
