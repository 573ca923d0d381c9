/** Whether programs still ask for a flag: what their libraries report as `$feature_flag_called`. */
import type { FeatureFlag } from '../../../client/index.ts'
import { formatNumber } from '../../data/format.ts'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'

/** A flag that nobody has asked for in so many days is stale. */
const STALE_DAYS = 30
const STALE_MS = STALE_DAYS * 86_400_000
/** As many as the list of flags has. */
const ROWS_MAX = 1000

export type Usage = {
  /** ISO 8601. */
  readonly last: string
  /** Reports in the last `STALE_DAYS`. */
  readonly count: number
}

/** By the key of the flag. Empty: no library has reported anything. */
export type Usages = ReadonlyMap<string, Usage>

/** One row for each key that was called, the newest call first. */
export const USAGES_QUERY = {
  kind: 'EventsQuery',
  select: ["properties['$feature_flag']", 'max(timestamp)', 'count()'],
  event: '$feature_flag_called',
  after: `-${STALE_DAYS}d`,
  orderBy: ['-max(timestamp)'],
  limit: ROWS_MAX,
}

export type UsageRow = readonly [key: string, last: string, count: number]

export function usagesOf(rows: readonly UsageRow[]): Usages {
  return new Map(rows.map(([key, last, count]) => [key, { last, count }]))
}

export type FlagStatus = {
  readonly name: 'active' | 'stale' | 'off' | 'new' | 'unknown'
  readonly text: string
  readonly reason: string
}

/**
 * @param usages undefined: not known.
 * @param nowMs milliseconds since the epoch.
 */
export function statusOf(
  { key, active, created_at: createdAt }: Pick<FeatureFlag, 'key' | 'active' | 'created_at'>,
  usages: Usages | undefined,
  nowMs: number,
): FlagStatus {
  const usage = usages?.get(key)
  const calls = usage === undefined ? '' : `${formatNumber(usage.count)} ${TEXTS.callsReported}`
  if (!active) return { name: 'off', text: TEXTS.statusOff, reason: calls || TEXTS.whyOff }
  if (usages === undefined) return { name: 'unknown', text: '', reason: '' }
  if (usage !== undefined) return { name: 'active', text: TEXTS.statusActive, reason: calls }
  // Without a single report nothing tells a flag that is in use from one that is not.
  if (usages.size === 0) {
    return { name: 'unknown', text: TEXTS.statusUnknown, reason: TEXTS.whyUnknown }
  }
  const isNew = nowMs - Date.parse(createdAt) < STALE_MS
  return isNew
    ? { name: 'new', text: TEXTS.statusNew, reason: TEXTS.whyNew }
    : { name: 'stale', text: TEXTS.statusStale, reason: TEXTS.whyStale }
}
