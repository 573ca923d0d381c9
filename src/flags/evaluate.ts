/** Evaluation of a project's flags for one subject: same input, same answer. */
import { bucketOf } from './bucketing.ts'
import type { Aggregation, CompiledFlag, ConditionSet, FlagSnapshot } from './compile.ts'
import { allHold, type FlagValues } from './filter.ts'
import type { FailureCode, FlagResult, FlagValue, Reason } from './flag-result.ts'
import { FAILURE_REASONS, type Outcome, REASONS, resultOf } from './outcome.ts'
import { LISTED, NOT_EVALUATED, selectFlags } from './selection.ts'
import { type FlagRequest, type StoredData, Subject } from './subject.ts'

export type Evaluation = {
  /** In the order of ids. */
  readonly results: readonly FlagResult[]
  /** A flag could not be evaluated: clients merge the answer into what they know. */
  readonly errorsWhileComputingFlags: boolean
  /** The answer may change with what is stored about the person or a group. */
  readonly dependsOnStored: boolean
  /** The answer may change with time alone. */
  readonly timeDependent: boolean
}

/**
 * Evaluates the flags that `request` asks for at `now`, milliseconds since the epoch. `stored`
 * holds what `storedNeeds` named. Never throws: a flag that cannot be evaluated is failed, and off.
 */
export function evaluate(
  snapshot: FlagSnapshot,
  request: FlagRequest,
  stored: StoredData,
  now: number,
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
    const result = evaluateFlag(flag, subject, values, snapshot)
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
): FlagResult {
  if (snapshot.inCycle[flag.position] === 1) return failed(flag, 'dependency_cycle_flag')
  if (flag.dependsOnMissingFlag) return resultOf(flag, flag.off, REASONS.missingDependency)
  subject.failure = undefined
  try {
    const evaluation = new FlagEvaluation(flag, subject, values, snapshot)
    const result = evaluation.optIn() ?? evaluation.holdout() ?? evaluation.conditionSets()
    return subject.failure === undefined ? result : failed(flag, subject.failure)
  } catch {
    // A fault in one flag, such as a regular expression engine out of memory, must not take the
    // answer for the others with it. The caller sees it by the reason and the errors member.
    return failed(flag, 'evaluation_error')
  }
}

function failed(flag: CompiledFlag, code: FailureCode): FlagResult {
  return resultOf(flag, flag.off, FAILURE_REASONS[code])
}

const NO_BUCKET = -1

/** One flag being evaluated. Each step answers, or leaves it to the next. */
class FlagEvaluation {
  readonly #flag: CompiledFlag
  readonly #subject: Subject
  readonly #values: FlagValues
  readonly #snapshot: FlagSnapshot
  /** Rollout bucket of the person, which the sets share. */
  #personBucket = NO_BUCKET
  /** The hash has left the subject to what comes next. */
  #byHash = false

  constructor(flag: CompiledFlag, subject: Subject, values: FlagValues, snapshot: FlagSnapshot) {
    this.#flag = flag
    this.#subject = subject
    this.#values = values
    this.#snapshot = snapshot
  }

  optIn(): FlagResult | undefined {
    const { optIn } = this.#flag
    if (optIn === undefined) return undefined
    if (optIn.kind === 'enrollment') {
      const value = this.#subject.personProperty(optIn.property)
      return value === undefined ? undefined : this.#optedIn(value === true || value === 'true')
    }
    const applies = optIn.properties.some(
      (property) => this.#subject.personProperty(property) !== undefined,
    )
    if (!applies) return undefined
    return this.#optedIn(this.#allHold(optIn.filters) && this.#inPersonRollout(optIn.rollout))
  }

