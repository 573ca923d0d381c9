/** Plugin delivery over fakes. */
import { silentLog } from '../../../src/core/log.ts'
import { createPluginDelivery } from '../../../src/plugins/delivery/delivery.ts'
import type {
  CallAnswer,
  CallCategory,
  CallListener,
  CallOutcome,
  LoadedPlugin,
  PluginError,
  PluginInstance,
  PluginMethod,
  PluginRecords,
  StoredPluginEvent,
} from '../../../src/plugins/ports.ts'
import type { PluginDefinition } from '../../../src/project/plugin-ports.ts'
import { createFakeClock, type FakeClock } from '../fake-clock.ts'
import { PROJECT, pluginError, step } from './plugin-runtime.ts'

export const OK: CallAnswer = { ok: true }

export function failing(message: string, more: Partial<PluginError> = {}): CallAnswer {
  return { ok: false, error: pluginError(message, more) }
}

/** Failure with a `RetryError` of the plugin. */
export const RETRY = failing('not now', { name: 'RetryError', isRetry: true })

export function definition(more: Partial<PluginDefinition> = {}): PluginDefinition {
  return {
    projectId: PROJECT,
    organizationId: '018f0000-0000-7000-8000-000000000009',
    step: step(1),
    settings: {},
    attachments: new Map(),
    logLevel: 0,
    code: { kind: 'none' },
    ...more,
  }
}

export function storedEvent(more: Partial<StoredPluginEvent> = {}): StoredPluginEvent {
  return {
    uuid: '018f0000-0000-7000-8000-000000000001',
    event: 'paid',
    distinct_id: 'u1',
    team_id: PROJECT,
    properties: {},
    timestamp: '2024-05-01T12:00:00.000Z',
    ip: null,
    elements: [],
    ...more,
  }
}

type Calls = Partial<Pick<PluginInstance, 'onEvent' | 'exportEvents'>>

const IGNORED: CallListener = { succeeded() {}, failed() {} }

/** A plugin that has the calls it is given, and nothing else. */
export function loadedPlugin(
  given: Calls,
  more: Partial<PluginDefinition> = {},
  calls: CallListener = IGNORED,
): LoadedPlugin {
  const never = () => Promise.reject(new Error('not called in these tests'))
  const methods: PluginMethod[] = []
  if (given.onEvent !== undefined) methods.push('onEvent')
  if (given.exportEvents !== undefined) methods.push('exportEvents')
  const instance: PluginInstance = {
    capabilities: { methods, jobs: [], scheduledTasks: [] },
    setup: never,
    process: never,
    onEvent: never,
    exportEvents: never,
    runJob: never,
    runScheduled: never,
    teardown: never,
    ...given,
  }
  return { definition: definition(more), instance, calls }
}

/** Calls that a test answers one by one, in their order. */
export function heldCalls() {
  const open: ((answer: CallAnswer) => void)[] = []
  return {
    open,
    call: () =>
      new Promise<CallAnswer>((resolve) => {
        open.push(resolve)
      }),
    answer: (answer: CallAnswer) => open.shift()?.(answer),
  }
}

/** Records that add up the counts and keep the entries as `SOURCE/TYPE message`. */
export function recorded() {
  const counts: Record<string, number> = {}
  const entries: string[] = []
  const records: PluginRecords = {
    log: ({ source, type, message }) => entries.push(`${source}/${type} ${message}`),
    count(configId: number, category: CallCategory, outcome: CallOutcome, calls: number) {
      const name = `${configId} ${category} ${outcome}`
      counts[name] = (counts[name] ?? 0) + calls
    },
    flush: async () => undefined,
    close: async () => undefined,
  }
  return { counts, entries, records }
}

/** A delivery with a clock of its own, whose records the test reads. */
export function createDeliveryWorld() {
  const clock: FakeClock = createFakeClock()
  const seen = recorded()
  const told: string[] = []
  const delivery = createPluginDelivery({
    clock,
    log: silentLog,
    random: () => 0,
    records: seen.records,
  })
  const calls: CallListener = {
    succeeded: (category) => told.push(`${category} ok`),
    failed: (category, { message }) => told.push(`${category} ${message}`),
  }
  /** Lets settled promises continue. */
  const settle = () => clock.advance(0)
  return { ...seen, clock, delivery, told, calls, settle }
}
