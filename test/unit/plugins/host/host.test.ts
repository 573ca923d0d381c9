import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import type { Json } from '../../../../src/core/json.ts'
import { createPluginCaches } from '../../../../src/plugins/host/cache.ts'
import { createDryHost } from '../../../../src/plugins/host/dry-host.ts'
import {
  createPluginHost,
  keepsLog,
  PLUGIN_STORE_CALLS_MAX,
  PLUGIN_STORE_CALLS_WAITING_MAX,
  type PluginHostDeps,
} from '../../../../src/plugins/host/host.ts'
import type { LogType } from '../../../../src/plugins/ports.ts'
import type { PluginDefinition } from '../../../../src/project/plugin-ports.ts'
import { validationError } from '../../../../src/wire/details.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { createLogLines } from '../../../support/log-lines.ts'
import { definition, recorded } from '../../../support/plugins/plugin-delivery.ts'

const never = new AbortController().signal
const REQUEST = { url: 'https://example.com', method: 'GET', headers: [], body: undefined }
const ANSWER = {
  status: 200,
  statusText: 'OK',
  url: 'https://example.com/',
  redirected: false,
  headers: [],
  body: new Uint8Array(),
}

/** A host over things that say what they were asked. */
function createWorld(more: Partial<PluginHostDeps> = {}, of: PluginDefinition = definition()) {
  const clock = createFakeClock()
  const said: unknown[][] = []
  const lines = createLogLines()
  const { entries, records } = recorded()
  const say = (...what: unknown[]) => {
    said.push(what)
  }
  const deps: PluginHostDeps = {
    clock,
    log: lines.log,
    storage: ({ step }) => ({
      get: async (key) => {
        say('get', step.configId, key)
        return 7
      },
      set: async (key, value) => say('set', step.configId, key, value),
      del: async (key) => say('del', step.configId, key),
    }),
    cursor: ({ step }) => ({
      init: async (key, value) => say('init', step.configId, key, value),
      increment: async (key, by) => {
        say('increment', step.configId, key, by)
        return by
      },
    }),
    enqueueJob: async ({ step }, job) => {
      say('job', step.configId, job)
      return 'job-id'
    },
    caches: createPluginCaches({ clock }),
    fetch: async (configId) => {
      say('fetch', configId)
      return ANSWER
    },
    locate: async (ip) => {
      say('locate', ip)
      return { country: 'NO' }
    },
    capture: {
      of:
        ({ step }) =>
        async ({ name }) =>
          say('capture', step.configId, name),
    },
    records,
    ...more,
  }
  return { host: createPluginHost(deps, of), said, entries, clock, lines }
}

t.test('each function is bound to the config', async (t) => {
  const { host, said, clock } = createWorld()
  const runAtMs = clock.now() + 1_000
  t.equal(await host.storage.get('a'), 7)
  await host.storage.set('a', { b: [1] })
  await host.storage.del('a')
  await host.cursor.init('c', 5)
  t.equal(await host.cursor.increment('c', -2), -2)
  t.equal(await host.enqueueJob({ name: 'run', payload: { x: 1 }, runAtMs }), 'job-id')
  t.same(await host.locate('8.8.8.8'), { country: 'NO' })
  t.same(await host.fetch(REQUEST, never), ANSWER)
  await host.capture({ name: 'e', properties: {} })
  await host.cache.set('k', 1, undefined)
  t.equal(await host.cache.get('k'), 1)
  t.same(said, [
    ['get', 1, 'a'],
    ['set', 1, 'a', { b: [1] }],
    ['del', 1, 'a'],
    ['init', 1, 'c', 5],
    ['increment', 1, 'c', -2],
    ['job', 1, { name: 'run', payload: { x: 1 }, runAtMs }],
    ['locate', '8.8.8.8'],
    ['fetch', 1],
    ['capture', 1, 'e'],
  ])
})

t.test('calls of the server beyond those that may wait are refused', async (t) => {
  const answers: (() => void)[] = []
  const asked = () => new Promise<undefined>((resolve) => answers.push(() => resolve(undefined)))
  const { host } = createWorld({
    storage: () => ({ get: asked, set: asked, del: asked }),
    enqueueJob: async () => 'job-id',
  })
  const room = PLUGIN_STORE_CALLS_MAX + PLUGIN_STORE_CALLS_WAITING_MAX
  const calls = Array.from({ length: room }, () => host.storage.get('key'))
  const refused = { message: 'too many calls to the server are under way' }
  await t.rejects(host.storage.get('key'), refused)
  await t.rejects(host.cursor.increment('key', 1), refused, 'all that ask the server share it')
  await t.rejects(host.enqueueJob({ name: 'run', payload: {}, runAtMs: 0 }), refused)
  let settled = 0
  for (const call of calls) void call.then(() => settled++)
  while (settled < room) {
    answers.shift()?.()
    await Promise.resolve()
  }
  t.equal(answers.length, 0, 'the others were asked')
})

