/** Journal of the load and its results, on which every check and figure is based. */

export type Kind = 'capture' | 'batch' | 'decide' | 'change' | 'person'

/** One request on the wire. Times are of the load's monotonic clock, in ms. */
export type Attempt = {
  readonly kind: Kind
  readonly gateway: string
  readonly sentAt: number
  readonly endedAt: number
  /** 0 when no answer came. */
  readonly status: number
  /** Reason of a failure; empty without one. */
  readonly failure: string
}

/** Operation of a client: attempts until one was answered 2xx or the client gave up. */
export type Operation = {
  readonly kind: Kind
  /** Project that a change is for. */
  readonly project: number
  readonly startedAt: number
  readonly endedAt: number
  readonly attempts: number
  readonly outcome: 'done' | 'gave_up' | 'refused'
  readonly status: number
}

export type Journal = {
  readonly attempts: Attempt[]
  readonly operations: Operation[]
  /** Uuids by project, before the first attempt, and when one was answered 200. */
  readonly attempted: Map<number, Set<string>>
  readonly acked: Map<number, Set<string>>
  /** Answers that no fault excuses, as sentences. */
  readonly faults: string[]
  /** Arrivals that the load did not make, because too many were in flight. */
  shed: number
  /** Spans in which the machine stalled: failures in them are not the product's. */
  readonly standstills: readonly Span[]
}

export function createJournal(standstills: readonly Span[] = []): Journal {
  return {
    standstills,
    attempts: [],
    operations: [],
    attempted: new Map(),
    acked: new Map(),
    faults: [],
    shed: 0,
  }
}

export function noteAll(
  into: Map<number, Set<string>>,
  project: number,
  uuids: readonly string[],
): void {
  const known = into.get(project) ?? new Set()
  for (const uuid of uuids) known.add(uuid)
  into.set(project, known)
}

/** A span of the load's time, in ms. */
export type Span = { readonly from: number; readonly to: number }

export type Figures = {
  readonly kind: Kind
  readonly operations: number
  readonly attempts: number
  /** Attempts not answered 2xx, with counts by reason. */
  readonly failed: number
  readonly statuses: Readonly<Record<string, number>>
  readonly gaveUp: number
  /** From the sending of the first failed attempt to the end of the last; 0 without failures. */
  readonly errorsMs: number
  /** Longest duration of one operation, with its attempts and pauses. */
  readonly longestMs: number
  /** Median of the attempts that were answered 2xx. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Figures of the requests sent within the span. */
export function figuresOf(journal: Journal, kind: Kind, { from, to }: Span): Figures {
  const isIn = (at: number) => at >= from && at < to
  const attempts = journal.attempts.filter((each) => each.kind === kind && isIn(each.sentAt))
  const operations = journal.operations.filter((each) => each.kind === kind && isIn(each.startedAt))
  const failed = attempts.filter(({ status }) => !isSuccess(status))
  const waits = attempts
    .filter(({ status }) => isSuccess(status))
    .map(({ sentAt, endedAt }) => endedAt - sentAt)
    .sort((a, b) => a - b)
  const statuses: Record<string, number> = {}
  for (const { failure } of failed) {
    statuses[failure] = (statuses[failure] ?? 0) + 1
  }
  const first = minOf(failed.map(({ sentAt }) => sentAt))
  const last = maxOf(failed.map(({ endedAt }) => endedAt))
  return {
    kind,
    operations: operations.length,
    attempts: attempts.length,
    failed: failed.length,
    statuses,
    gaveUp: operations.filter(({ outcome }) => outcome !== 'done').length,
    errorsMs: failed.length === 0 ? 0 : last - first,
    longestMs: Math.max(0, maxOf(operations.map((each) => each.endedAt - each.startedAt))),
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Not `Math.min(...)`: a long run has more attempts than a call takes arguments. */
function minOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
}

function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}
