/** Answers a retention question. */
import type { ProjectId } from '../../../core/ids.ts'
import {
  type ActorText,
  bucketsByActor,
  pairsOf,
} from '../../../store/insights/actor-event-store.ts'
import { PERIODS, type RetentionQuestion } from '../question.ts'
import { everyEvent, type InsightReader, type Selected, until, within } from '../reader.ts'
import { bucketText, type Grid, gridOf } from '../time/grid.ts'
import { inTurns } from '../turns.ts'

export type RetentionRow = {
  /** The start of the row's interval. */
  readonly date: string
  readonly label: string
  readonly values: readonly { readonly count: number; readonly complete: boolean }[]
}

const TARGET = 1
const RETURNING = 2
/** Longer than any interval, so that a grid of so many has them all. */
const LONGEST_MS = { hour: 3_600_000, day: 90_000_000, week: 608_400_000, month: 2_682_000_000 }

/** @param selected the target event, then the returning one. */
export async function askRetention(
  reader: InsightReader,
  project: ProjectId,
  question: RetentionQuestion,
  selected: readonly Selected[],
  fromMs: number,
): Promise<readonly RetentionRow[]> {
  const grid = gridOfIntervals(question, fromMs)
  const edges = [...grid.starts.slice(0, question.intervals + 1)]
  const range = { fromMs: edges[0] ?? fromMs, untilMs: edges.at(-1) ?? fromMs }
  const every = everyEvent(project)
  const read = question.isFirstTime ? until(every, range.untilMs) : within(every, range)
  const roles = selected.map(({ role }) => role)
  const actors = await reader.timed(read, () => bucketsByActor(reader.db, read, roles, edges))
  const counts = await countReturns(actors, question)
  return counts.map((row, index) => ({
    date: bucketText(grid, edges[index] ?? 0),
    label: `${question.period} ${index}`,
    values: row
      .map((count, later) => ({ count, complete: (edges[index + later + 1] ?? 0) <= reader.nowMs }))
      .filter((_, later) => (edges[index + later] ?? 0) <= reader.nowMs),
  }))
}

/** One start more than there are intervals: it is the end of the last. */
function gridOfIntervals({ period, intervals, zone }: RetentionQuestion, fromMs: number): Grid {
  const interval = PERIODS[period]
  const untilMs = fromMs + (intervals + 2) * LONGEST_MS[interval]
  const grid = gridOf({ fromMs, untilMs }, interval, zone, Infinity)
  // Without a bound on the number of buckets there is a grid.
  return grid ?? { interval, zone, range: { fromMs, untilMs }, starts: [] }
}

/** By row, by intervals later. */
async function countReturns(
  actors: readonly ActorText[],
  { intervals, isFirstTime, isCumulative }: RetentionQuestion,
): Promise<number[][]> {
  const counts = Array.from({ length: intervals }, (_, row) =>
    new Array<number>(intervals - row).fill(0),
  )
  const raise = (row: number, later: number) => {
    const of = counts[row]
    if (of !== undefined) of[later] = (of[later] ?? 0) + 1
  }
  await inTurns(actors, (actor) => {
    const pairs = pairsOf(actor)
    const returning = pairs.filter(([, mask]) => (mask & RETURNING) !== 0)
    const returns = new Set(returning.map(([bucket]) => bucket))
    const targets = pairs.filter(([, mask]) => (mask & TARGET) !== 0)
    const last = Math.max(...returns)
    for (const [bucket] of isFirstTime ? targets.slice(0, 1) : targets) {
      const row = bucket - 1
      if (row < 0 || row >= intervals) continue
      raise(row, 0)
      for (let later = 1; row + later < intervals; later++) {
        const came = isCumulative ? last >= bucket + later : returns.has(bucket + later)
        if (came) raise(row, later)
      }
    }
  })
  return counts
}
