/** Reports the outcomes of events in `onEvent` and `exportEvents`. */
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { CallOutcome, LoadedPlugin, PluginError, PluginRecords } from '../ports.ts'
import { describeError } from '../runtime/step-reports.ts'

/** Interval of logging dropped events. */
const PLUGIN_DROP_NOTE_MS = 60_000

export type ReportDeps = {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
  readonly records: Pick<PluginRecords, 'log' | 'count'>
}

export type DeliveryCategory = 'onEvent' | 'exportEvents'

/** Counts, logs and reports the deliveries of one config. */
export type DeliveryReport = {
  /** @param calls made for the events, of which the last one succeeded. */
  succeeded(events: number, calls: number): void
  failed(events: number, error: PluginError): void
  /** The events were not delivered. Logged once a minute. */
  dropped(events: number, why: string): void
}

export function createDeliveryReport(
  { clock, records }: ReportDeps,
  { definition, calls: listener }: LoadedPlugin,
  category: DeliveryCategory,
): DeliveryReport {
  const { projectId, step } = definition
  const waiting = new Map<string, number>()
  const count = (outcome: CallOutcome, events: number) => {
    records.count(step.configId, category, outcome, events)
  }
  const note = (events: number, why: string) => {
    const what = events === 1 ? '1 event was' : `${events} events were`
    const message = `${what} not handed to ${category}: ${why}`
    records.log({ projectId, step, source: 'SYSTEM', type: 'WARN', message })
    waiting.set(why, 0)
    clock.after(PLUGIN_DROP_NOTE_MS, () => {
      const more = waiting.get(why) ?? 0
      waiting.delete(why)
      if (more > 0) note(more, why)
    })
  }
  return {
    succeeded(events, calls) {
      count(calls === 1 ? 'success' : 'success_on_retry', events)
      listener.succeeded(category)
    },
    failed(events, error) {
      count('failure', events)
      const message = describeError(error)
      records.log({ projectId, step, source: 'PLUGIN', type: 'ERROR', message })
      listener.failed(category, error)
    },
    dropped(events, why) {
      count('failure', events)
      const before = waiting.get(why)
      if (before === undefined) note(events, why)
      else waiting.set(why, before + events)
    },
  }
}
