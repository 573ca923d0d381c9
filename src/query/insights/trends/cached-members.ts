/**
 * Numbers of different actors or sessions, of each bucket and of all together, from one pass. Such
 * numbers cannot be added, so the members themselves are kept, as long as there are not too many.
 */
import { isList, type Json } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import type { MemberKind, PassRow } from '../../../event-store/insight-events.ts'
import { firstPersonsOf } from '../../../event-store/postgres/persons/shown-persons-store.ts'
import { byBucket, cellsOf, partOf } from '../cache/by-bucket.ts'
import type { Maths, Series, TrendsQuestion } from '../question.ts'
import { hashOf } from '../question-key.ts'
import { type InsightReader, within } from '../reader.ts'
import type { Grid } from '../time/grid.ts'
import type { Counted } from './count-series.ts'

/** Actors or sessions of all buckets that are listed by name; above it only their numbers are. */
const INSIGHT_MEMBERS_LISTED_MAX = 100_000

type Asked = {
  readonly question: TrendsQuestion
  readonly series: Series
  readonly selection: EventSelection
  readonly kind: MemberKind
}

export type MemberCounts = {
  /** Numbers by bucket. */
  readonly counted: Counted
  /** Numbers of the whole range as one bucket. */
  readonly whole: Counted
}

/** Kind of member that the series counts; undefined when it counts something else. */
export function membersOf({ kind }: Maths): MemberKind | undefined {
  if (kind === 'dau') return 'actors'
  return kind === 'unique_session' ? 'sessions' : undefined
}

/** Counts the members of a series without a breakdown. */
export async function countCachedMembers(
  reader: InsightReader,
  { question, series, selection, kind }: Asked,
  grid: Grid,
): Promise<MemberCounts> {
  if (grid.starts.length === 0) return { counted: new Map(), whole: new Map() }
  const cells = cellsOf({ series }, grid)
  const count = async (of: Grid, listedMax: number) =>
    await reader.passes.count(within(selection, of.range), {
      kind: 'members',
      of: kind,
      edges: edgesOf(of),
      listedMax,
    })
  if (reader.cells === undefined) return countsOf(await count(grid, 0), grid)
  const filters = [question.filter, series.filter]
  const hash = hashOf('members', question.zone.name, series.event, filters, kind)
  const kept = { selection, event: series.event, hash, hasActors: kind === 'actors' }
  // Set once the whole grid has been counted in one pass.
  let known: MemberCounts | undefined
  const members = await byBucket<readonly string[]>(reader, kept, cells, {
    async count(first, end) {
      const part = partOf(grid, cells, first, end)
      const rows = await count(part, INSIGHT_MEMBERS_LISTED_MAX)
      if (end - first === cells.length) known = countsOf(rows, grid)
      return listsOf(rows, part)
    },
    read: textsIn,
  })
  if (known !== undefined) return known
  if (members === undefined) return countsOf(await count(grid, 0), grid)
  const numbers = members.map((list) => list.length)
  const different = await differentIn(reader, selection, members)
  return { counted: new Map([['', numbers]]), whole: new Map([['', [different]]]) }
}

function edgesOf({ starts, range }: Grid): readonly number[] {
  return [range.fromMs, ...starts.slice(1), range.untilMs]
}

function countsOf(rows: readonly PassRow[], { starts }: Grid): MemberCounts {
  const numbers = starts.map(() => 0)
  let all = 0
  for (const { bucket, number } of rows) {
    if (bucket === null) all = number
    else numbers[bucket] = number
  }
  return { counted: new Map([['', numbers]]), whole: new Map([['', [all]]]) }
}

/** Undefined when there are too many. */
function listsOf(
  rows: readonly PassRow[],
  { starts }: Grid,
): readonly (readonly string[])[] | undefined {
  const lists = starts.map((): readonly string[] => [])
  for (const { bucket, value } of rows) {
    if (bucket === null) continue
    if (value === null) return undefined
    lists[bucket] = textsIn(parseJson(value))
  }
  return lists
}

function textsIn(list: Json): readonly string[] {
  return isList(list) ? list.filter((item) => typeof item === 'string') : []
}

/**
 * A list may have been cached when an actor had no person yet. Getting its first person has changed
 * its name since, but no number of a bucket.
 */
async function differentIn(
  reader: InsightReader,
  selection: EventSelection,
  lists: readonly (readonly string[])[],
): Promise<number> {
  const all = new Set(lists.flat())
  const lone = [...all].filter((member) => member.startsWith(LONE))
  const ids = lone.map((member) => member.slice(LONE.length))
  const persons = await reader.timed(selection, () =>
    firstPersonsOf(reader.db, selection.project, ids),
  )
  for (const [id, person] of persons) {
    all.delete(`${LONE}${id}`)
    all.add(`p${person}`)
  }
  return all.size
}

/** Prefix of the distinct id of an actor without a person; names of sessions begin otherwise. */
const LONE = 'd'
