/** What the parts of the plugin runtime ask of each other. Nothing here runs anything. */
import type { ProjectId } from '../core/ids.ts'
import type { IngestGroup, IngestOutcome } from '../project/ports.ts'
import type { Json, JsonObject } from '../wire/proto/value.ts'

/** A plugin config in force: enabled, of an organization that may run plugins, of a plugin it may use. */
export type PluginStep = {
  readonly configId: number
  readonly pluginId: number
  readonly pluginName: string
  readonly order: number
  /** Changes with the config, its files, the plugin and its source: another one is another instance. */
  readonly stamp: string
}

/** The steps of one project by order, then plugin id; never empty: a project without any has none. */
export type PluginPlan = readonly PluginStep[]

/** What a step needs to be loaded. Settings and files are secret: never logged, never in an error. */
export type PluginDefinition = {
  readonly projectId: ProjectId
  readonly organizationId: string
  readonly step: PluginStep
  readonly settings: JsonObject
  readonly attachments: ReadonlyMap<string, PluginFile>
  /** 0 all, 1 no LOG, 2 no LOG and INFO, 3 only ERROR. */
  readonly logLevel: number
  readonly code: PluginCode
}

export type PluginFile = {
  readonly contentType: string
  readonly fileName: string
  readonly contents: Uint8Array
}

export type PluginCode =
  | { readonly kind: 'source'; readonly file: 'index.ts' | 'index.js'; readonly source: string }
  /** A name in `builtin/`. */
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'none' }

/** An event on its way to the store, as `processEvent` sees it. Clean JSON; changed in place. */
export type PluginEvent = {
  uuid: string
  event: string
  distinct_id: string
  team_id: number
  properties: { [key: string]: Json }
  /** ISO 8601, UTC. */
  timestamp: string
  now: string
  sent_at?: string
  ip: string | null
  site_url: string
  $set?: Json
  $set_once?: Json
}

/** A stored event, as `onEvent` and `exportEvents` see it. */
export type StoredPluginEvent = Readonly<
  Omit<PluginEvent, 'now' | 'sent_at' | 'site_url'> & { elements: Json }
>

export type PluginError = {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** The plugin asked to be called again later: it threw a `RetryError`. */
  readonly isRetry: boolean
  /** Cut off at its budget of time. Its instance starts anew. */
  readonly isTimeout: boolean
}

/** Of one event. `event` is whatever the plugin returned, to be checked by the caller. */
export type ProcessAnswer =
  | { readonly kind: 'kept'; readonly event: unknown }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly error: PluginError }

export type CallAnswer = { readonly ok: true } | { readonly ok: false; readonly error: PluginError }

export type Schedule = 'runEveryMinute' | 'runEveryHour' | 'runEveryDay'

export type Capabilities = {
  readonly methods: readonly PluginMethod[]
  readonly jobs: readonly string[]
  readonly scheduledTasks: readonly Schedule[]
}

export type PluginMethod =
  | 'setupPlugin'
  | 'teardownPlugin'
  | 'processEvent'
  | 'processEventBatch'
  | 'onEvent'
  | 'exportEvents'

/**
 * A loaded plugin of one config, in the sandbox or built in: the caller cannot tell. No method
 * rejects; what the plugin does wrong is in the answer. Calls of one instance may overlap only
 * where it awaits something.
 */
export type PluginInstance = {
  readonly capabilities: Capabilities
  /** `ok` at once where the plugin has none. */
  setup(): Promise<CallAnswer>
  /** One answer an event, in order; each event has its own budget. Also for `processEventBatch`. */
  process(events: readonly PluginEvent[]): Promise<readonly ProcessAnswer[]>
  onEvent(event: StoredPluginEvent): Promise<CallAnswer>
  exportEvents(events: readonly StoredPluginEvent[]): Promise<CallAnswer>
  runJob(name: string, payload: JsonObject): Promise<CallAnswer>
  runScheduled(schedule: Schedule): Promise<CallAnswer>
  /** Calls `teardownPlugin` and gives everything back. May be called twice. */
  teardown(): Promise<void>
}

/** Makes instances of one kind of code. Never rejects: a plugin that cannot be loaded is an answer. */
export type PluginLoader = {
  load(definition: PluginDefinition, host: PluginHost): Promise<LoadAnswer>
  close(): Promise<void>
}

export type LoadAnswer =
  | { readonly ok: true; readonly instance: PluginInstance }
  | { readonly ok: false; readonly error: PluginError }

/**
 * What a plugin may ask of the server, bound to one config. Methods reject with an `Error` whose
 * message the plugin may see, and bound their own arguments.
 */
export type PluginHost = {
  readonly storage: PluginStorage
  readonly cache: PluginCache
  /** @returns the id of the job. */
  enqueueJob(job: { name: string; payload: Json; runAtMs: number }): Promise<string>
  locate(ip: string): Promise<Json>
  fetch(request: HostRequest, signal: AbortSignal): Promise<HostResponse>
  capture(event: { name: string; properties: JsonObject }): Promise<void>
  cursor: {
    init(key: string, value: number): Promise<void>
    increment(key: string, by: number): Promise<number>
  }
  /** `console` of the plugin; never waits. */
  log(type: LogType, message: string): void
}

