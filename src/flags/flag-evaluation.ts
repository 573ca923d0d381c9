/** One flag being evaluated: the same steps for an answer and for its trace. */
import { bucketOf } from './bucketing.ts'
import type { Aggregation, CompiledFlag, ConditionSet, FlagSnapshot } from './compile.ts'
import { allHold, type Filter, type FlagValues, filterHolds } from './filter.ts'
import type { FlagResult, Reason } from './flag-result.ts'
import type { FilterTrace, FlagTrace, GateTrace, SetTrace } from './flag-trace.ts'
import type { Holdout, OptIn } from './gates.ts'
import { type Outcome, REASONS, resultOf } from './outcome.ts'
import type { Subject } from './subject.ts'

const NO_BUCKET = -1

/** One flag being evaluated. Each step answers, or leaves it to the next. */
export class FlagEvaluation {
  readonly #flag: CompiledFlag
  readonly #subject: Subject
  readonly #values: FlagValues
  readonly #snapshot: FlagSnapshot
  /** Rollout bucket of the person, which the sets share. */
  #personBucket = NO_BUCKET
  /** True once a hash has passed the subject on to the later conditions. */
  #byHash = false
  /** Condition sets that were looked at. */
  #looked = 0

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
    const identifier = this.#heldOutAs()
    if (identifier === undefined || !this.#allHold(filters)) return undefined
    if (exclusion < 1 && holdoutBucket(identifier) > exclusion) {
      this.#byHash = exclusion > 0
      return undefined
    }
    return resultOf(flag, outcome, exclusion < 1 ? REASONS.holdout : REASONS.holdoutOfAll)
  }

  /** The same people are held out of all experiments: neither flag key nor stored hash counts. */
  #heldOutAs(): string | undefined {
    const { aggregation } = this.#flag
    return aggregation.by === 'group' ? this.#groupKey(aggregation) : this.#plainIdentifier()
  }

  conditionSets(): FlagResult {
    const flag = this.#flag
    let best: Reason = REASONS.noSets
    let bestScore = 0
    for (const set of flag.sets) {
      this.#looked++
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
      // The later set of two equal scores is reported.
      if (score >= bestScore) {
        best = reason
        bestScore = score
      }
      if (score === 3 && flag.earlyExit) break
    }
    return resultOf(flag, flag.off, best)
  }

  /** Reason why the set does not match; `undefined` when it does. */
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
    return this.#groupBucket(groupKey) <= set.rollout ? undefined : reasons.outOfRollout
  }

  #groupBucket(groupKey: string): number {
    return bucketOf(this.#flag.prefix, groupKey, '')
  }

  #variant(set: ConditionSet): Outcome {
    const { variants, on } = this.#flag
    if (set.variant !== undefined) return set.variant
    if (variants.length === 0) return on
    const bucket = this.#variantBucket(set)
    return variants.find((range) => bucket < range.below)?.outcome ?? on
  }

  #variantBucket({ aggregation }: ConditionSet): number {
    const identifier =
      aggregation.by === 'group' ? (this.#groupKey(aggregation) ?? '') : this.#personIdentifier()
    return bucketOf(this.#flag.prefix, identifier, 'variant')
  }

  #inPersonRollout(rollout: number): boolean {
    if (rollout >= 1) return true
    if (rollout < 0) return false
    return this.#bucketOfPerson() <= rollout
  }

  #bucketOfPerson(): number {
    if (this.#personBucket === NO_BUCKET) {
      this.#personBucket = bucketOf(this.#flag.prefix, this.#personIdentifier(), '')
    }
    return this.#personBucket
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

  /**
   * Evaluates each condition by itself, also those that were not reached. Leaves the subject as it
   * was, so that other flags evaluate the same.
   */
  trace(): FlagTrace {
    const { failure, regexWork } = this.#subject
    const trace = this.#traced()
    Object.assign(this.#subject, { failure, regexWork })
    return trace
  }

  #traced(): FlagTrace {
    const { optIn, holdout, sets } = this.#flag
    const looked = this.#looked
    return {
      optIn: optIn === undefined ? undefined : this.#optInTrace(optIn),
      holdout: holdout === undefined ? undefined : this.#holdoutTrace(holdout),
      sets: sets.map((set, index) => this.#setTrace(set, index < looked)),
    }
  }

  #optInTrace(optIn: OptIn): GateTrace {
    const value = this.optIn()?.value
    const filters = optIn.kind === 'enrollment' ? [] : this.#filterTraces(optIn.filters)
    const bucket = optIn.kind === 'enrollment' ? undefined : this.#bucketOfPerson()
    const threshold = optIn.kind === 'enrollment' ? 1 : optIn.rollout
    return { holds: value === undefined ? undefined : value !== false, filters, bucket, threshold }
  }

  #holdoutTrace({ exclusion: threshold, filters }: Holdout): GateTrace {
    const identifier = this.#heldOutAs()
    const bucket = identifier === undefined ? undefined : holdoutBucket(identifier)
    return {
      holds: this.holdout() !== undefined,
      filters: this.#filterTraces(filters),
      bucket,
      threshold,
    }
  }

  #setTrace(set: ConditionSet, isReached: boolean): SetTrace {
    this.#subject.failure = undefined
    const reason = this.#reasonAgainst(set)
    const groupKey = set.aggregation.by === 'group' ? this.#groupKey(set.aggregation) : undefined
    const isUnknown = set.aggregation.by === 'group' && groupKey === undefined
    const bucket = groupKey === undefined ? this.#bucketOfPerson() : this.#groupBucket(groupKey)
    const isSplit = set.variant === undefined && this.#flag.variants.length > 0
    return {
      isReached,
      outcome: reason?.code ?? 'condition_match',
      filters: this.#filterTraces(set.filters),
      bucket: isUnknown ? undefined : bucket,
      threshold: set.rollout,
      variant: reason === undefined ? this.#variant(set).value : undefined,
      variantBucket: isSplit && !isUnknown ? this.#variantBucket(set) : undefined,
    }
  }

  #filterTraces(filters: readonly Filter[]): FilterTrace[] {
    return filters
      .map((filter) => {
        const { cohorts } = this.#snapshot
        const holds = filterHolds(filter, this.#subject, this.#values, cohorts)
        return { place: filter.place, holds, actual: this.#read(filter) }
      })
      .sort((a, b) => a.place - b.place)
  }

  /** Value of the subject that a filter tests. */
  #read(filter: Filter): unknown {
    if (filter.kind === 'person') return this.#subject.personProperty(filter.key)
    if (filter.kind === 'group') return this.#subject.groupProperty(filter.type, filter.key)
    return filter.kind === 'flag' ? (this.#values[filter.position] ?? false) : undefined
  }
}

function holdoutBucket(identifier: string): number {
  return bucketOf('holdout-', identifier, '')
}
