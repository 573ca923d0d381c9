import { type ProjectId, projectId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../src/events/event.ts'
import type {
  CallAnswer,
  LogType,
  PluginCode,
  PluginDefinition,
  PluginError,
  PluginEvent,
  PluginHost,
  PluginInstance,
  PluginLoader,
  PluginPlan,
  PluginStep,
  ProcessAnswer,
  StoredPluginEvent,
} from '../../../src/plugins/ports.ts'
import { createPluginRuntime } from '../../../src/plugins/runtime.ts'
import type { IngestGroup, IngestOutcome } from '../../../src/project/ports.ts'
import { createFakeClock } from '../fake-clock.ts'

export const PROJECT = projectId(1)
export const SITE_URL = 'https://sluice.example'

/** What a plugin of a test does; it may change events in place, as built-in ones may. */
export type FakePlugin = {
  /** Undefined drops the event; an error fails it. */
  processEvent?: (event: PluginEvent) => unknown
  /** In the place of `processEvent`: as many answers as it likes. */
  process?: (events: readonly PluginEvent[]) => Promise<readonly ProcessAnswer[]>
  /** One a call; undefined, and those after the last, go well. */
  setup?: (PluginError | undefined)[]
  load?: Promise<void>
  loadError?: PluginError
  code?: PluginCode
  onEvent?: boolean
}

export function pluginError(message: string, more: Partial<PluginError> = {}): PluginError {
  return { name: 'Error', message, stack: '', isRetry: false, isTimeout: false, ...more }
}

export function step(configId: number, more: Partial<PluginStep> = {}): PluginStep {
  return {
    configId,
    pluginId: configId + 100,
    pluginName: `P${configId}`,
    order: configId,
    stamp: 'one',
    ...more,
  }
}

export function ingestEvent(more: Partial<IngestEvent> = {}): IngestEvent {
  return {
    uuid: '018f0000-0000-7000-8000-000000000001',
    event: 'paid',
    distinctId: 'u1',
    timestamp: '2024-05-01T12:00:00.123456Z',
    properties: '{}',
    elementsChain: '',
    person: NO_PERSON_CHANGE,
    groups: [],
    groupChange: undefined,
    ...more,
  }
}

export function group(
  events: readonly IngestEvent[],
  more: Partial<IngestGroup> = {},
): IngestGroup {
  return { projectId: PROJECT, events, bytes: 100 * events.length, ...more }
}

const OK: CallAnswer = { ok: true }

/**
 * Makes instances of the plugins of a test, by config.
 * @param said is told what happens to them.
 */
export function createFakeLoader(
  plugins: ReadonlyMap<number, FakePlugin>,
  said: string[],
): PluginLoader {
  const instanceOf = (id: number, plugin: FakePlugin): PluginInstance => {
    const { processEvent, process } = plugin
    let setups = 0
    const one = (event: PluginEvent): ProcessAnswer => {
      try {
        const left = processEvent?.(event)
        return left === undefined ? { kind: 'dropped' } : { kind: 'kept', event: left }
      } catch (error) {
        const shown = error instanceof Error ? error : new Error(String(error))
        return { kind: 'failed', error: pluginError(shown.message, { name: shown.name }) }
      }
    }
    return {
      capabilities: {
        methods: [
          ...(processEvent === undefined && process === undefined ? [] : ['processEvent' as const]),
          ...(plugin.onEvent ? ['onEvent' as const] : []),
        ],
        jobs: [],
        scheduledTasks: [],
      },
      async setup() {
        said.push(`setup ${id}`)
        const error = plugin.setup?.[setups++]
        return error === undefined ? OK : { ok: false, error }
      },
      async process(events) {
        said.push(`process ${id} ${events.length}`)
        return process === undefined ? events.map(one) : await process(events)
      },
      onEvent: async () => OK,
      exportEvents: async () => OK,
      runJob: async () => OK,
      runScheduled: async () => OK,
      async teardown() {
        said.push(`teardown ${id}`)
      },
    }
  }
  return {
    async load({ step: { configId } }) {
      said.push(`load ${configId}`)
      const plugin = plugins.get(configId)
      await plugin?.load
      if (plugin === undefined) return { ok: false, error: pluginError('no such plugin') }
      if (plugin.loadError !== undefined) return { ok: false, error: plugin.loadError }
      return { ok: true, instance: instanceOf(configId, plugin) }
    },
    async close() {
      said.push('close loader')
    },
  }
}

/** A runtime over plugins, a sink and records that the test reads and steers. */
export function createRuntimeWorld(plugins: Record<number, FakePlugin>) {
  const clock = createFakeClock()
  const world = {
    plugins: new Map(Object.entries(plugins).map(([id, plugin]) => [Number(id), plugin])),
    /** In the order in which things happened: `load 1`, `setup 1`, `flush 1`, `teardown 1` … */
    said: [] as string[],
    submitted: [] as IngestGroup[],
    outcome: (given: IngestGroup): IngestOutcome | Promise<IngestOutcome> => ({
      kind: 'stored',
      stored: given.events.length,
      duplicates: 0,
      deadLetters: 0,
    }),
    logs: [] as string[],
    counts: [] as string[],
    failed: [] as { config: number; message: unknown; disable: boolean; event: unknown }[],
    /** While it is set, states cannot be written, definitions cannot be read. */
    storeAway: false,
    /** What the write of a loaded state waits for. */
    loadedHeld: undefined as Promise<void> | undefined,
    stored: [] as { config: number; events: readonly StoredPluginEvent[] }[],
    plan: undefined as PluginPlan | undefined,
    stamp: 'one',
    /** `console` of dry runs. */
    dryLog: (_type: LogType, _message: string): void => {},
  }
  const away = () => {
    if (world.storeAway) throw new Error('the store is away')
  }
  const loader = createFakeLoader(world.plugins, world.said)
  const definitionOf = (project: ProjectId, id: number): PluginDefinition => ({
    projectId: project,
    organizationId: 'o',
    step: step(id, { stamp: world.stamp }),
    settings: {},
    attachments: new Map(),
    logLevel: 0,
    code: world.plugins.get(id)?.code ?? { kind: 'source', file: 'index.ts', source: '' },
  })
  // No fake plugin asks anything of it.
  const host: PluginHost = Object.create(null)
  const runtime = createPluginRuntime(
    {
      loaders: { source: loader, builtin: loader },
      async loadDefinitions(project, ids) {
        away()
        return ids.filter((id) => world.plugins.has(id)).map((id) => definitionOf(project, id))
      },
      loadPlan: async () => {
        away()
        return world.plan
      },
      hostOf: () => host,
      dryHostOf(_definition, onLog) {
        world.dryLog = onLog
        return host
      },
      records: {
        log: ({ step: { configId }, source, type, message }) =>
          world.logs.push(`${configId} ${source} ${type} ${message}`),
        count: (config, category, outcome, calls) =>
          world.counts.push(`${config} ${category} ${outcome} ${calls}`),
        flush: async () => {},
        close: async () => {},
      },
      states: {
        async failed(_project, { configId }, { error, disable }) {
          away()
          const { message, event } = error
          world.failed.push({ config: configId, message, disable, event })
        },
        async loaded(_project, { configId }) {
          away()
          await world.loadedHeld
          world.said.push(`loaded ${configId}`)
        },
      },
      delivery: {
        stored: ({ definition }, events) =>
          world.stored.push({ config: definition.step.configId, events }),
        async flush(configId) {
          world.said.push(`flush ${configId}`)
        },
        async close() {
          world.said.push('close delivery')
        },
      },
      sink: {
        async submit(given) {
          world.submitted.push(given)
          return await world.outcome(given)
        },
      },
      clock,
      log,
    },
    { siteUrl: SITE_URL },
  )
  return { clock, world, runtime }
}

/** Properties of the events that went to the sink, in their order. */
export function propertiesSubmitted(submitted: readonly IngestGroup[]) {
  return submitted.flatMap(({ events }) => events.map(({ properties }) => JSON.parse(properties)))
}
