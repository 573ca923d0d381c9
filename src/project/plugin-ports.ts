/**
 * Types that a project, its store and the plugin runtime exchange: the plan of a project, the
 * definition of a step, and the data that plugins keep in the store.
 */
import type { ProjectId } from '../core/ids.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { EventBatch, IngestOutcome } from '../events/event-batch.ts'

/**
 * A plugin config in force: it is enabled, and its organization may run plugins and use this one.
 */
export type PluginStep = {
  readonly configId: number
  readonly pluginId: number
  readonly pluginName: string
  readonly order: number
  /**
   * Changes with the config, its files, the plugin and its source. A new stamp means a new
   * instance.
   */
  readonly stamp: string
}

/**
 * The steps of one project by order, then plugin id. Never empty: a project without steps has no
 * plan.
 */
export type PluginPlan = readonly PluginStep[]

/** Input of loading a step. Settings and files are secret: never logged, never in an error. */
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
  /** The name of a plugin in `builtin/`. */
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'none' }

export type Schedule = 'runEveryMinute' | 'runEveryHour' | 'runEveryDay'

/** Durable JSON of one config. Keys have 1 to 200 characters. */
export type PluginStorage = {
  /** Undefined when the key has no value. */
  get(key: string): Promise<Json | undefined>
  set(key: string, value: Json): Promise<void>
  del(key: string): Promise<void>
}

/** Counters of one config. Each change is one statement of the store. */
export type PluginCursor = {
  init(key: string, value: number): Promise<void>
  /** @returns the new value. */
  increment(key: string, by: number): Promise<number>
}

/** @returns the id of the job. */
export type EnqueueJob = (job: { name: string; payload: Json; runAtMs: number }) => Promise<string>

/** Plugin runtime, as a project's actor uses it. */
export type ProjectPlugins = {
  /**
   * Takes a batch through the steps of its project's plan and hands the rest to the sink. Durable
   * events then go to `onEvent` and `exportEvents`. Batches of one project keep their order. Never
   * rejects; `overloaded` when too many events of the project wait.
   */
  ingest(plan: PluginPlan, batch: EventBatch): Promise<IngestOutcome>
  /**
   * Called when the project has no plan any more. Its instances finish their work and are closed.
   */
  unload(projectId: ProjectId): void
}
