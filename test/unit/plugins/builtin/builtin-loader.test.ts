import t from 'tap'
import { createBuiltinLoader } from '../../../../src/plugins/builtin/builtin-loader.ts'
import { BUILTINS, builtinRows } from '../../../../src/plugins/builtin/builtins.ts'
import { readSettings } from '../../../../src/plugins/builtin/setting-reader.ts'
import { parseManifest } from '../../../../src/plugins/settings/manifest.ts'
import { readConfigSchema } from '../../../../src/project/plugin-config-schema.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import {
  builtinDefinition,
  httpResponse,
  loadBuiltin,
  pluginEvent,
  pluginHost,
  startBuiltin,
  storedEvent,
} from '../../../support/plugins/builtins.ts'

/** Settings with which each one works. */
const WORKING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'property-filter': { properties: 'a' },
  'property-hasher': { salt: 'pepper' },
  'event-sampler': { percent: '50' },
  'webhook-forwarder': { url: 'https://example.com/' },
}

t.test('there are eight, each with a name, a title and a description of its own', (t) => {
  t.equal(BUILTINS.length, 8)
  for (const member of ['name', 'title', 'description'] as const) {
    t.equal(new Set(BUILTINS.map((each) => each[member])).size, 8, member)
  }
  t.end()
})

t.test('each does what its capabilities say, and nothing else', async (t) => {
  for (const { name, schema, capabilities, create } of BUILTINS) {
    const work = await create(readSettings(schema, WORKING[name] ?? {}), pluginHost())
    t.strictSame(['setupPlugin', ...Object.keys(work)], capabilities.methods, name)
  }
})

t.test('each says its settings in the form of a plugin.json', (t) => {
  for (const { name, schema } of BUILTINS) {
    const manifest = parseManifest(JSON.stringify({ name, config: schema }))
    t.ok(manifest.ok, name)
    const keys = schema.map(({ key }) => key)
    t.strictSame([...readConfigSchema(JSON.parse(JSON.stringify(schema))).keys()], keys)
    t.strictSame(
      schema.map(({ order }) => order),
      keys.map((_, at) => at + 1),
    )
    for (const { key, type, choices, hint, ...entry } of schema) {
      t.equal(type === 'choice', choices !== undefined, `${name} ${key}`)
      if (choices !== undefined) t.ok(choices.includes(entry.default ?? ''), `${name} ${key}`)
      t.notOk(entry.required === true && entry.default !== undefined, `${name} ${key}`)
    }
  }
  t.end()
})

t.test('its row has what lists show, and is JSON', (t) => {
  const rows = builtinRows()
  t.strictSame(JSON.parse(JSON.stringify(rows)), rows)
  t.match(rows[0], {
    builtin: 'geoip',
    name: 'GeoIP',
    capabilities: { methods: ['setupPlugin', 'processEvent'], jobs: [], scheduled_tasks: [] },
  })
  t.end()
})

t.test('a plugin that is not built in, or not any more, is refused by the loader', async (t) => {
  const loader = createBuiltinLoader({ clock: createFakeClock() })
  const load = (code: Parameters<typeof loader.load>[0]['code']) =>
    loader.load({ ...builtinDefinition('x', {}), code }, pluginHost())
  t.match(await load({ kind: 'builtin', name: 'gone' }), {
    ok: false,
    error: { message: 'This version comes without a plugin "gone".' },
  })
  for (const name of ['constructor', '__proto__', '']) {
    t.match(await load({ kind: 'builtin', name }), { ok: false })
  }
  t.match(await load({ kind: 'none' }), { ok: false })
  t.equal(await loader.close(), undefined)
})