t.test('arguments out of bounds are refused before anything is asked', async (t) => {
  const { host, said, clock } = createWorld()
  const job = { name: 'run', payload: {}, runAtMs: clock.now() }
  const long = 'k'.repeat(201)
  let deep: Json = 1
  for (let level = 0; level < 65; level++) deep = [deep]
  const refused: [Promise<unknown>, string | RegExp][] = [
    [host.storage.get(''), 'storage: the key must have 1 to 200 characters'],
    [host.storage.set(long, 1), 'storage: the key must have 1 to 200 characters'],
    [host.storage.del(long), 'storage: the key must have 1 to 200 characters'],
    [host.storage.set('k', 'x'.repeat(1_048_576)), /larger than 1048576 bytes/],
    [host.storage.set('k', deep), /nests more than 64 levels/],
    [host.cursor.init(long, 1), /cursor: the key/],
    [host.cursor.increment('k', 0.5), 'cursor: an integer is expected'],
    [host.cursor.init('k', 2 ** 53), 'cursor: an integer is expected'],
    [host.enqueueJob({ ...job, name: '' }), /the name must have 1 to 200/],
    [host.enqueueJob({ ...job, payload: { a: 'x'.repeat(65_536) } }), /larger than/],
    [host.enqueueJob({ ...job, runAtMs: Number.NaN }), /within ten years/],
    [host.enqueueJob({ ...job, runAtMs: clock.now() + 316_000_000_000 }), /within ten years/],
  ]
  for (const [call, message] of refused) await t.rejects(call, { message }, `${message}`)
  t.equal(await host.locate('not an address'), null)
  t.same(said, [])
})

t.test('a plugin sees what is meant for it, and nothing else of a failure', async (t) => {
  const failing = (error: unknown) => {
    const world = createWorld({ locate: () => Promise.reject(error) })
    return { ...world, located: world.host.locate('8.8.8.8') }
  }
  const shown = [
    [new Error('The config has been removed.'), 'The config has been removed.'],
    [validationError('invalid_input', 'Too many keys.', null), 'Too many keys.'],
  ] as const
  for (const [error, message] of shown) {
    const { located, lines } = failing(error)
    await t.rejects(located, { message })
    t.same(lines.all(), [])
  }
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), {
    code: 'ECONNREFUSED',
  })
  for (const error of [refused, new AppError('internal', 'row 7'), new TypeError('x'), 'text']) {
    const { located, lines } = failing(error)
    await t.rejects(located, { message: 'the server cannot do this now' })
    t.match(lines.all(), [{ message: 'host function failed', configId: 1 }])
  }
})

t.test('a config asks the store for four things at a time', async (t) => {
  const open: (() => void)[] = []
  const get = () => new Promise<Json>((resolve) => open.push(() => resolve(1)))
  const { host, clock } = createWorld({
    storage: () => ({ get, set: async () => undefined, del: async () => undefined }),
  })
  const reads = Array.from({ length: 6 }, () => host.storage.get('k'))
  await clock.advance(0)
  t.equal(open.length, 4)
  open.shift()?.()
  await clock.advance(0)
  t.equal(open.length, 4)
  while (open.length > 0) {
    open.shift()?.()
    await clock.advance(0)
  }
  t.same(await Promise.all(reads), [1, 1, 1, 1, 1, 1])
})

t.test('the log level of a plugin leaves entries out', (t) => {
  const types: LogType[] = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']
  const kept = [0, 1, 2, 3].map((level) => types.filter((type) => keepsLog(level, type)))
  t.same(kept, [types, ['DEBUG', 'INFO', 'WARN', 'ERROR'], ['DEBUG', 'WARN', 'ERROR'], ['ERROR']])
  const { host, entries } = createWorld({}, definition({ logLevel: 2 }))
  for (const type of types) host.log(type, 'x'.repeat(50_001))
  t.same(
    entries,
    ['DEBUG', 'WARN', 'ERROR'].map((type) => `CONSOLE/${type} ${'x'.repeat(50_000)}`),
  )
  t.end()
})

t.test('a dry host keeps what it is told to itself, and does nothing else', async (t) => {
  const clock = createFakeClock(Date.parse('2024-05-01T12:00:00Z'))
  const logs: string[] = []
  const dry = () =>
    createDryHost(
      { clock, locate: async () => null },
      definition({ logLevel: 3 }),
      (type, message) => logs.push(`${type} ${message}`),
    )
  const host = dry()
  await host.storage.set('a', { b: 1 })
  t.same(await host.storage.get('a'), { b: 1 })
  await host.storage.del('a')
  t.equal(await host.storage.get('a'), undefined)
  t.equal(await host.cursor.increment('c', 2), 2)
  await host.cursor.init('c', 10)
  t.equal(await host.cursor.increment('c', 2), 12)
  await host.cache.set('k', 1, undefined)
  await host.storage.set('left', 1)
  const other = dry()
  t.same([await other.cache.get('k'), await other.storage.get('left')], [undefined, undefined])
  await t.rejects(host.fetch(REQUEST, never), { message: 'fetch is not available in a dry run' })
  const id = await host.enqueueJob({ name: 'run', payload: {}, runAtMs: -1e300 })
  t.match(id, /^[0-9a-f-]{36}$/)
  await host.capture({ name: 'e', properties: {} })
  host.log('LOG', 'said')
  t.same(logs, [
    'INFO The job "run" would run at 2024-05-01T12:00:00.000Z',
    'INFO The event "e" would be captured',
    'LOG said',
  ])
  await t.rejects(host.storage.get(''), { message: /1 to 200 characters/ }, 'bounds are the same')
})
