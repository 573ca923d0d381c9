/** Usage of flags, from `$feature_flag_called` events of libraries. */
import type { FlagUsage } from '../../../proto/gen/sluice/v1/FlagUsage.ts'
import type { FlagUsageStatus } from '../../../proto/gen/sluice/v1/FlagUsageStatus.ts'
import type { FlagUsageValue } from '../../../proto/gen/sluice/v1/FlagUsageValue.ts'
import type { ListFlagUsageResponse } from '../../../proto/gen/sluice/v1/ListFlagUsageResponse.ts'
import { found } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import { STALE_DAYS, usageStatus } from '../../flags/usage-status.ts'
import type { Db } from '../../postgres/db.ts'
import { countFlags } from '../../store/projects/flag-store.ts'
import {
  type DayOfCalls,
  type FlagCalls,
  hasFlagReports,
  listDaysOfCalls,
  listFlagCalls,
} from '../../store/projects/flag-usage-store.ts'
import type { Page } from '../../wire/page.ts'

const DAY_MS = 86_400_000

/** One page of flags with their calls of the last 30 days, newest first; deleted ones are hidden. */
export async function pageOfFlagUsage(
  db: Db,
  project: ProjectId,
  { limit, offset }: Page,
  nowMs: number,
): Promise<ListFlagUsageResponse> {
  const [count, flags, hasReports] = await Promise.all([
    countFlags(db, { project, words: [] }),
    listFlagCalls(db, project, { days: STALE_DAYS, limit, offset }),
    hasFlagReports(db, project),
  ])
  const results = flags.map((flag) => ({
    id: flag.id,
    key: flag.key,
    ...statusOf(flag, hasReports, nowMs),
  }))
  return { count, results }
}

/** The calls of one flag by day and value. */
export async function usageOfFlag(
  db: Db,
  project: ProjectId,
  { id, key }: { readonly id: number; readonly key: string },
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<FlagUsage> {
  const [flags, hasReports, rows] = await Promise.all([
    listFlagCalls(db, project, { days, only: id, limit: 1, offset: 0 }),
    hasFlagReports(db, project),
    listDaysOfCalls(db, project, key, days),
  ])
  const names = Array.from({ length: days }, (_, index) =>
    dayOf(nowMs - (days - 1 - index) * DAY_MS),
  )
  return {
    ...statusOf(found(flags[0]), hasReports, nowMs),
    days: names,
    values: valuesOf(rows, names),
  }
}

function statusOf(
  flag: FlagCalls,
  hasReports: boolean,
  nowMs: number,
): Pick<FlagUsageStatus, 'status' | 'reason' | 'count' | 'last_called_at'> {
  const { calledAtMs, count } = flag
  const facts = { ...flag, calledAtMs: calledAtMs ?? undefined, hasReports }
  const status = usageStatus(facts, nowMs)
  if (calledAtMs === null) return { ...status, count }
  return { ...status, count, last_called_at: new Date(calledAtMs).toISOString() }
}

/** The values with the most calls first. */
function valuesOf(rows: readonly DayOfCalls[], days: readonly string[]): FlagUsageValue[] {
  const places = new Map(days.map((day, index) => [day, index]))
  const values = new Map<string, { count: number; calledAtMs: number; data: number[] }>()
  for (const { day, value, count, calledAtMs } of rows) {
    const place = places.get(day)
    if (place === undefined) continue
    const known = values.get(value) ?? { count: 0, calledAtMs, data: days.map(() => 0) }
    known.count += count
    known.calledAtMs = Math.max(known.calledAtMs, calledAtMs)
    known.data[place] = count
    values.set(value, known)
  }
  return [...values]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([value, { count, calledAtMs, data }]) => ({
      ...(value === '' ? {} : { value }),
      count,
      data,
      last_called_at: new Date(calledAtMs).toISOString(),
    }))
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
