/** Evaluation of a project's flags for one subject: same input, same answer. */
import type { CompiledFlag, FlagSnapshot } from './compile.ts'
import type { FlagValues } from './filter.ts'
import { FlagEvaluation } from './flag-evaluation.ts'
import type { FailureCode, FlagResult, FlagValue } from './flag-result.ts'
import { FAILURE_REASONS, REASONS, resultOf } from './outcome.ts'
import { LISTED, NOT_EVALUATED, selectFlags } from './selection.ts'
import { type FlagRequest, type StoredData, Subject } from './subject.ts'

export type Evaluation = {
  /** In the order of ids. */
  readonly results: readonly FlagResult[]
  /** A flag could not be evaluated: clients merge the answer into their last one. */
  readonly errorsWhileComputingFlags: boolean
  /** The answer may change with stored data about the person or a group. */
  readonly dependsOnStored: boolean
  /** The answer may change with time alone. */
  readonly timeDependent: boolean
}

/**
 * Called with each listed flag and its result. `evaluation` is undefined when none of its
 * conditions were evaluated.
 */
export type Watch = (result: FlagResult, evaluation: FlagEvaluation | undefined) => void

/**
 * Evaluates the flags that `request` asks for at `now`, milliseconds since the epoch. `stored`
 * holds what `storedNeeds` named. Never throws: a flag that cannot be evaluated is failed, and off.
 */
export function evaluate(
  snapshot: FlagSnapshot,
  request: FlagRequest,
  stored: StoredData,
  now: number,
  watch?: Watch,
): Evaluation {
  const subject = new Subject(request, stored, now)
  const marks = selectFlags(snapshot, request)
  const values: (FlagValue | undefined)[] = []
  const results: FlagResult[] = []
  const { flags, hasDependencies } = snapshot
  let errors = false
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[hasDependencies ? (snapshot.order[at] ?? at) : at]
    if (flag === undefined || !flag.enabled) continue
    const mark = marks === undefined ? LISTED : marks[flag.position]
    if (mark === NOT_EVALUATED) continue
    const shown = mark === LISTED ? watch : undefined
    const result = evaluateFlag(flag, subject, values, snapshot, shown)
    if (hasDependencies) values[flag.position] = result.value
    if (result.failed) errors = true
    if (mark === LISTED) results.push(result)
  }
  if (hasDependencies) results.sort((a, b) => a.id - b.id)
  return {
    results,
    errorsWhileComputingFlags: errors,
    dependsOnStored: subject.dependsOnStored,
    timeDependent: subject.timeDependent,
  }
}

function evaluateFlag(
  flag: CompiledFlag,
  subject: Subject,
  values: FlagValues,
  snapshot: FlagSnapshot,
  watch: Watch | undefined,
): FlagResult {
  const blocked = blockedBy(flag, snapshot)
  if (blocked !== undefined) {
    watch?.(blocked, undefined)
    return blocked
  }
  subject.failure = undefined
  try {
    const evaluation = new FlagEvaluation(flag, subject, values, snapshot)
    const outcome = evaluation.optIn() ?? evaluation.holdout() ?? evaluation.conditionSets()
    const result = subject.failure === undefined ? outcome : failed(flag, subject.failure)
    watch?.(result, evaluation)
    return result
  } catch {
    // A fault in one flag, such as a regular expression engine out of memory, must not take the
    // answer for the others with it. The caller sees it by the reason and the errors member.
    return failed(flag, 'evaluation_error')
  }
}

/** Result of a flag in a dependency cycle or with a missing dependency; undefined for others. */
function blockedBy(flag: CompiledFlag, snapshot: FlagSnapshot): FlagResult | undefined {
  if (snapshot.inCycle[flag.position] === 1) return failed(flag, 'dependency_cycle_flag')
  if (flag.dependsOnMissingFlag) return resultOf(flag, flag.off, REASONS.missingDependency)
  return undefined
}

function failed(flag: CompiledFlag, code: FailureCode): FlagResult {
  return resultOf(flag, flag.off, FAILURE_REASONS[code])
}
