import t from 'tap'
import { readRecorded } from '../../../../src/cli/plugin/plugin-events.ts'
import { tryPlugin } from '../../../../src/cli/plugin/plugin-trial.ts'
import { PLUGIN_TRIAL_LOGS_MAX } from '../../../../src/cli/plugin/plugin-trial-host.ts'
import { failedCalls, trialJson, trialText } from '../../../../src/cli/plugin/plugin-trial-text.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { projectId } from '../../../../src/core/ids.ts'
import type { JsonObject } from '../../../../src/core/json.ts'
import { PLUGIN_TRIAL_JOBS_MAX } from '../../../../src/core/limits/limits-plugins.ts'
import { createDryHost } from '../../../../src/plugins/host/dry-host.ts'
import type {
  CallAnswer,
  Capabilities,
  LoadAnswer,
  PluginError,
  PluginEvent,
  PluginHost,
  PluginInstance,
  PluginLoader,
  ProcessAnswer,
} from '../../../../src/plugins/ports.ts'
import type { PluginDefinition } from '../../../../src/project/plugin-ports.ts'

const OK: CallAnswer = { ok: true }

function failure(message: string, more: Partial<PluginError> = {}): PluginError {
  const stack = `Error: ${message}\n    at index.ts:1`
  return { name: 'Error', message, stack, isRetry: false, isTimeout: false, ...more }
}

type Fake = {
  readonly capabilities?: Partial<Capabilities>
  readonly process?: (event: PluginEvent) => ProcessAnswer
  readonly call?: (name: string, host: PluginHost, given?: unknown) => Promise<CallAnswer>
}

/** A plugin whose code is in the test; `calls` is everything that it was asked. */
function pluginOf({ capabilities, process, call = async () => OK }: Fake) {
  const calls: string[] = []
  const loader: PluginLoader = {
    async load(_definition, host): Promise<LoadAnswer> {
      const answer = (name: string, given?: unknown) => {
        calls.push(name)
        return call(name, host, given)
      }
      const instance: PluginInstance = {
        capabilities: { methods: [], jobs: [], scheduledTasks: [], ...capabilities },
        setup: () => answer('setup'),
        async process(events) {
          calls.push('process')
          return events.map((event) => process?.(event) ?? { kind: 'kept', event })
        },
        onEvent: (event) => answer(`onEvent ${event.event}`, event),
        exportEvents: (events) => answer(`export ${events.map(({ event }) => event)}`, events),
        runJob: (name, payload) => answer(`job ${name}`, payload),
        runScheduled: (schedule) => answer(schedule),
        async teardown() {
          calls.push('teardown')
        },
      }
      calls.push('load')
      return { ok: true, instance }
    },
    close: async () => {},
  }
  return { calls, loader }
}

const definition: PluginDefinition = {
  projectId: projectId(1),
  organizationId: '',
  step: { configId: 1, pluginId: 1, pluginName: 'Trial', order: 1, stamp: '' },
  settings: { exportEventsToIgnore: 'noise, other' },
  attachments: new Map(),
  logLevel: 0,
  code: { kind: 'none' },
}

const [a, noise, b] = ['a', 'noise', 'b'].map((event) => ({ event, distinct_id: 'ann' }))
const frame = { projectId: projectId(1), newUuid: () => 'u', nowMs: 0 }
const events = readRecorded([a ?? {}, noise ?? {}, b ?? {}], '', frame)

function run(loader: PluginLoader, run: readonly string[] = [], allowsFetch = false) {
  const clock = systemClock
  return tryPlugin(
    {
      clock,
      loader,
      makeHost: (of, onLog) => createDryHost({ clock, locate: async () => null }, of, onLog),
      fetch: allowsFetch ? async () => await Promise.reject(new Error('reached')) : undefined,
    },
    { definition, run, events },
  )
}

const PROCESS = { methods: ['processEvent'] } as const

t.test('each event is shown before and after, and continues as the plugin left it', async (t) => {
  const { calls, loader } = pluginOf({
    capabilities: { methods: ['setupPlugin', 'processEvent', 'onEvent', 'exportEvents'] },
    process(event) {
      if (event.event === 'b') return { kind: 'failed', error: failure('no') }
      event.properties['seen'] = true
      return { kind: 'kept', event }
    },
  })
  const trial = await run(loader)
  const [, first, , third] = trial.calls
  t.match(first, { call: 'processEvent', outcome: 'kept', error: null, logs: [] })
  t.notOk('seen' in (first?.before?.properties ?? {}), 'before is before')
  t.equal(first?.after?.properties['seen'], true)
  t.match(third, { outcome: 'failed', error: 'Error: no\n    at index.ts:1' })
  t.same(third?.after, third?.before)
  t.same(calls, [
    ...['load', 'setup', 'process', 'process', 'process'],
    ...['onEvent a', 'onEvent noise', 'onEvent b', 'export a,b', 'teardown'],
  ])
  t.equal(failedCalls(trial.calls), 1)
})

t.test('a dropped event is not delivered, and what is no event has failed', async (t) => {
  const { calls, loader } = pluginOf({
    capabilities: { methods: ['processEvent', 'onEvent'] },
    process(event) {
      if (event.event === 'a') return { kind: 'dropped' }
      if (event.event === 'b') return { kind: 'kept', event: { event: 'b' } }
      return { kind: 'kept', event }
    },
  })
  const trial = await run(loader)
  t.match(trial.calls, [
    { outcome: 'dropped', after: null },
    { outcome: 'kept' },
    { outcome: 'failed', error: /distinct_id/ },
    ...[{ call: 'onEvent noise' }, { call: 'onEvent b' }],
  ])
  t.same(calls.slice(-3), ['onEvent noise', 'onEvent b', 'teardown'])
})

