import t from 'tap'
import { silentLog } from '../../../src/core/log.ts'
import { createSandboxLoader } from '../../../src/plugins/sandbox/sandbox-loader.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { definition, pluginEvent, recordedHost } from '../../support/plugins/plugin-host.ts'
import { loadPlugin, plainLoader, processOne, propertiesOf } from '../../support/plugins/sandbox.ts'
import { until } from '../../support/until.ts'

const GOOD = 'exports.processEvent = (event) => event'
const STUCK = `exports.processEvent = async (event, meta) => {
  if (event.event === 'stuck') Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)
  event.properties = { count: await meta.cache.incr('n') }
  return event
}
exports.setupPlugin = () => { console.log('set up') }
exports.onEvent = () => fetch('https://example.com')`

const source = (code: string, projectId: number) => definition(code, { projectId })

t.test('over the number of threads, another project is told so', async (t) => {
  const loader = plainLoader({ threadsMax: 2 })
  t.teardown(() => loader.close())
  const first = await loadPlugin(loader, source(GOOD, 1))
  await loadPlugin(loader, source(GOOD, 2))
  const third = await loader.load(source(GOOD, 3), recordedHost())
  t.match(third, {
    ok: false,
    error: { message: 'too many projects run plugins on this worker' },
  })
  t.ok(
    (await loader.load(source(GOOD, 2), recordedHost())).ok,
    'a project that has a thread goes on',
  )
  await first.teardown()
  t.ok((await loader.load(source(GOOD, 3), recordedHost())).ok, 'an idle thread makes room')
})

t.test(
  'a thread without sandboxes ends after its time, and the next load starts one',
  async (t) => {
    const clock = createFakeClock()
    const loader = createSandboxLoader(
      { clock, log: silentLog, compile: async (code) => ({ compiled: code.source, error: null }) },
      { idleMs: 1_000, threadsMax: 1 },
    )
    t.teardown(() => loader.close())
    const instance = await loadPlugin(loader, GOOD)
    await clock.advance(5_000)
    t.match(await processOne(instance), { kind: 'kept' }, 'one that is loaded stays')
    await instance.teardown()
    await clock.advance(999)
    const again = await loadPlugin(loader, GOOD)
    await clock.advance(5_000)
    t.match(await processOne(again), { kind: 'kept' }, 'a load calls the end off')
    await again.teardown()
    await clock.advance(1_000)
    t.match(await processOne(await loadPlugin(loader, GOOD)), { kind: 'kept' })
  },
)

t.test('more sandboxes of one project than allowed are refused', async (t) => {
  const loader = plainLoader()
  t.teardown(() => loader.close())
  const loads = await Promise.all(
    Array.from({ length: 65 }, () => loader.load(source(GOOD, 1), recordedHost())),
  )
  t.equal(loads.filter(({ ok }) => ok).length, 64)
  t.match(
    loads.find(({ ok }) => !ok),
    { error: { message: /too many plugins/ } },
  )
})

t.test('a thread that does not come back is ended, and everything starts anew', async (t) => {
  const loader = plainLoader({ processMs: 600, graceMs: 100 })
  t.teardown(() => loader.close())
  const [host, otherHost] = [recordedHost(), recordedHost()]
  otherHost.onFetch = () => new Promise(() => {})
  const instance = await loadPlugin(loader, definition(STUCK), host)
  const other = await loadPlugin(loader, definition(STUCK), otherHost)
  await instance.setup()
  await other.setup()
  const waiting = other.onEvent({ ...pluginEvent(), elements: [] })
  await until('the other one waits', () => otherHost.requests.length === 1)
  const names = ['a', 'stuck', 'b']
  const answers = await instance.process(names.map((event) => pluginEvent({ event })))
  t.match(answers, [
    { kind: 'kept' },
    { kind: 'failed', error: { isTimeout: true, isRetry: false } },
    { kind: 'kept' },
  ])
  t.match(await waiting, { ok: false, error: { isRetry: true, isTimeout: false } })
  t.match(await processOne(other), { kind: 'kept' })
  const setUps = (each: typeof host) =>
    each.logs.filter(({ message }) => message === 'set up').length
  t.ok(setUps(host) >= 2, 'set up again')
  t.equal(setUps(otherHost), 2)
})

t.test('a project that computes without end holds up no other', async (t) => {
  const loader = plainLoader()
  const busy = await loadPlugin(loader, source('exports.processEvent = () => { for (;;); }', 1))
  const good = await loadPlugin(loader, source(GOOD, 2))
  let isBusy = true
  const cut = processOne(busy).finally(() => {
    isBusy = false
  })
  t.match(await processOne(good), { kind: 'kept' })
  t.ok(isBusy, 'the other is still under way')
  await loader.close()
  t.match(await cut, { kind: 'failed' })
})

t.test('time that another plugin of the project takes is not the time of this one', async (t) => {
  const loader = plainLoader({ processMs: 600 })
  t.teardown(() => loader.close())
  const host = recordedHost()
  const answer: { give?: () => void } = {}
  host.onFetch = (request) =>
    new Promise((resolve) => {
      answer.give = () =>
        resolve({
          ...request,
          status: 200,
          statusText: '',
          redirected: false,
          headers: [],
          body: Buffer.from('x'),
        })
    })
  const waits = await loadPlugin(
    loader,
    definition(`exports.processEvent = async (event) => {
      event.properties = { body: await fetch('https://example.com').then((r) => r.text()) }
      return event
    }`),
    host,
  )
  const busy = await loadPlugin(loader, 'exports.processEvent = () => { for (;;); }')
  const waiting = propertiesOf(waits)
  await until('it waits', () => answer.give !== undefined)
  t.match(await processOne(busy), { kind: 'failed', error: { isTimeout: true } })
  answer.give?.()
  t.same(await waiting, { body: 'x' })
})

t.test('work that no call waits for ends with the time of the last call', async (t) => {
  const loader = plainLoader({ processMs: 400 })
  t.teardown(() => loader.close())
  const host = recordedHost()
  const instance = await loadPlugin(
    loader,
    definition(`exports.processEvent = (event) => {
      const again = async () => { for (;;) { await posthog.capture('tick') } }
      again().catch(() => console.error('over'))
      return event
    }`),
    host,
  )
  t.match(await processOne(instance), { kind: 'kept' })
  await until('it was stopped', () => host.logs.length > 0)
  t.ok(host.captured.length > 0)
  t.same(host.logs[0], { type: 'ERROR', message: 'over' })
  t.match(await processOne(instance), { kind: 'kept' })
})

t.test('close ends what is under way; then nothing is loaded or called', async (t) => {
  const loader = plainLoader()
  const instance = await loadPlugin(loader, 'exports.processEvent = () => new Promise(() => {})')
  const pending = processOne(instance)
  await loader.close()
  t.match(await pending, { kind: 'failed' })
  t.match(await loader.load(definition(GOOD), recordedHost()), {
    ok: false,
    error: { message: /stopping/ },
  })
  t.match(await processOne(instance), { kind: 'failed' })
  await instance.teardown()
})

t.test('a compiler that cannot be run is no end: the load may be tried again', async (t) => {
  const loader = createSandboxLoader({
    clock: createFakeClock(),
    log: silentLog,
    compile: async () => {
      throw new Error('no process')
    },
  })
  t.teardown(() => loader.close())
  t.match(await loader.load(definition(GOOD), recordedHost()), {
    ok: false,
    error: { isRetry: true },
  })
})
