/** Answers a retention question. */
import type { ProjectId } from '../../../core/ids.ts'
import { type ActorText, pairsOf } from '../../../event-store/actor-text.ts'
import type { ActorsRead } from '../../../event-store/insight-events.ts'
import { PERIODS, type RetentionQuestion } from '../question.ts'
import { everyEvent, type InsightReader, type Selected, until, within } from '../reader.ts'
import { bucketText, type Grid, gridOf, type Range } from '../time/grid.ts'
import { inTurns } from '../turns.ts'

export type RetentionRow = {
  /** The start of the row's interval. */
  readonly date: string
  readonly label: string
  readonly values: readonly { readonly count: number; readonly complete: boolean }[]
}

export type RetentionAnswer = {
  readonly rows: readonly RetentionRow[]
  /** The range that was read: the intervals whole. */
  readonly range: Range
}

const TARGET = 1
const RETURNING = 2
/** Upper bounds of intervals, so that a grid of that length contains all of them. */
const LONGEST_MS = { hour: 3_600_000, day: 90_000_000, week: 608_400_000, month: 2_682_000_000 }

/** @param selected the target event, then the returning one. */
export async function askRetention(
  reader: InsightReader,
  project: ProjectId,
  question: RetentionQuestion,
  selected: readonly Selected[],
  asked: Range,
): Promise<RetentionAnswer> {
  const { grid, edges } = gridOfIntervals(question, asked)
  const actors = await readRetention(reader, project, question, selected, edges, {
    isNamed: false,
  })
  const counts = await countReturns(actors, { ...question, intervals: edges.length - 1 })
  const rows = counts.map((row, index) => ({
    date: bucketText(grid, edges[index] ?? 0),
    label: `${question.period} ${index}`,
    values: row
      .map((count, later) => ({ count, complete: (edges[index + later + 1] ?? 0) <= reader.nowMs }))
      .filter((_, later) => hasBegun(edges, index + later, reader.nowMs)),
  }))
  return { rows, range: rangeOfEdges(edges) }
}

/** Values of intervals that have not begun are not in the answer. */
export function hasBegun(edges: readonly number[], interval: number, nowMs: number): boolean {
  return (edges[interval] ?? 0) <= nowMs
}

/**
 * The intervals of each actor with the target or the returning event: see `visitReturns`.
 * @param selected the target event, then the returning one.
 * @param edges of the intervals: the last one is the end.
 */
export async function readRetention(
  reader: InsightReader,
  project: ProjectId,
  { isFirstTime, groups }: RetentionQuestion,
  selected: readonly Selected[],
  edges: readonly number[],
  named: ActorsRead,
): Promise<readonly ActorText[]> {
  const range = rangeOfEdges(edges)
  const every = everyEvent(project)
  const read = isFirstTime ? until(every, range.untilMs) : within(every, range)
  const roles = selected.map(({ role }) => role)
  return await reader.events.bucketsByActor(read, roles, edges, { ...named, groups })
}

function rangeOfEdges(edges: readonly number[]): Range {
  return { fromMs: edges[0] ?? 0, untilMs: edges.at(-1) ?? 0 }
}

/**
 * The intervals that begin within the range, whole: the first is the one in which it begins, the
 * last the one in which it ends, if there are not enough of them before.
 */
export function gridOfIntervals(
  { period, intervals, zone }: RetentionQuestion,
  { fromMs, untilMs: endMs }: Range,
): { readonly grid: Grid; readonly edges: readonly number[] } {
  const interval = PERIODS[period]
  const untilMs = fromMs + (intervals + 2) * LONGEST_MS[interval]
  // Without a bound on the number of buckets there is a grid.
  const made = gridOf({ fromMs, untilMs }, interval, zone, Infinity)
  const grid = made ?? { interval, zone, range: { fromMs, untilMs }, starts: [] }
  const begun = grid.starts.filter((start, nth) => nth === 0 || start < endMs).length
  return { grid, edges: grid.starts.slice(0, Math.min(begun, intervals) + 1) }
}

/** Counts by row, then by number of intervals later. */
async function countReturns(
  actors: readonly ActorText[],
  question: RetentionQuestion,
): Promise<number[][]> {
  const { intervals } = question
  const counts = Array.from({ length: intervals }, (_, row) =>
    new Array<number>(intervals - row).fill(0),
  )
  await inTurns(actors, (actor) =>
    visitReturns(actor, question, (row, later) => {
      const of = counts[row]
      if (of !== undefined) of[later] = (of[later] ?? 0) + (actor.actors ?? 1)
    }),
  )
  return counts
}

/** Calls `visit` for each value that an actor counts in: its row, and intervals later. */
export function visitReturns(
  actor: ActorText,
  { intervals, isFirstTime, isCumulative }: RetentionQuestion,
  visit: (row: number, later: number) => void,
): void {
  const pairs = pairsOf(actor)
  const returning = pairs.filter(([, mask]) => (mask & RETURNING) !== 0)
  const returns = new Set(returning.map(([bucket]) => bucket))
  const targets = pairs.filter(([, mask]) => (mask & TARGET) !== 0)
  const last = Math.max(...returns)
  for (const [bucket] of isFirstTime ? targets.slice(0, 1) : targets) {
    const row = bucket - 1
    if (row < 0 || row >= intervals) continue
    visit(row, 0)
    for (let later = 1; row + later < intervals; later++) {
      const came = isCumulative ? last >= bucket + later : returns.has(bucket + later)
      if (came) visit(row, later)
    }
  }
}