  #optedIn(on: boolean): FlagResult {
    const flag = this.#flag
    if (on) return resultOf(flag, flag.on, REASONS.superCondition)
    return resultOf(flag, flag.off, REASONS.superConditionOff)
  }

  holdout(): FlagResult | undefined {
    const flag = this.#flag
    if (flag.holdout === undefined || this.#subject.failure !== undefined) return undefined
    const { exclusion, filters, outcome } = flag.holdout
    // The same people are held out of all experiments, so neither flag key nor stored hash counts.
    const identifier =
      flag.aggregation.by === 'group' ? this.#groupKey(flag.aggregation) : this.#plainIdentifier()
    if (identifier === undefined || !this.#allHold(filters)) return undefined
    if (exclusion < 1 && bucketOf('holdout-', identifier, '') > exclusion) {
      this.#byHash = exclusion > 0
      return undefined
    }
    return resultOf(flag, outcome, exclusion < 1 ? REASONS.holdout : REASONS.holdoutOfAll)
  }

  conditionSets(): FlagResult {
    const flag = this.#flag
    let best: Reason = REASONS.noSets
    let bestScore = 0
    for (const set of flag.sets) {
      let score: number
      const reason = this.#reasonAgainst(set)
      if (reason === undefined) {
        const { matched, matchedNext } = set.reasons
        return resultOf(flag, this.#variant(set), this.#byHash ? matchedNext : matched)
      }
      if (this.#subject.failure !== undefined) break
      if (reason.resolution === 'SPLIT') this.#byHash = true
      if (reason === set.reasons.outOfRollout) score = 3
      else score = reason === set.reasons.noMatch ? 2 : 1
      // Among equals the later set is named.
      if (score >= bestScore) {
        best = reason
        bestScore = score
      }
      if (score === 3 && flag.earlyExit) break
    }
    return resultOf(flag, flag.off, best)
  }

  /** Why the set does not match; `undefined` when it does. */
  #reasonAgainst(set: ConditionSet): Reason | undefined {
    const { aggregation, reasons } = set
    if (aggregation.by === 'person') {
      if (!this.#allHold(set.filters)) return reasons.noMatch
      return this.#inPersonRollout(set.rollout) ? undefined : reasons.outOfRollout
    }
    const groupKey = this.#groupKey(aggregation)
    if (groupKey === undefined) return reasons.noGroup
    if (!this.#allHold(set.filters)) return reasons.noMatch
    if (set.rollout >= 1) return undefined
    return bucketOf(this.#flag.prefix, groupKey, '') <= set.rollout
      ? undefined
      : reasons.outOfRollout
  }

  #variant(set: ConditionSet): Outcome {
    const { variants, on, prefix } = this.#flag
    if (set.variant !== undefined) return set.variant
    if (variants.length === 0) return on
    const { aggregation } = set
    const identifier =
      aggregation.by === 'group' ? (this.#groupKey(aggregation) ?? '') : this.#personIdentifier()
    const bucket = bucketOf(prefix, identifier, 'variant')
    return variants.find((range) => bucket < range.below)?.outcome ?? on
  }

  #inPersonRollout(rollout: number): boolean {
    if (rollout >= 1) return true
    if (rollout < 0) return false
    if (this.#personBucket === NO_BUCKET) {
      this.#personBucket = bucketOf(this.#flag.prefix, this.#personIdentifier(), '')
    }
    return this.#personBucket <= rollout
  }

  #plainIdentifier(): string {
    const { deviceId, distinctId } = this.#subject.request
    return (this.#flag.byDevice && deviceId) || distinctId
  }

  #personIdentifier(): string {
    const flag = this.#flag
    return flag.continuity ? this.#subject.continuityKey(flag.key) : this.#plainIdentifier()
  }

  #groupKey(aggregation: Extract<Aggregation, { by: 'group' }>): string | undefined {
    return aggregation.type === undefined ? undefined : this.#subject.groupKey(aggregation.type)
  }

  #allHold(filters: ConditionSet['filters']): boolean {
    if (filters.length === 0) return true
    return allHold(filters, this.#subject, this.#values, this.#snapshot.cohorts)
  }
}
