/** Loads built-in plugins. */
import type { Clock } from '../../core/clock.ts'
import { echo } from '../../wire/details.ts'
import type { LoadAnswer, PluginLoader } from '../ports.ts'
import { createBuiltinInstance, toPluginError } from './builtin-instance.ts'
import { findBuiltin } from './builtins.ts'

/** Loads code of the kind `builtin`. It runs in this process, because it is our own. */
export function createBuiltinLoader({ clock }: { readonly clock: Clock }): PluginLoader {
  return {
    async load({ code, settings }, host) {
      if (code.kind !== 'builtin') return refused('The plugin has source of its own.')
      const builtin = findBuiltin(code.name)
      if (builtin === undefined) {
        return refused(`This version comes without a plugin "${echo(code.name)}".`)
      }
      return { ok: true, instance: createBuiltinInstance(builtin, settings, host, clock) }
    },
    close: async () => {}, // The teardown of an instance releases all that it has.
  }
}

function refused(message: string): LoadAnswer {
  return { ok: false, error: toPluginError(new Error(message)) }
}
