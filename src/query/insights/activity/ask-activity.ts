/** Answers how often actors are active, and how they come and go. */
import type { ProjectId } from '../../../core/ids.ts'
import {
  type ActorText,
  bucketsByActor,
  pairsOf,
} from '../../../store/insights/actor-event-store.ts'
import type { LifecycleQuestion, Series } from '../question.ts'
import { everyEvent, type InsightReader, type Selected, until, within } from '../reader.ts'
import { bucketText, dayText, type Grid, incompleteFrom, labelText, startOf } from '../time/grid.ts'
import { inTurns } from '../turns.ts'

export type ActivityRow = Readonly<Record<string, unknown>>

/** On how many intervals of the range each actor was active: one row a series. */
export async function askStickiness(
  reader: InsightReader,
  project: ProjectId,
  series: readonly Series[],
  selected: readonly Selected[],
  grid: Grid,
): Promise<readonly ActivityRow[]> {
  const edges = [grid.range.fromMs, ...grid.starts.slice(1), grid.range.untilMs]
  const rows: ActivityRow[] = []
  const [of, lengths] = [grid.interval, grid.starts.map((_, index) => index + 1)]
  for (const [order, one] of series.entries()) {
    const actors = await read(
      reader,
      within(everyEvent(project), grid.range),
      selected[order],
      edges,
    )
    const data = lengths.map(() => 0)
    await inTurns(actors, (actor) => {
      const length = pairsOf(actor).length
      data[length - 1] = (data[length - 1] ?? 0) + 1
    })
    rows.push({
      ...wordsOf(one, order),
      count: data.reduce((sum, number) => sum + number, 0),
      data,
      days: lengths,
      labels: lengths.map((length) => `${length} ${of}${length === 1 ? '' : 's'}`),
    })
  }
  return rows
}

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const
type Status = (typeof STATUSES)[number]

/** Who is new, came back, came back after a pause, and stayed away: by interval. */
export async function askLifecycle(
  reader: InsightReader,
  project: ProjectId,
  { series: [only], interval, zone }: LifecycleQuestion,
  selected: readonly Selected[],
  grid: Grid,
): Promise<readonly ActivityRow[]> {
  if (only === undefined || grid.starts.length === 0) return []
  const first = startOf((grid.starts[0] ?? 0) - 1, interval, zone)
  const edges = [first, ...grid.starts, grid.range.untilMs]
  const actors = await read(
    reader,
    until(everyEvent(project), grid.range.untilMs),
    selected[0],
    edges,
  )
  const counts = await countStatuses(actors, grid.starts.length)
  return STATUSES.map((status) => {
    const data = counts.map((of) => (status === 'dormant' ? 0 - of[status] : of[status]))
    return {
      ...wordsOf(only, 0),
      status,
      count: data.reduce((sum, number) => sum + number, 0),
      data,
      days: grid.starts.map((start) => dayText(grid, start)),
      labels: grid.starts.map((start) => labelText(grid, start)),
      buckets: grid.starts.map((start) => bucketText(grid, start)),
      incomplete_from: incompleteFrom(grid, reader.nowMs),
    }
  })
}

/** The interval before the first has the bucket 1; what was earlier has 0. */
async function countStatuses(
  actors: readonly ActorText[],
  length: number,
): Promise<readonly Record<Status, number>[]> {
  const counts = Array.from({ length }, () => ({
    new: 0,
    returning: 0,
    resurrecting: 0,
    dormant: 0,
  }))
  const raise = (bucket: number, status: Status) => {
    const of = counts[bucket - 2]
    if (of !== undefined) of[status] += 1
  }
  await inTurns(actors, (actor) => {
    const buckets = pairsOf(actor).map(([bucket]) => bucket)
    for (const [index, bucket] of buckets.entries()) {
      const isNext = bucket > 1 && buckets[index - 1] === bucket - 1
      raise(bucket, index === 0 ? 'new' : isNext ? 'returning' : 'resurrecting')
      if (bucket > 0 && buckets[index + 1] !== bucket + 1) raise(bucket + 1, 'dormant')
    }
  })
  return counts
}

async function read(
  reader: InsightReader,
  selection: ReturnType<typeof everyEvent>,
  selected: Selected | undefined,
  edges: readonly number[],
): Promise<readonly ActorText[]> {
  const roles = selected === undefined ? [] : [selected.role]
  return await reader.timed(selection, () => bucketsByActor(reader.db, selection, roles, edges))
}

function wordsOf({ event, name, customName }: Series, order: number): ActivityRow {
  const shown = name ?? event ?? 'All events'
  const action = { id: event, type: 'events', order, name: shown, custom_name: customName ?? null }
  return { label: customName ?? shown, action }
}
