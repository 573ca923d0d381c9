import t from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { createSandboxLoader } from '../../../../src/plugins/sandbox/sandbox-loader.ts'
import { createSourceCompiler } from '../../../../src/plugins/settings/source-code.ts'
import { definition, pluginEvent, recordedHost } from '../../../support/plugins/plugin-host.ts'
import {
  BRIEF_MS,
  loadPlugin,
  plainLoader,
  processOne,
  propertiesOf,
} from '../../../support/plugins/sandbox.ts'
import { until } from '../../../support/until.ts'

const loader = plainLoader()
const brief = plainLoader({ processMs: BRIEF_MS })
t.teardown(() => Promise.all([loader.close(), brief.close()]))

t.test('TypeScript with exports runs as it was written', async (t) => {
  const typed = createSandboxLoader({
    clock: systemClock,
    log: silentLog,
    compile: createSourceCompiler(),
  })
  t.teardown(() => typed.close())
  const instance = await loadPlugin(
    typed,
    `import { createHash } from 'crypto'
     import { RetryError, type PluginEvent } from '@posthog/plugin-scaffold'
     export async function processEvent(event: PluginEvent): Promise<PluginEvent> {
       event.properties!.hash = createHash('sha256').update('a').digest('hex').slice(0, 8)
       event.properties!.retry = new RetryError('x') instanceof Error
       return event
     }`,
  )
  t.same(await propertiesOf(instance), { hash: 'ca978112', retry: true })
  const broken = await typed.load(definition('const a = ;'), recordedHost())
  t.match(broken, { ok: false, error: { name: 'SyntaxError', message: /^index\.ts:1:\d+: / } })
})

t.test(
  'functions are found on exports, their default, module.exports and at the top',
  async (t) => {
    const body = `(event) => { event.properties = { at: 'here' }; return event }`
    const sources = [
      `exports.processEvent = ${body}`,
      `exports.default = { processEvent: ${body} }`,
      `module.exports = { processEvent: ${body} }`,
      `module.exports = { default: { processEvent: ${body} } }`,
      `const processEvent = ${body}`,
      `function processEvent(event) { return (${body})(event) }`,
      `globalThis.processEvent = ${body}`,
    ]
    for (const source of sources) {
      const instance = await loadPlugin(loader, source)
      t.same(await propertiesOf(instance), { at: 'here' }, source)
    }
  },
)

t.test('capabilities name what there is', async (t) => {
  const instance = await loadPlugin(
    loader,
    `module.exports = {
      setupPlugin() {}, onEvent: async () => {}, exportEvents() {}, other() {},
      runEveryHour() {}, runEveryDay() {}, jobs: { one() {}, two() {} }, processEvent: 'no',
    }`,
  )
  t.same(instance.capabilities, {
    methods: ['setupPlugin', 'onEvent', 'exportEvents'],
    jobs: ['one', 'two'],
    scheduledTasks: ['runEveryHour', 'runEveryDay'],
  })
})

t.test('a plugin that cannot be loaded is an answer', async (t) => {
  const cases: readonly [string, object][] = [
    ['exports.runEveryDay = 5', { message: 'runEveryDay is not a function.' }],
    ['exports.jobs = { a: 5 }', { message: 'The job a is not a function.' }],
    [`require('fs')`, { message: /Cannot import "fs"/ }],
    [`throw new TypeError('top')`, { name: 'TypeError', message: 'top', stack: /index\.js:1/ }],
    [`throw new RetryError('later')`, { name: 'RetryError', isRetry: true }],
    ['const a = ;', { name: 'SyntaxError' }],
  ]
  for (const [source, error] of cases) {
    t.match(await loader.load(definition(source), recordedHost()), { ok: false, error }, source)
  }
  const builtin = definition({ kind: 'builtin', name: 'any' })
  t.match(await loader.load(builtin, recordedHost()), { ok: false })
})

