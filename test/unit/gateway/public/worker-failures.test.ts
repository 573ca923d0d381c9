/** Answers to clients of capture and decide when a worker fails. */
import t, { type Test } from 'tap'
import { Admission } from '../../../../gateway/admission/admission.ts'
import { createBodyThreads } from '../../../../gateway/body/body-thread.ts'
import { createMemoryDecideCache } from '../../../../gateway/cache/memory-decide-cache.ts'
import { Refusals } from '../../../../gateway/http/refusals.ts'
import { createCapture } from '../../../../gateway/public/capture.ts'
import { createDecide } from '../../../../gateway/public/decide.ts'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import { AppError, type Code } from '../../../../src/core/code.ts'
import { BODY_BYTES_INLINE_MAX } from '../../../../src/core/limits/limits.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createWarningCounts } from '../../../../src/events/warnings/warning-counts.ts'
import { bodyOf, headerOf, requestOf } from '../../../support/http/rest.ts'
import { TOKEN, webKeys } from '../../../support/http/web-keys.ts'

const DATABASE_IS_AWAY = {
  type: 'server_error',
  code: 'fetch_team_fail',
  detail: 'Unable to fetch team from database.',
}
const IS_BUSY = {
  type: 'server_error',
  code: 'server_error',
  detail: 'The request could not be stored. Try again.',
}

/** @param fail the code that the worker answers with, or what the call ends with. */
function setUp(t: Test, fail: Code | AppError) {
  const bodyThreads = createBodyThreads({ clock, log })
  t.teardown(() => bodyThreads.close())
  const warned: string[] = []
  const answer = () => {
    if (fail instanceof AppError) throw fail
    return { code: fail, retry_after_s: 3, reason: '' }
  }
  const nothing = { revision: 0, members: '', depends_on_stored: false, volatile: true }
  const deps = {
    ...{ bodyThreads, clock, log, limits: undefined, keys: webKeys().keys },
    pool: {
      ingest: async () => answer(),
      decide: async () => ({ ...nothing, ...answer() }),
    },
    cache: createMemoryDecideCache({ bytesMax: 1_000, keepsStored: true }),
    proxies: { trusts: () => false },
    newUuid: () => 'new',
    admission: new Admission(clock, new Refusals(clock), Math.random),
    warnings: createWarningCounts({
      write: async () => {},
      monotonic: () => 0,
      onWarned: (reason, project, events) => warned.push(`${events} ${reason} of ${project}`),
    }),
    onAnswered: () => undefined,
  }
  const capture = createCapture(deps, { kind: 'posthog' })
  const decide = createDecide(deps, 'decide')
  const bodies = { api_key: TOKEN, event: 'e', distinct_id: 'd' }
  const post = (body: object) => {
    const request = requestOf('POST', '/', { anonymous: true })
    return [request, Buffer.from(JSON.stringify(body))] as const
  }
  return {
    warned,
    capture: async () => await capture(...post(bodies)),
    large: async () =>
      await capture(...post({ ...bodies, properties: { x: 'x'.repeat(BODY_BYTES_INLINE_MAX) } })),
    decide: async () => await decide(...post(bodies)),
  }
}

t.test(
  'a known key too is told so while the database is away and nothing else takes events',
  async (t) => {
    const routes = setUp(t, 'unavailable')
    for (const route of ['capture', 'large', 'decide'] as const) {
      const reply = await routes[route]()
      t.equal(reply.status, 503, route)
      t.strictSame(bodyOf(reply), DATABASE_IS_AWAY, route)
      t.equal(headerOf(reply, 'Retry-After'), '3', route)
    }
  },
)

t.test(
  'a worker that is busy, or that cannot be reached, is no database that is away',
  async (t) => {
    for (const fail of ['resource_exhausted', new AppError('unavailable', 'no worker')] as const) {
      const routes = setUp(t, fail)
      for (const route of ['capture', 'large', 'decide'] as const) {
        const reply = await routes[route]()
        t.equal(reply.status, 503, route)
        t.strictSame(bodyOf(reply), IS_BUSY, route)
      }
    }
  },
)

t.test('a failure that refuses is counted for its project, small or large', async (t) => {
  const rows = [
    ['unavailable', 'unavailable'],
    ['resource_exhausted', 'overloaded'],
    ['not_found', 'removed_project'],
    ['internal', 'internal_error'],
    [new AppError('unavailable', 'no worker'), 'unavailable'],
    [new AppError('internal', 'a defect'), 'internal_error'],
  ] as const
  for (const [fail, reason] of rows) {
    const { capture, large, decide, warned } = setUp(t, fail)
    await capture()
    await large()
    await decide()
    t.match(warned, [new RegExp(`^1 ${reason} of [1-9]`), new RegExp(`^1 ${reason} of [1-9]`)])
    t.equal(warned.length, 2)
  }
})
