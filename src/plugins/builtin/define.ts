/** The form of a built-in plugin. */
import type {
  Capabilities,
  PluginEvent,
  PluginHost,
  PluginMethod,
  StoredPluginEvent,
} from '../ports.ts'
import type { SettingEntry, SettingReader } from './setting-reader.ts'

/** Behaviour of a built-in plugin with one config's settings. A call that throws has failed. */
export type BuiltinWork = {
  /**
   * Null drops the event. The event may be changed in place. The time must be linear in the event.
   */
  readonly processEvent?: (event: PluginEvent) => Processed | Promise<Processed>
  /** @throws {RetryError} when the same events are to be exported again later. */
  readonly exportEvents?: (
    events: readonly StoredPluginEvent[],
    signal: AbortSignal,
  ) => Promise<void>
}

export type Processed = PluginEvent | null

export type Builtin = {
  /** Stored with the plugin, so it never changes. */
  readonly name: string
  /** The name that people see. */
  readonly title: string
  readonly description: string
  readonly schema: readonly SettingEntry[]
  readonly capabilities: Capabilities
  /** @throws {SettingError} when a setting cannot be used. */
  create(settings: SettingReader, host: PluginHost): BuiltinWork | Promise<BuiltinWork>
}

type Defined = Pick<Builtin, 'name' | 'title' | 'description' | 'create'> & {
  /** In the order of the form. */
  readonly schema: readonly Omit<SettingEntry, 'order'>[]
  /** The methods that `create` returns. */
  readonly methods: readonly (keyof BuiltinWork & PluginMethod)[]
}

/** Makes a built-in plugin. Its configs share nothing but constants. */
export function defineBuiltin({ schema, methods, ...rest }: Defined): Builtin {
  return {
    ...rest,
    schema: schema.map((entry, at) => ({ ...entry, order: at + 1 })),
    capabilities: { methods: ['setupPlugin', ...methods], jobs: [], scheduledTasks: [] },
  }
}
