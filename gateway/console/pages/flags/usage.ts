/** Usage of flags by programs, for the list. */
import type { FlagUsageStatus } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'

/** By the id of the flag. */
export type Usages = ReadonlyMap<number, FlagUsageStatus>

export function usagesOf(results: readonly FlagUsageStatus[]): Usages {
  return new Map(results.map((each) => [each.id, each]))
}

/** Name of a status; the status itself when a newer server sent an unknown one. */
export function statusText({ status }: FlagUsageStatus): string {
  return STATUSES.get(status) ?? status
}

/** Reason of the status, and the number of calls. */
export function reasonText({ reason, count }: FlagUsageStatus): string {
  return count === 0 ? reason : `${reason} ${formatNumber(count)} ${TEXTS.callsReported}`
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['active', TEXTS.statusActive],
  ['off', TEXTS.statusOff],
  ['new', TEXTS.statusNew],
  ['stale', TEXTS.statusStale],
  ['unknown', TEXTS.statusUnknown],
])
