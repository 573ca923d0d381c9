import type { Clock } from '../core/clock.ts'
import { PLUGIN_DROP_NOTE_MS } from '../core/limits-plugins.ts'
import type { Log } from '../core/log.ts'
import type { CallOutcome, LoadedPlugin, PluginError, PluginRecords } from './ports.ts'
import { describeError } from './step-reports.ts'

export type ReportDeps = {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
  readonly records: Pick<PluginRecords, 'log' | 'count'>
  /** Told of calls that failed for good, and of those that did not: of each once. */
  readonly onFailure?: (loaded: LoadedPlugin, error: PluginError) => void
  readonly onSuccess?: (loaded: LoadedPlugin) => void
}

export type DeliveryCategory = 'onEvent' | 'exportEvents'

/** What became of the events of one config: counted, logged, and told to whoever listens. */
export type DeliveryReport = {
  /** @param calls made for the events, the last of which was well. */
  succeeded(events: number, calls: number): void
  failed(events: number, error: PluginError): void
  /** No call was made, or none will be made any more. Logged once in a minute. */
  dropped(events: number, why: string): void
}

export function createDeliveryReport(
  { clock, log, records, onFailure, onSuccess }: ReportDeps,
  loaded: LoadedPlugin,
  category: DeliveryCategory,
): DeliveryReport {
  const { projectId, step } = loaded.definition
  const waiting = new Map<string, number>()
  const count = (outcome: CallOutcome, events: number) => {
    records.count(step.configId, category, outcome, events)
  }
  const tell = (listen: () => void) => {
    try {
      listen()
    } catch (error) {
      log.error('a listener of plugin calls failed', { configId: step.configId, error })
    }
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
      tell(() => onSuccess?.(loaded))
    },
    failed(events, error) {
      count('failure', events)
      const message = describeError(error)
      records.log({ projectId, step, source: 'PLUGIN', type: 'ERROR', message })
      tell(() => onFailure?.(loaded, error))
    },
    dropped(events, why) {
      count('failure', events)
      const before = waiting.get(why)
      if (before === undefined) note(events, why)
      else waiting.set(why, before + events)
    },
  }
}
