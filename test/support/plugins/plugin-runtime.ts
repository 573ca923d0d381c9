/** Fake plugins, and a plugin runtime over them whose every other part is a fake, too. */
import { type ProjectId, projectId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../src/events/event.ts'
import type { EventBatch, IngestOutcome } from '../../../src/events/event-batch.ts'
import type {
  CallAnswer,
  LogType,
  PluginError,
  PluginEvent,
  PluginHost,
  PluginInstance,
  PluginLoader,
  ProcessAnswer,
  StoredPluginEvent,
} from '../../../src/plugins/ports.ts'
import {
  createPluginRuntime,
  type PluginRuntimeDeps,
} from '../../../src/plugins/runtime/runtime.ts'
import type {
  PluginCode,
  PluginDefinition,
  PluginPlan,
  PluginStep,
} from '../../../src/project/plugin-ports.ts'
import { createFakeClock } from '../fake-clock.ts'

export const PROJECT = projectId(1)
export const SITE_URL = 'https://sluice.example'

/** Behaviour of a test's plugin; it may change events in place, as built-in ones may. */
export type FakePlugin = {
  /** Undefined drops the event; an error fails it. */
  processEvent?: (event: PluginEvent) => unknown
  /** Instead of `processEvent`: may give any number of answers. */
  process?: (events: readonly PluginEvent[]) => Promise<readonly ProcessAnswer[]>
  /** Outcome of each call; undefined, and calls beyond the last entry, succeed. */
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

export function batch(events: readonly IngestEvent[], more: Partial<EventBatch> = {}): EventBatch {
  return { projectId: PROJECT, events, bytes: 100 * events.length, ...more }
}

const OK: CallAnswer = { ok: true }

/**
 * Makes instances of the plugins of a test, by config.
 * @param said is given a line for each thing that happens to them.
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

/** A runtime whose plugins, stores and sink are fakes that the test reads and steers. */
export function createRuntimeWorld(plugins: Record<number, FakePlugin>) {
  const clock = createFakeClock()
  const world = createWorldState(plugins)
  const loader = createFakeLoader(world.plugins, world.said)
  const { loadDefinitions, loadPlan, states } = createFakeStores(world)
  // Fake plugins call no function of their host.
  const host: PluginHost = Object.create(null)
  const runtime = createPluginRuntime(
    {
      loaders: { source: loader, builtin: loader },
      loadDefinitions,
      loadPlan,
      hostOf: () => host,
      dryHostOf(_definition, onLog) {
        world.dryLog = onLog
        return host
      },
      records: createFakeRecords(world),
      states,
      delivery: createFakeDelivery(world),
      sink: {
        async submit(given) {
          world.submitted.push(given)
          return await world.outcome(given)
        },
      },
      clock,
      log,
    },
    { siteUrl: () => SITE_URL },
  )
  return { clock, world, runtime }
}

type WorldState = ReturnType<typeof createWorldState>

/** State that the test sets, and records of the runtime so far. */
function createWorldState(plugins: Record<number, FakePlugin>) {
  return {
    plugins: new Map(Object.entries(plugins).map(([id, plugin]) => [Number(id), plugin])),
    /** In the order in which things happened: `load 1`, `setup 1`, `flush 1`, `teardown 1` … */
    said: [] as string[],
    submitted: [] as EventBatch[],
    outcome: (given: EventBatch): IngestOutcome | Promise<IngestOutcome> => ({
      kind: 'stored',
      stored: given.events.length,
      duplicates: 0,
      deadLetters: 0,
    }),
    logs: [] as string[],
    counts: [] as string[],
    failed: [] as { config: number; message: unknown; disable: boolean; event: unknown }[],
    /** While it is true, states cannot be written and definitions cannot be read. */
    storeAway: false,
    /** The write of a loaded state waits for it. */
    loadedHeld: undefined as Promise<void> | undefined,
    stored: [] as { config: number; events: readonly StoredPluginEvent[] }[],
    plan: undefined as PluginPlan | undefined,
    stamp: 'one',
    /** `console` of dry runs. */
    dryLog: (_type: LogType, _message: string): void => {},
  }
}

/** The three that fail while `storeAway` is true. */
function createFakeStores(
  world: WorldState,
): Pick<PluginRuntimeDeps, 'loadDefinitions' | 'loadPlan' | 'states'> {
  const mustReach = () => {
    if (world.storeAway) throw new Error('the store is away')
  }
  const definitionOf = (project: ProjectId, id: number): PluginDefinition => ({
    projectId: project,
    organizationId: 'o',
    step: step(id, { stamp: world.stamp }),
    settings: {},
    attachments: new Map(),
    logLevel: 0,
    code: world.plugins.get(id)?.code ?? { kind: 'source', file: 'index.ts', source: '' },
  })
  return {
    async loadDefinitions(project, ids) {
      mustReach()
      return ids.filter((id) => world.plugins.has(id)).map((id) => definitionOf(project, id))
    },
    loadPlan: async () => {
      mustReach()
      return world.plan
    },
    states: {
      async failed(_project, { configId }, { error, disable }) {
        mustReach()
        const { message, event } = error
        world.failed.push({ config: configId, message, disable, event })
      },
      async loaded(_project, { configId }) {
        mustReach()
        await world.loadedHeld
        world.said.push(`loaded ${configId}`)
      },
    },
  }
}

function createFakeRecords({ logs, counts }: WorldState): PluginRuntimeDeps['records'] {
  return {
    log: ({ step: { configId }, source, type, message }) =>
      logs.push(`${configId} ${source} ${type} ${message}`),
    count: (config, category, outcome, calls) =>
      counts.push(`${config} ${category} ${outcome} ${calls}`),
    flush: async () => {},
    close: async () => {},
  }
}

function createFakeDelivery({ stored, said }: WorldState): PluginRuntimeDeps['delivery'] {
  return {
    stored: ({ definition }, events) => stored.push({ config: definition.step.configId, events }),
    async flush(configId) {
      said.push(`flush ${configId}`)
    },
    async close() {
      said.push('close delivery')
    },
  }
}

/** Properties of the submitted events, in order. */
export function propertiesSubmitted(submitted: readonly EventBatch[]) {
  return submitted.flatMap(({ events }) => events.map(({ properties }) => JSON.parse(properties)))
}
