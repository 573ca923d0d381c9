/** Figures of what a worker is asked and of what becomes of it. */
import type { Clock } from '../core/clock.ts'
import type { Count } from '../core/metrics/metric-series.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { IngestStore } from '../ingest/store-port.ts'
import type { DecideService } from '../project/decide.ts'
import type { EventSink, IngestOutcome } from '../project/ports.ts'
import { toAppError } from '../rpc/server/status.ts'
import type { Handler } from '../wire/call.ts'

export type CallMetrics = {
  /** Counts and times the calls of a handler, by its service. */
  timed<Request, Response>(
    path: string,
    handler: Handler<Request, Response>,
  ): Handler<Request, Response>
  /** Counts the questions that a service answers. */
  counted(service: DecideService): DecideService
  /** Questions answered since the start. */
  decided(): number
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
  const questions = metrics.counter('sluice_decide_questions_total', 'Decide questions answered.')
  let decided = 0

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

/** Counts events by what became of them: the refused ones have no other trace at a worker. */
export function countOutcomes<Sink extends EventSink>(metrics: Metrics, sink: Sink): Sink {
  const events = metrics.counters(
    'sluice_ingest_events_total',
    'Events handed to the writer, by what became of them.',
    ['outcome'],
  )
  const child = (outcome: IngestOutcome['kind']) => {
    const counter = events.labels(outcome)
    // There from the start: a rate of what appears with its first count misses that one.
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
  return {
    ...sink,
    // Every group passes here: `then` makes less than a function that waits.
    submit(group) {
      return sink.submit(group).then((outcome) => {
        children[outcome.kind].inc(group.events.length)
        return outcome
      })
    },
  }
}

/** Times the flushes of a store: each attempt, those that fail too. */
export function timeFlushes<Store extends IngestStore>(
  metrics: Metrics,
  clock: Pick<Clock, 'monotonic'>,
  store: Store,
): Store {
  const seconds = metrics.seconds(
    'sluice_flush_seconds',
    'Time of one attempt at a flush of the writer.',
    ['outcome'],
  )
  const committed = seconds.labels('committed')
  const failed = seconds.labels('failed')
  return {
    ...store,
    async flush(slot, rows) {
      const startedAt = clock.monotonic()
      try {
        const result = await store.flush(slot, rows)
        committed.observe(secondsSince(clock, startedAt))
        return result
      } catch (error) {
        failed.observe(secondsSince(clock, startedAt))
        throw error
      }
    },
  }
}
