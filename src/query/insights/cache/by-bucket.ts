/** Counts bucket by bucket: reuses numbers of the same version, and counts the rest. */
import type { Json } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import { countsByDay, type DayCount, findCells } from '../../../store/answers/query-cache.ts'
import { FIRST_MATHS, type Series } from '../question.ts'
import type { InsightReader } from '../reader.ts'
import type { Grid } from '../time/grid.ts'
import { dayOf, versionOf } from './answer-cache.ts'

export type CachedBuckets = {
  readonly selection: EventSelection
  readonly event: string | null
  readonly hash: string
  /** True when the numbers depend on which person an event belongs to. */
  readonly hasActors: boolean
}

export type Counting<T> = {
  /** Counts some of the buckets; undefined when they cannot be held. */
  readonly count: (first: number, end: number) => Promise<readonly T[] | undefined>
  /** @param kept what JSON has made of a bucket. */
  readonly read: (kept: Json) => T
}

/**
 * Reads cached numbers, and counts and caches the rest. Undefined when there are too many to hold.
 */
export async function byBucket<T>(
  reader: InsightReader,
  { selection, event, hash, hasActors }: CachedBuckets,
  cells: readonly Cell[],
  { count, read }: Counting<T>,
): Promise<readonly T[] | undefined> {
  const { cells: memory } = reader
  if (memory === undefined) return await count(0, cells.length)
  const { project } = selection
  const counts = await reader.timed(selection, () =>
    countsByDay(reader.db, project, event, daysOf(cells)),
  )
  const versions = cells.map(({ reads }) =>
    versionOf(String(sumOf(counts, reads)), memory.changes, hasActors),
  )
  const found = memory.usesCache
    ? await reader.timed(selection, () => findCells(reader.db, project, hash, cells))
    : []
  const byStart = new Map(found.map((cell) => [cell.fromMs, cell]))
  const numbers = cells.map(({ fromMs }, index): T | undefined => {
    const cell = byStart.get(fromMs)
    return cell && cell.version === versions[index] ? read(parseJson(cell.value)) : undefined
  })
  for (const [first, end] of missing(numbers)) {
    const counted = await count(first, end)
    if (counted === undefined) return undefined
    for (const [place, value] of counted.entries()) {
      const index = first + place
      numbers[index] = value
      const { fromMs, untilMs, isPassing } = cells[index] ?? NO_CELL
      if (isPassing) continue
      memory.toKeep.push({
        hash,
        fromMs,
        untilMs,
        version: versions[index] ?? '',
        value: JSON.stringify(value),
        countedAt: reader.nowMs,
        holdsUntil: undefined,
      })
    }
  }
  return numbers.flatMap((value) => (value === undefined ? [] : [value]))
}

export type Cell = {
  readonly fromMs: number
  readonly untilMs: number
  /** The bucket ends at a moving moment, so no later question asks for it. */
  readonly isPassing: boolean
  /** Days of UTC that its number reads. */
  readonly reads: { readonly first: number | undefined; readonly last: number }
}

const NO_CELL = { fromMs: 0, untilMs: 0, isPassing: true }
const ROLLING_DAYS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 }

type WithMaths = { readonly series: Pick<Series, 'maths'> }

export function cellsOf(
  { series: { maths } }: WithMaths,
  { starts, range, isCut = false }: Grid,
): readonly Cell[] {
  const rolling = ROLLING_DAYS[maths.kind]
  return starts.map((start, index) => {
    const fromMs = index === 0 ? range.fromMs : start
    const untilMs = starts[index + 1] ?? range.untilMs
    // Local days have up to 25 hours, and the last of them may have ended before the bucket.
    const first = rolling === undefined ? fromMs : untilMs - (rolling + 2) * DAY_MS
    const isFirst = FIRST_MATHS.includes(maths.kind)
    const reads = { first: isFirst ? undefined : dayOf(first), last: dayOf(untilMs - 1) }
    return { fromMs, untilMs, isPassing: isCut && index === starts.length - 1, reads }
  })
}

export function daysOf(cells: readonly Cell[]) {
  const first = cells[0]?.reads
  const last = cells.at(-1)?.reads
  return { first: first?.first, last: last?.last ?? 0 }
}

export function sumOf(
  counts: readonly DayCount[],
  { first = -Infinity, last }: Cell['reads'],
): number {
  let sum = 0
  for (const { day, count } of counts) if (day >= first && day <= last) sum += count
  return sum
}

/** Runs of what is undefined, as the first place and the one after the last. */
function missing(items: readonly unknown[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const [index, item] of items.entries()) {
    const run = runs.at(-1)
    if (item !== undefined) continue
    if (run !== undefined && run[1] === index) run[1] = index + 1
    else runs.push([index, index + 1])
  }
  const first = runs[0]
  const last = runs.at(-1)
  // Each run is a statement: from some on, one that counts all between them is less work.
  return runs.length > RUNS_MAX && first && last ? [[first[0], last[1]]] : runs
}

const RUNS_MAX = 4

export function partOf(grid: Grid, cells: readonly Cell[], first: number, end: number): Grid {
  const range = {
    fromMs: cells[first]?.fromMs ?? grid.range.fromMs,
    untilMs: cells[end - 1]?.untilMs ?? grid.range.untilMs,
  }
  return { ...grid, starts: grid.starts.slice(first, end), range }
}