t.test('an event is kept, dropped or failed, each for itself', async (t) => {
  const instance = await loadPlugin(
    loader,
    `exports.processEvent = async (event) => {
      switch (event.event) {
        case 'null': return null
        case 'nothing': return
        case 'number': return 5
        case 'throw': throw new RangeError('no')
        case 'reject': return Promise.reject('text')
        case 'retry': throw new RetryError('later')
      }
      return { ...event, properties: { seen: true } }
    }`,
  )
  const names = ['a', 'null', 'nothing', 'number', 'throw', 'reject', 'retry', 'b']
  const answers = await instance.process(names.map((event) => pluginEvent({ event })))
  const kept = { kind: 'kept', event: { properties: { seen: true } } }
  t.match(answers, [
    kept,
    { kind: 'dropped' },
    { kind: 'dropped' },
    { kind: 'kept', event: 5 },
    {
      kind: 'failed',
      error: {
        name: 'RangeError',
        message: 'no',
        stack: 'RangeError: no\n    at <anonymous> (index.js:6:43)\n',
        isRetry: false,
        isTimeout: false,
      },
    },
    { kind: 'failed', error: { name: 'Error', message: 'text' } },
    { kind: 'failed', error: { name: 'RetryError', message: 'later', isRetry: true } },
    kept,
  ])
  t.same(await instance.process([]), [])
})

t.test('processEventBatch stands in where processEvent is missing', async (t) => {
  const source = (body: string) => `exports.processEventBatch = ${body}`
  const one = await loadPlugin(
    loader,
    source('async (events) => events.map((e) => ({ ...e, properties: { n: events.length } }))'),
  )
  t.same(await propertiesOf(one), { n: 1 })
  t.match(await processOne(await loadPlugin(loader, source('() => []'))), { kind: 'dropped' })
  t.match(await processOne(await loadPlugin(loader, source('() => undefined'))), {
    kind: 'dropped',
  })
})

t.test('an error thrown by a plugin is cut to its bounds', async (t) => {
  const instance = await loadPlugin(
    loader,
    `exports.processEvent = () => {
      const error = new Error('m'.repeat(5_000))
      error.name = 'n'.repeat(5_000)
      error.stack = 's'.repeat(50_000)
      throw error
    }`,
  )
  const answer = await processOne(instance)
  t.equal(answer.kind, 'failed')
  if (answer.kind !== 'failed') return
  t.equal(answer.error.message.length, 2_000)
  t.equal(answer.error.name.length, 200)
  t.equal(answer.error.stack.length, 8_000)
})

t.test('every other call answers for itself, with the same meta', async (t) => {
  const host = recordedHost()
  const instance = await loadPlugin(
    loader,
    definition(`
      module.exports = {
        setupPlugin(meta) { meta.global.seen = [] },
        async onEvent(event, { global }) { global.seen.push(event.event) },
        exportEvents(events) { if (events.length > 1) throw new RetryError('full') },
        runEveryMinute() { throw new Error('minute') },
        jobs: { async tell(payload, { global }) { console.log(payload.a, global.seen) } },
        teardownPlugin({ global }) { console.warn('bye', global.seen) },
      }`),
    host,
  )
  t.same(await instance.setup(), { ok: true })
  const stored = { ...pluginEvent(), elements: [] }
  t.same(await instance.onEvent(stored), { ok: true })
  t.same(await instance.exportEvents([stored]), { ok: true })
  t.match(await instance.exportEvents([stored, stored]), { ok: false, error: { isRetry: true } })
  t.match(await instance.runScheduled('runEveryMinute'), { error: { message: 'minute' } })
  t.same(await instance.runJob('tell', { a: 1 }), { ok: true })
  const large = { ...stored, properties: { big: 'x'.repeat(8_400_000) } }
  t.match(await instance.onEvent(large), { ok: false, error: { message: /characters of JSON/ } })
  t.match(await instance.runJob('other', {}), { ok: false, error: { message: /no such job/ } })
  await instance.teardown()
  await instance.teardown()
  t.same(host.logs, [
    { type: 'LOG', message: '1 ["$pageview"]' },
    { type: 'WARN', message: 'bye ["$pageview"]' },
  ])
  t.match(await instance.onEvent(stored), { ok: false, error: { message: /unloaded/ } })
  t.match(await processOne(instance), { kind: 'failed' })
})

t.test('events that were handed in are answered before the plugin is torn down', async (t) => {
  const instance = await loadPlugin(
    loader,
    `exports.processEvent = async (event, meta) => {
      event.properties = { n: await meta.cache.incr('n') }
      return event
    }`,
  )
  const events = Array.from({ length: 20 }, () => pluginEvent())
  const processing = Promise.all([instance.process(events), instance.process(events)])
  await instance.teardown()
  const answers = (await processing).flat()
  t.equal(answers.filter(({ kind }) => kind === 'kept').length, 40)
})

