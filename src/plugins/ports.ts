/** The interfaces between the parts of the plugin runtime. */
import type { ProjectId } from '../core/ids.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type {
  EnqueueJob,
  PluginCursor,
  PluginDefinition,
  PluginStep,
  PluginStorage,
  ProjectPlugins,
  Schedule,
} from '../project/plugin-ports.ts'

/**
 * An event before it is stored, as `processEvent` gets it. Clean JSON, which the plugin may change.
 */
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

/** A stored event, as `onEvent` and `exportEvents` get it. */
export type StoredPluginEvent = Readonly<
  Omit<PluginEvent, 'now' | 'sent_at' | 'site_url'> & { elements: Json }
>

export type PluginError = {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** The plugin threw a `RetryError`: it wants to be called again later. */
  readonly isRetry: boolean
  /** The call was cut off at its time limit. Its instance starts again from scratch. */
  readonly isTimeout: boolean
}

/** The answer for one event. `event` is the plugin's return value, which the caller must check. */
export type ProcessAnswer =
  | { readonly kind: 'kept'; readonly event: unknown }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly error: PluginError }

export type CallAnswer = { readonly ok: true } | { readonly ok: false; readonly error: PluginError }

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
 * A loaded plugin of one config, in a sandbox or built in. No method rejects: a fault of the plugin
 * is in the answer. Calls of one instance overlap only where it awaits something.
 */
export type PluginInstance = {
  readonly capabilities: Capabilities
  /** Answers `ok` at once when the plugin has no `setupPlugin`. */
  setup(): Promise<CallAnswer>
  /**
   * One answer for each event, in order. Each event has its own time. Also calls
   * `processEventBatch`.
   */
  process(events: readonly PluginEvent[]): Promise<readonly ProcessAnswer[]>
  onEvent(event: StoredPluginEvent): Promise<CallAnswer>
  exportEvents(events: readonly StoredPluginEvent[]): Promise<CallAnswer>
  runJob(name: string, payload: JsonObject): Promise<CallAnswer>
  runScheduled(schedule: Schedule): Promise<CallAnswer>
  /** Calls `teardownPlugin` and releases everything. May be called twice. */
  teardown(): Promise<void>
}

/**
 * Loads instances of one kind of code. Never rejects: a plugin that cannot be loaded is an answer.
 */
export type PluginLoader = {
  load(definition: PluginDefinition, host: PluginHost): Promise<LoadAnswer>
  close(): Promise<void>
}

export type LoadAnswer =
  | { readonly ok: true; readonly instance: PluginInstance }
  | { readonly ok: false; readonly error: PluginError }

/**
 * The host functions of one config. They check their arguments and reject with an `Error` whose
 * message the plugin may see.
 */
export type PluginHost = {
  readonly storage: PluginStorage
  readonly cache: PluginCache
  enqueueJob: EnqueueJob
  locate(ip: string): Promise<Json>
  fetch(request: HostRequest, signal: AbortSignal): Promise<HostResponse>
  capture(event: { name: string; properties: JsonObject }): Promise<void>
  readonly cursor: PluginCursor
  /** Writes an entry of the plugin's `console`. Never waits. */
  log(type: LogType, message: string): void
}

export type LogType = 'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR'
export type LogSource = 'SYSTEM' | 'PLUGIN' | 'CONSOLE'

/** A bounded, volatile cache of one plugin in one project. Entries may disappear at any time. */
export type PluginCache = {
  get(key: string): Promise<Json | undefined>
  /** @param ttlS undefined for an entry that does not expire. */
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

/** Labels of counted calls, for `delivery_rate_24h`. */
export type CallCategory = 'processEvent' | 'onEvent' | 'exportEvents' | 'scheduledTask'
export type CallOutcome = 'success' | 'success_on_retry' | 'failure'

/** Writes logs and counts of plugins, bounded and in batches. Nothing here waits or throws. */
export type PluginRecords = {
  log(entry: {
    readonly projectId: ProjectId
    readonly step: PluginStep
    readonly source: LogSource
    readonly type: LogType
    readonly message: string
  }): void
  count(configId: number, category: CallCategory, outcome: CallOutcome, calls: number): void
  /** Writes all that is waiting. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Changes that the runtime makes to rows that clients see, each through the project's actor. */
export type PluginStates = {
  /**
   * Sets `error`. With `disable`, also sets `enabled = false` and mails the members who want it.
   */
  failed(
    projectId: ProjectId,
    /** A config that was saved after this step was read is not disabled. */
    step: PluginStep,
    failure: { readonly error: JsonObject; readonly disable: boolean },
  ): Promise<void>
  /** Clears `error`, and stores the plugin's `capabilities`. */
  loaded(projectId: ProjectId, step: PluginStep, capabilities: Capabilities): Promise<void>
}

/** Delivers durable events to `onEvent` and `exportEvents`, with retries and buffers. */
export type PluginDelivery = {
  /** Past its bounds, events are dropped, counted and logged. Never waits and never throws. */
  stored(loaded: LoadedPlugin, events: readonly StoredPluginEvent[]): void
  /**
   * Sends the buffered events of a config that is being unloaded. Never rejects.
   * @param instance the only instance to flush, when a newer one is loaded already; all when
   * absent.
   */
  flush(configId: number, instance?: PluginInstance): Promise<void>
  /** Flushes all configs. At the deadline the rest is dropped and counted. */
  close(deadlineMs: number): Promise<void>
}

/** A definition whose instance is set up. */
export type LoadedPlugin = {
  readonly definition: PluginDefinition
  readonly instance: PluginInstance
  readonly calls: CallListener
}

/**
 * Gets the final result of each call of one instance, once. It writes `error` of the config, and
 * disables a config that fails too often. Nothing here waits or throws.
 */
export type CallListener = {
  succeeded(category: CallCategory): void
  /** @param event of the call, when it was for one event. */
  failed(category: CallCategory, error: PluginError, event?: JsonObject): void
}

/** The plugins of this worker. */
export type PluginRuntime = ProjectPlugins & {
  /**
   * Calls a method of one config in force.
   * @returns undefined when the config is not in force or cannot be loaded.
   */
  use<T>(
    projectId: ProjectId,
    configId: number,
    work: (loaded: LoadedPlugin) => Promise<T>,
  ): Promise<T | undefined>
  /** The event and the logs of each step up to this config. Nothing is stored. */
  dryRun(projectId: ProjectId, configId: number, event: JsonObject): Promise<DryRun>
  /** Unloads everything: it sends buffers, tears plugins down and ends threads. */
  close(deadlineMs: number): Promise<void>
}

export type DryRun = {
  /** The plan up to and including the asked config, which need not be enabled. */
  readonly steps: readonly DryStep[]
}

export type DryStep = {
  readonly configId: number
  readonly name: string
  readonly outcome: 'kept' | 'dropped' | 'failed'
  /** The event after the step; null when it was dropped. */
  readonly event: Json
  readonly error: string | null
  readonly logs: readonly { readonly type: LogType; readonly message: string }[]
}