t.test('a plugin whose set-up fails gets no events', async (t) => {
  const { calls, loader } = pluginOf({
    capabilities: { methods: ['setupPlugin', 'processEvent'] },
    call: async () => ({ ok: false, error: failure('no key') }),
  })
  const trial = await run(loader)
  t.match(trial.calls, [{ call: 'setupPlugin', outcome: 'failed', error: /no key/ }])
  t.same(calls, ['load', 'setup', 'teardown'])
})

t.test('a plugin that cannot be loaded is an error', async (t) => {
  const loader: PluginLoader = {
    load: async () => ({ ok: false, error: failure('line 1') }),
    close: async () => {},
  }
  await t.rejects(run(loader), {
    code: 'failed_precondition',
    message: /cannot be loaded: .*line 1/,
  })
})

t.test('jobs run when due, later ones are listed; schedules run when named', async (t) => {
  const now = systemClock.now()
  const given: unknown[] = []
  const { calls, loader } = pluginOf({
    capabilities: { ...PROCESS, jobs: ['refresh'], scheduledTasks: ['runEveryHour'] },
    async call(name, host, payload) {
      if (name === 'setup') {
        await host.enqueueJob({ name: 'refresh', payload: { a: 1 }, runAtMs: now })
        await host.enqueueJob({ name: 'later', payload: null, runAtMs: now + 3_600_000 })
      }
      if (name === 'job refresh') given.push(payload)
      return OK
    },
  })
  const trial = await run(loader, ['runEveryHour', 'refresh'])
  t.same(calls.slice(0, 5), ['load', 'setup', 'job refresh', 'runEveryHour', 'job refresh'])
  t.same(given, [{ a: 1 }, {}])
  t.match(trial.waiting, [{ name: 'later', runAtMs: now + 3_600_000 }])
  await t.rejects(run(loader, ['runEveryDay']), {
    name: 'UsageError',
    message: /no job or schedule "runEveryDay"; one of: runEveryHour, refresh/,
  })
  t.equal(calls.at(-1), 'teardown')
})

t.test('jobs that make jobs end, and so do logs', async (t) => {
  const { calls, loader } = pluginOf({
    capabilities: { jobs: ['again'] },
    async call(name, host) {
      for (let line = 0; line < 2 * PLUGIN_TRIAL_LOGS_MAX; line += 1) host.log('LOG', name)
      await host.enqueueJob({ name: 'again', payload: {}, runAtMs: 0 })
      return OK
    },
  })
  const trial = await run(loader, ['again'])
  t.equal(calls.filter((each) => each === 'job again').length, PLUGIN_TRIAL_JOBS_MAX + 1)
  for (const { logs } of trial.calls) t.ok(logs.length <= PLUGIN_TRIAL_LOGS_MAX)
  t.match(trial.calls[0]?.logs.at(-1), { type: 'WARN', message: /left out/ })
})

t.test('storage lasts as long as the run; fetch needs to be allowed', async (t) => {
  const seen: unknown[] = []
  const { loader } = pluginOf({
    capabilities: { scheduledTasks: ['runEveryMinute'] },
    async call(name, host) {
      if (name !== 'runEveryMinute') return OK
      seen.push(await host.storage.get('key'))
      await host.storage.set('key', 1)
      const request = { url: 'http://127.0.0.1/', method: 'GET', headers: [], body: undefined }
      const reached = host.fetch(request, new AbortController().signal)
      await reached.catch((error: unknown) => seen.push(String(error)))
      return OK
    },
  })
  await run(loader, ['runEveryMinute', 'runEveryMinute'])
  await run(loader, ['runEveryMinute'], true)
  const off = 'Error: fetch is off in this trial: add --fetch'
  t.same(seen, [undefined, off, 1, off, undefined, 'Error: reached'])
})

t.test('a trial is text for people and JSON for programs', async (t) => {
  const { loader } = pluginOf({
    capabilities: { ...PROCESS, jobs: ['refresh'] },
    process(event) {
      if (event.event === 'b') return { kind: 'failed', error: failure('no') }
      return event.event === 'noise' ? { kind: 'dropped' } : { kind: 'kept', event }
    },
  })
  const trial = await run(loader)
  const text = trialText('Trial', trial)
  t.match(text, /^Trial: processEvent, job refresh\n/)
  t.match(text, /a of ann: kept \(\d+ ms\)\n {2}before \{"uuid":"u".*\n {2}after {2}the same\n/)
  t.match(text, /noise of ann: dropped .*\n.*\n {2}after {2}-\n/)
  t.match(text, /b of ann: failed \(\d+ ms\)\n {2}Error: no\n {6}at index.ts:1\n/)
  t.match(text, /events: 1 kept, 1 dropped, 1 failed; calls that failed: 1$/)
  const json: JsonObject = JSON.parse(trialJson('Trial', trial))
  t.match(json, {
    plugin: 'Trial',
    capabilities: { methods: ['processEvent'], jobs: ['refresh'], scheduled_tasks: [] },
    calls: [{ outcome: 'kept', took_ms: Number }, { after: null }, { error: /no/ }],
    waiting_jobs: [],
    failed: 1,
  })
})
