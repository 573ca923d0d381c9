/** Answers how often actors are active, and when they start and stop. */
import type { ProjectId } from '../../../core/ids.ts'
import { type ActorText, pairsOf } from '../../../event-store/actor-text.ts'
import type { ActorsRead } from '../../../event-store/insight-events.ts'
import { type LifecycleQuestion, type Series, STATUSES, type Status } from '../question.ts'
import { everyEvent, type InsightReader, type Selected, until, within } from '../reader.ts'
import { bucketText, dayText, type Grid, incompleteFrom, labelText, startOf } from '../time/grid.ts'
import { inTurns } from '../turns.ts'

export type ActivityRow = Readonly<Record<string, unknown>>

/** Counts actors by the number of intervals in which they were active: one row per series. */
export async function askStickiness(
  reader: InsightReader,
  project: ProjectId,
  series: readonly Series[],
  selected: readonly Selected[],
  grid: Grid,
): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = []
  const of = grid.interval
  const lengths = grid.starts.map((_, index) => index + 1)
  for (const [order, one] of series.entries()) {
    const actors = await readStickiness(reader, project, selected[order], grid, UNNAMED)
    const data = lengths.map(() => 0)
    await inTurns(actors, (actor) => {
      const length = lengthOf(actor)
      data[length - 1] = (data[length - 1] ?? 0) + (actor.actors ?? 1)
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

/** The buckets of each actor that was active in the range. */
export async function readStickiness(
  reader: InsightReader,
  project: ProjectId,
  selected: Selected | undefined,
  grid: Grid,
  named: ActorsRead,
): Promise<readonly ActorText[]> {
  const edges = [grid.range.fromMs, ...grid.starts.slice(1), grid.range.untilMs]
  return await read(reader, within(everyEvent(project), grid.range), selected, edges, named)
}

/** Number of buckets in which the actor was active. */
export function lengthOf(actor: ActorText): number {
  return pairsOf(actor).length
}

const UNNAMED: ActorsRead = { isNamed: false }
/** Counts new, returning, resurrecting and dormant actors by interval. */
export async function askLifecycle(
  reader: InsightReader,
  project: ProjectId,
  { series: [only] }: LifecycleQuestion,
  selected: readonly Selected[],
  grid: Grid,
): Promise<readonly ActivityRow[]> {
  if (only === undefined || grid.starts.length === 0) return []
  const actors = await readLifecycle(reader, project, selected[0], grid, UNNAMED)
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

/** The buckets of each actor that was ever active: see `statusesOf`. */
export async function readLifecycle(
  reader: InsightReader,
  project: ProjectId,
  selected: Selected | undefined,
  { starts, interval, zone, range }: Grid,
  named: ActorsRead,
): Promise<readonly ActorText[]> {
  const first = startOf((starts[0] ?? 0) - 1, interval, zone)
  const edges = [first, ...starts, range.untilMs]
  return await read(reader, until(everyEvent(project), range.untilMs), selected, edges, named)
}

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
  await inTurns(actors, (actor) => {
    for (const { place, status } of statusesOf(actor)) {
      const of = counts[place]
      if (of !== undefined) of[status] += actor.actors ?? 1
    }
  })
  return counts
}

/**
 * Statuses of an actor by place of an interval in the grid; some places may be outside of the grid.
 * The interval before the first one has the bucket 1, earlier ones have 0.
 */
export function statusesOf(actor: ActorText): { place: number; status: Status }[] {
  const buckets = pairsOf(actor).map(([bucket]) => bucket)
  return buckets.flatMap((bucket, index) => {
    const isNext = bucket > 1 && buckets[index - 1] === bucket - 1
    const active = index === 0 ? 'new' : isNext ? 'returning' : 'resurrecting'
    const isGone = bucket > 0 && buckets[index + 1] !== bucket + 1
    const own = { place: bucket - 2, status: active as Status }
    return isGone ? [own, { place: bucket - 1, status: 'dormant' as const }] : [own]
  })
}

async function read(
  reader: InsightReader,
  selection: ReturnType<typeof everyEvent>,
  selected: Selected | undefined,
  edges: readonly number[],
  named: ActorsRead,
): Promise<readonly ActorText[]> {
  const roles = selected === undefined ? [] : [selected.role]
  return await reader.events.bucketsByActor(selection, roles, edges, named)
}

function wordsOf({ event, name, customName }: Series, order: number): ActivityRow {
  const shown = name ?? event ?? 'All events'
  const action = { id: event, type: 'events', order, name: shown, custom_name: customName ?? null }
  return { label: customName ?? shown, action }
}