export type LogType = 'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR'
export type LogSource = 'SYSTEM' | 'PLUGIN' | 'CONSOLE'

/** Durable JSON of one config; keys of 1 to 200 characters. */
export type PluginStorage = {
  /** Undefined when there is none. */
  get(key: string): Promise<Json | undefined>
  set(key: string, value: Json): Promise<void>
  del(key: string): Promise<void>
}

/** Volatile, of one plugin in one project, bounded; may forget at any time. */
export type PluginCache = {
  get(key: string): Promise<Json | undefined>
  /** @param ttlS forever when undefined. */
  set(key: string, value: Json, ttlS: number | undefined): Promise<void>
  incr(key: string): Promise<number>
  /** @returns false when there is no such key. */
  expire(key: string, ttlS: number): Promise<boolean>
  /** @returns the new length. */
  lpush(key: string, values: readonly Json[]): Promise<number>
  lrange(key: string, start: number, stop: number): Promise<readonly Json[]>
  llen(key: string): Promise<number>
  lpop(key: string, count: number): Promise<readonly Json[]>
  /** @returns how many were removed. */
  lrem(key: string, count: number, value: Json): Promise<number>
}

export type HostRequest = {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | Uint8Array | undefined
}

export type HostResponse = {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly redirected: boolean
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** What became of calls, for `delivery_rate_24h`. */
export type CallCategory = 'processEvent' | 'onEvent' | 'exportEvents' | 'scheduledTask'
export type CallOutcome = 'success' | 'success_on_retry' | 'failure'

/** Where the runtime writes what people read: bounded, batched, never waits, never throws. */
export type PluginRecords = {
  log(entry: {
    readonly projectId: ProjectId
    readonly step: PluginStep
    readonly source: LogSource
    readonly type: LogType
    readonly message: string
  }): void
  count(configId: number, category: CallCategory, outcome: CallOutcome, calls: number): void
  /** Writes what is there now. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Changes that the runtime makes to rows that clients see; each through the project's actor. */
export type PluginStates = {
  /** Sets `error`; with `disable`, also `enabled = false` and the mail to members who want it. */
  failed(
    projectId: ProjectId,
    /** Nothing is disabled that has been saved since this. */
    step: PluginStep,
    failure: { readonly error: JsonObject; readonly disable: boolean },
  ): Promise<void>
  /** Clears `error`, and keeps `capabilities` of the plugin. */
  loaded(projectId: ProjectId, step: PluginStep, capabilities: Capabilities): Promise<void>
}

/** Calls after events are durable: `onEvent` and `exportEvents`, with their retries and buffers. */
export type PluginDelivery = {
  /** Never waits, never throws; over its bounds events are dropped, counted and logged. */
  stored(loaded: LoadedPlugin, events: readonly StoredPluginEvent[]): void
  /**
   * Sends what is buffered for a config that is being unloaded. Never rejects.
   * @param instance that one only, where a newer one is loaded already; all when absent.
   */
  flush(configId: number, instance?: PluginInstance): Promise<void>
  /** The same for all, within the time; the rest is dropped and counted. */
  close(deadlineMs: number): Promise<void>
}

/** A definition whose instance is set up. */
export type LoadedPlugin = {
  readonly definition: PluginDefinition
  readonly instance: PluginInstance
  readonly calls: CallListener
}

/**
 * Told how calls of one instance ended for good, each once: keeps `error` of the config, and
 * disables what fails too often. Nothing here waits or throws.
 */
export type CallListener = {
  succeeded(category: CallCategory): void
  /** @param event of the call, where it had but one. */
  failed(category: CallCategory, error: PluginError, event?: JsonObject): void
}

/** Every plugin of this worker. */
export type PluginRuntime = {
  /**
   * Takes a group through the steps of its project's plan, hands what is left to the sink, and what
   * is durable then to `onEvent` and `exportEvents`. Groups of one project are taken in the order in
   * which they came. Never rejects; `overloaded` when too much of the project waits.
   */
  ingest(plan: PluginPlan, group: IngestGroup): Promise<IngestOutcome>
  /**
   * Calls something of one config that is in force.
   * @returns undefined when it is not in force, or cannot be loaded.
   */
  use<T>(
    projectId: ProjectId,
    configId: number,
    work: (loaded: LoadedPlugin) => Promise<T>,
  ): Promise<T | undefined>
  /** The event after each step, with what was logged, stored nowhere; `config` alone or all. */
  dryRun(projectId: ProjectId, configId: number, event: JsonObject): Promise<DryRun>
  /** The project has no plan any more: what is loaded of it finishes and is torn down. */
  unload(projectId: ProjectId): void
  /** Unloads everything: buffers are sent, plugins are torn down, threads end. */
  close(deadlineMs: number): Promise<void>
}

export type DryRun = {
  /** The plan up to and with the asked config, which need not be enabled. */
  readonly steps: readonly DryStep[]
}

export type DryStep = {
  readonly configId: number
  readonly name: string
  readonly outcome: 'kept' | 'dropped' | 'failed'
  /** After the step; null when it was dropped. */
  readonly event: Json
  readonly error: string | null
  readonly logs: readonly { readonly type: LogType; readonly message: string }[]
}