t.test('nothing is done before the set-up, nor after the end', async (t) => {
  const instance = await loadBuiltin('property-filter', { properties: 'a' })
  const refused = { error: { message: 'The plugin is not set up.' } }
  const calls = async () => [
    (await instance.process([pluginEvent()]))[0],
    await instance.onEvent(storedEvent('a')),
    await instance.exportEvents([storedEvent('a')]),
  ]
  for (const answer of await calls()) t.match(answer, refused)
  t.strictSame(await instance.setup(), { ok: true })
  for (const answer of (await calls()).slice(1)) t.strictSame(answer, { ok: true })
  await instance.teardown()
  await instance.teardown()
  for (const answer of await calls()) t.match(answer, refused)
})

t.test('every event has an answer, in order', async (t) => {
  const instance = await startBuiltin('event-sampler', { percent: 0 })
  const names = ['$set', 'a', '$identify', 'b']
  const answers = await instance.process(names.map((event) => pluginEvent({}, { event })))
  t.strictSame(
    answers.map(({ kind }) => kind),
    ['kept', 'dropped', 'kept', 'dropped'],
  )
  const forwarder = await startBuiltin('webhook-forwarder', { url: 'https://example.com/' })
  const event = pluginEvent()
  t.strictSame(await forwarder.process([event]), [{ kind: 'kept', event }])
})

t.test('one event that fails is the answer of that one', async (t) => {
  const host = pluginHost({
    locate: (ip) => {
      if (ip === '1.2.3.4') throw new Error('broken')
      return { city: { names: { en: 'Ulm' } } }
    },
  })
  const instance = await startBuiltin('geoip', {}, host)
  const events = ['1.2.3.4', '1.2.3.5'].map((ip) => pluginEvent({ $ip: ip }))
  const error = { name: 'Error', message: 'broken', stack: 'Error: broken', isRetry: false }
  const answers = await instance.process(events)
  t.match(answers, [
    { kind: 'failed', error },
    { kind: 'kept', event: events[1] },
  ])
})

t.test('configs of one plugin share nothing', async (t) => {
  const one = await startBuiltin('property-filter', { properties: 'a' })
  const other = await startBuiltin('property-filter', { properties: 'b' })
  const event = pluginEvent({ a: 1, b: 2 })
  await one.process([event])
  t.strictSame(event.properties, { b: 2 })
  await other.process([event])
  t.strictSame(event.properties, {})
  await one.teardown()
  t.match(await other.process([event]), [{ kind: 'kept' }])
})

t.test('jobs and schedules are not there to be run', async (t) => {
  const instance = await startBuiltin('geoip')
  t.match(await instance.runJob('x', {}), { ok: false, error: { message: /no job "x"/ } })
  t.match(await instance.runScheduled('runEveryDay'), { ok: false })
})

t.test('a call that hangs is cut off after 30 s, and at once when it is unloaded', async (t) => {
  const clock = createFakeClock()
  const signals: AbortSignal[] = []
  const host = pluginHost({
    fetch: async (_request, signal) => {
      signals.push(signal)
      return await new Promise(() => undefined)
    },
  })
  const settings = { url: 'https://example.com/' }
  const instance = await loadBuiltin('webhook-forwarder', settings, host, clock)
  t.strictSame(await instance.setup(), { ok: true })
  const late = instance.exportEvents([storedEvent('a')])
  await clock.advance(30_000)
  t.match(await late, { ok: false, error: { isTimeout: true, isRetry: false } })
  const unloaded = instance.exportEvents([storedEvent('a')])
  await instance.teardown()
  t.match(await unloaded, { ok: false, error: { isTimeout: false } })
  t.strictSame(
    signals.map(({ aborted }) => aborted),
    [true, true],
  )
  t.equal(clock.timers(), 0)
})

t.test('a call that ends leaves no timer', async (t) => {
  const clock = createFakeClock()
  const host = pluginHost({ fetch: async () => httpResponse(200) })
  const settings = { url: 'https://example.com/' }
  const instance = await loadBuiltin('webhook-forwarder', settings, host, clock)
  await instance.setup()
  t.strictSame(await instance.exportEvents([storedEvent('a')]), { ok: true })
  t.equal(clock.timers(), 0)
})
