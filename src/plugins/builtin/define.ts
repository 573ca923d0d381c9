import type {
  Capabilities,
  PluginEvent,
  PluginHost,
  PluginMethod,
  StoredPluginEvent,
} from '../ports.ts'
import type { SettingReader } from './setting-reader.ts'

/** One setting, in the form of an entry of `config` in a `plugin.json`. */
export type SettingEntry = {
  readonly key: string
  readonly name: string
  readonly type: 'string' | 'choice'
  /** In force where the setting is absent or empty. */
  readonly default?: string
  readonly hint?: string
  readonly required?: boolean
  readonly secret?: boolean
  readonly choices?: readonly string[]
  readonly order: number
}

/** What a config's plugin does, once its settings are read. Whatever it throws is a failed call. */
export type BuiltinWork = {
  /** Null drops the event, which may be changed in place. In time linear in the event. */
  readonly processEvent?: (event: PluginEvent) => Processed | Promise<Processed>
  /** @throws {RetryError} to be called again with the same events. */
  readonly exportEvents?: (
    events: readonly StoredPluginEvent[],
    signal: AbortSignal,
  ) => Promise<void>
}

export type Processed = PluginEvent | null

export type Builtin = {
  /** Stored with the plugin; never changed. */
  readonly name: string
  /** For people. */
  readonly title: string
  readonly description: string
  readonly schema: readonly SettingEntry[]
  readonly capabilities: Capabilities
  /** @throws {SettingError} when a setting cannot be used. */
  create(settings: SettingReader, host: PluginHost): BuiltinWork | Promise<BuiltinWork>
}

type Defined = Pick<Builtin, 'name' | 'title' | 'description' | 'create'> & {
  /** In the order in which they are shown. */
  readonly schema: readonly Omit<SettingEntry, 'order'>[]
  /** What `create` answers. */
  readonly methods: readonly (keyof BuiltinWork & PluginMethod)[]
}

/** A plugin that comes with the product. Configs share nothing but what is constant. */
export function defineBuiltin({ schema, methods, ...rest }: Defined): Builtin {
  return {
    ...rest,
    schema: schema.map((entry, at) => ({ ...entry, order: at + 1 })),
    capabilities: { methods: ['setupPlugin', ...methods], jobs: [], scheduledTasks: [] },
  }
}
