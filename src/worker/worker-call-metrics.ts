/** Figures of the calls that a worker answers. */
import type { Clock } from '../core/clock.ts'
import type { Count } from '../core/metrics/metric-series.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { IngestOutcome } from '../events/event-batch.ts'
import type { DecideService } from '../project/decide.ts'
import type { RefusedFor } from '../rpc/server/refused.ts'
import { toAppError } from '../rpc/server/status.ts'
import type { Handler } from '../wire/call.ts'

/** Kind of a refused key. Metrics never hold the key itself. */
export type RefusedKind = 'project' | 'personal' | 'operator'

export type CallMetrics = {
  /** Counts and times the calls of a handler, by its service. */
  timed<Request, Response>(
    path: string,
    handler: Handler<Request, Response>,
  ): Handler<Request, Response>
  /** Counts calls that no handler hears of. */
  refused(reason: RefusedFor): void
  /** Counts an unknown key or a wrong token. */
  keyRefused(kind: RefusedKind): void
  /** Counts the questions that a service answers. */
  counted(service: DecideService): DecideService
  /** Questions answered since the start. */
  decided(): number
  /** Since the start. */
  refusedKeys(): Readonly<Record<RefusedKind, number>>
}

export function callMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): CallMetrics {
  const calls = metrics.counters(
    'sluice_grpc_calls_total',
    'Unary calls answered, by service and code: ok or the failure.',
    ['service', 'code'],
  )
  const seconds = metrics.seconds(
    'sluice_grpc_call_seconds',
    'Time from a call to its answer, calls that were passed on included.',
    ['service'],
  )
  const refused = metrics.counters(
    'sluice_grpc_refused_total',
    'gRPC calls refused before their handler, by what is wrong: caller, size, elements, time, room, form.',
    ['reason'],
  )
  const keys = metrics.counters(
    'sluice_keys_refused_total',
    'Keys that nobody has and wrong operator tokens, by kind: project, personal, operator.',
    ['kind'],
  )
  const questions = metrics.counter('sluice_decide_questions_total', 'Decide questions answered.')
  let decided = 0
  const refusedKeys = { project: 0, personal: 0, operator: 0 }

  return {
    timed(path, handler) {
      const service = serviceOf(path)
      const ok = calls.labels(service, 'ok')
      const time = seconds.labels(service)
      return async (request, context) => {
        const startedAt = clock.monotonic()
        try {
          const response = await handler(request, context)
          ok.inc()
          return response
        } catch (error) {
          calls.labels(service, toAppError(error).code).inc()
          throw error
        } finally {
          time.observe(secondsSince(clock, startedAt))
        }
      }
    },
    refused: (reason) => refused.labels(reason).inc(),
    keyRefused(kind) {
      keys.labels(kind).inc()
      refusedKeys[kind] += 1
    },
    refusedKeys: () => refusedKeys,
    counted: (service) => ({
      async decide(asked) {
        const answers = await service.decide(asked)
        decided += answers.length
        questions.inc(answers.length)
        return answers
      },
    }),
    decided: () => decided,
  }
}

function secondsSince(clock: Pick<Clock, 'monotonic'>, startedAtMs: number): number {
  return (clock.monotonic() - startedAtMs) / 1_000
}

/** `IngestService` of `/sluice.v1.IngestService/IngestBatch`. */
function serviceOf(path: string): string {
  return /([^./]+)\/[^/]*$/.exec(path)?.[1] ?? 'other'
}

/** Counts events by their outcome: refused ones have no other trace at a worker. */
export function outcomeCounter(
  metrics: Metrics,
): (outcome: IngestOutcome['kind'], events: number) => void {
  const events = metrics.counters(
    'sluice_ingest_events_total',
    'Events handed to the writer, by what became of them.',
    ['outcome'],
  )
  const child = (outcome: IngestOutcome['kind']) => {
    const counter = events.labels(outcome)
    // Starts at zero: a rate of a series that appears with its first count misses that one.
    counter.inc(0)
    return counter
  }
  const children: Readonly<Record<IngestOutcome['kind'], Count>> = {
    stored: child('stored'),
    spilled: child('spilled'),
    no_project: child('no_project'),
    overloaded: child('overloaded'),
    unavailable: child('unavailable'),
  }
  return (outcome, count) => children[outcome].inc(count)
}

/** Times the flushes of the writer: each attempt, those that fail too. */
export function flushTimer(
  metrics: Metrics,
): (outcome: 'committed' | 'failed', ms: number) => void {
  const seconds = metrics.seconds(
    'sluice_flush_seconds',
    'Time of one attempt at a flush of the writer.',
    ['outcome'],
  )
  const attempts = { committed: seconds.labels('committed'), failed: seconds.labels('failed') }
  return (outcome, ms) => attempts[outcome].observe(ms / 1_000)
}