t.test('set-up that fails is an answer, and teardown is then not called', async (t) => {
  const host = recordedHost()
  const instance = await loadPlugin(
    loader,
    definition(`exports.setupPlugin = async () => { throw new RetryError('not yet') }
      exports.teardownPlugin = () => { console.log('torn down') }`),
    host,
  )
  t.match(await instance.setup(), { ok: false, error: { message: 'not yet', isRetry: true } })
  await instance.teardown()
  t.same(host.logs, [])
})

t.test('after a time-out the sandbox is set up anew before the next event', async (t) => {
  const host = recordedHost()
  const instance = await loadPlugin(
    brief,
    definition(`
      let count = 0
      exports.setupPlugin = ({ global }) => { console.log('set up'); global.ready = true }
      exports.processEvent = async (event, { global }) => {
        count += 1
        if (event.event === 'loop') for (;;);
        if (event.event === 'wait') await new Promise(() => {})
        event.properties = { count, ready: global.ready }
        return event
      }`),
    host,
  )
  await instance.setup()
  const names = ['a', 'b', 'loop', 'c', 'wait', 'd', 'e']
  const answers = await instance.process(names.map((event) => pluginEvent({ event })))
  const kept = (count: number) => ({ kind: 'kept', event: { properties: { count, ready: true } } })
  const late = { kind: 'failed', error: { isTimeout: true, isRetry: false } }
  t.match(answers, [kept(1), kept(2), late, kept(1), late, kept(1), kept(2)])
  t.equal(host.logs.length, 3)
})

t.test('a batch in which time runs out too often is given up', async (t) => {
  const quick = plainLoader({ processMs: 100 })
  t.teardown(() => quick.close())
  const instance = await loadPlugin(quick, 'exports.processEvent = () => { for (;;); }')
  const answers = await instance.process(Array.from({ length: 50 }, () => pluginEvent()))
  t.equal(answers.length, 50)
  const late = answers.filter((each) => each.kind === 'failed' && each.error.isTimeout)
  t.equal(late.length, 3)
  t.match(answers[49], { kind: 'failed', error: { isTimeout: false, message: /Not called/ } })
})

t.test(
  'a call that is cut takes the others of its sandbox along, to be called again',
  async (t) => {
    const host = recordedHost()
    host.onFetch = (_request, signal) => {
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    }
    const instance = await loadPlugin(
      brief,
      definition(`exports.onEvent = () => fetch('https://example.com')
      exports.processEvent = () => { for (;;); }`),
      host,
    )
    const waiting = instance.onEvent({ ...pluginEvent(), elements: [] })
    await until('the plugin fetches', () => host.requests.length > 0)
    t.match(await processOne(instance), { kind: 'failed', error: { isTimeout: true } })
    t.match(await waiting, { ok: false, error: { isRetry: true, isTimeout: false } })
  },
)

t.test('events go in batches that are bounded, and come back in their order', async (t) => {
  const instance = await loadPlugin(loader, 'exports.processEvent = (event) => event')
  const events = Array.from({ length: 40 }, (_, at) =>
    pluginEvent({ event: `e${at}`, properties: { big: 'ü'.repeat(90_000) } }),
  )
  const [first, second] = await Promise.all([instance.process(events), instance.process(events)])
  t.same(
    first.map((each) => each.kind === 'kept' && Reflect.get(Object(each.event), 'event')),
    events.map(({ event }) => event),
  )
  t.equal(second.length, 40)
})

t.test('texts of every kind survive the way in and out', async (t) => {
  const instance = await loadPlugin(loader, 'exports.processEvent = (event) => event')
  const properties = {
    'ключ 🙂': 'value \u2028 \ud83d\ude42 "quoted" \\ \u0001',
    lone: '\ud800',
    numbers: [0.1, -1e300, 9007199254740991, null, true],
    nested: { a: [{ b: {} }] },
  }
  t.same(await propertiesOf(instance, properties), properties)
})

t.test('each event of a batch has its own budget', async (t) => {
  const instance = await loadPlugin(
    brief,
    `exports.processEvent = (event) => {
      const end = Date.now() + ${BRIEF_MS / 3}
      while (Date.now() < end);
      return event
    }`,
  )
  const answers = await instance.process(Array.from({ length: 4 }, () => pluginEvent()))
  t.ok(answers.every(({ kind }) => kind === 'kept'))
})
