import type { CompiledFlag, FlagSnapshot } from './compile.ts'
import type { FlagRequest } from './subject.ts'

/** Another runtime, another context, or not requested. */
export const NOT_EVALUATED = 0
/** Evaluated because a requested one depends on it. */
const DEPENDENCY = 1
/** Part of the answer. */
export const LISTED = 2

/**
 * A mark for each position, or `undefined` when all enabled flags are listed: the usual question.
 * Disabled flags may carry any mark.
 */
export function selectFlags(snapshot: FlagSnapshot, request: FlagRequest): Uint8Array | undefined {
  const { flagKeys, evaluationRuntime, evaluationContexts } = request
  const runtime = otherRuntime(evaluationRuntime)
  const contexts = Array.isArray(evaluationContexts) ? new Set(evaluationContexts) : undefined
  const keys = Array.isArray(flagKeys) ? flagKeys : undefined
  const limited = contexts !== undefined && contexts.size > 0
  if (runtime === undefined && !limited && keys === undefined) return undefined
  const fits = (flag: CompiledFlag) =>
    flag.runtime !== runtime && (!limited || inContext(flag, contexts))
  const marks = new Uint8Array(snapshot.flags.length)
  if (keys === undefined) {
    for (const flag of snapshot.flags) marks[flag.position] = fits(flag) ? LISTED : NOT_EVALUATED
    return marks
  }
  for (const key of keys) {
    const flag = snapshot.byKey.get(key)
    if (flag !== undefined && fits(flag)) marks[flag.position] = LISTED
  }
  // Dependents follow their dependencies, so one pass from the end reaches all.
  for (let at = snapshot.order.length - 1; at >= 0 && snapshot.hasDependencies; at--) {
    const flag = snapshot.flags[snapshot.order[at] ?? -1]
    if (flag === undefined || marks[flag.position] === NOT_EVALUATED) continue
    for (const position of flag.dependencies) {
      const dependency = snapshot.flags[position]
      const unmarked = dependency !== undefined && marks[position] === NOT_EVALUATED
      if (unmarked && fits(dependency)) marks[position] = DEPENDENCY
    }
  }
  return marks
}

/** The runtime whose flags the caller does not get; `undefined` when it gets all. */
function otherRuntime(runtime: unknown): 'server' | 'client' | undefined {
  if (runtime === 'server') return 'client'
  return runtime === 'client' ? 'server' : undefined
}

function inContext(flag: CompiledFlag, contexts: ReadonlySet<string>): boolean {
  return flag.contexts.length === 0 || flag.contexts.some((context) => contexts.has(context))
}
