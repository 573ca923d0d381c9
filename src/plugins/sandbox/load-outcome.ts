/** The outcomes of loading a module. */
import type { PluginError } from '../ports.ts'
import { type Loaded, parseLoaded, sandboxError, timeoutError } from './protocol.ts'
import type { Outcome } from './vm.ts'

export const USED_UP = sandboxError('The plugin has used up its memory or stack.')

/** The capabilities of a module, or the error that it threw. */
export function loadedOf(
  outcome: Outcome,
  budgetMs: number,
): Loaded | { readonly error: PluginError } {
  switch (outcome.kind) {
    case 'expired':
      return { error: timeoutError(budgetMs) }
    case 'broken':
      return { error: USED_UP }
    case 'threw':
      return { error: outcome.error }
    case 'done':
      return parseLoaded(outcome.value)
    default:
      return outcome satisfies never
  }
}
