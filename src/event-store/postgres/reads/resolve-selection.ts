/** Turns what is asked of events into the selections of statements. */
import type { EventsAsked, TimeLeft } from '../../../events/ports.ts'
import {
  asksOfPerson,
  type FilterNode,
  patternsIn,
  withoutPatterns,
} from '../../../events/trees/filter.ts'
import { splitPersons } from '../../../events/trees/person-filter.ts'
import { acceptsPattern } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { EventSelection } from '../../event-selection.ts'
import { findPersonId } from './event-find-store.ts'

/** The same events, selected in two ways. */
export type ResolvedSelection = {
  /** Selection for a walk through the events: every filter is in its `where`. */
  readonly walked: EventSelection
  /**
   * Selection for reading all events: filters on persons are separate, so one read answers them.
   */
  readonly whole: EventSelection
}

/**
 * Undefined when nothing can match.
 * @throws {AppError} when the time is over.
 */
export async function resolveSelection(
  sql: Sql,
  asked: EventsAsked,
  time: TimeLeft,
): Promise<ResolvedSelection | undefined> {
  const { project, after, before, event, distinctId, person } = asked
  if (after !== undefined && BigInt(after) >= BigInt(before)) return undefined
  if (person === 'none') return undefined
  const personId = person === undefined ? person : await findPersonId(sql, project, person)
  if (person !== undefined && personId === undefined) return undefined

  const filter = await readable(sql, asked.filter, time)
  const base = { project, before, after, event, distinctId, personId }
  const { passing, tolerant, rest } = splitPersons(filter)
  const asksPersons = passing !== undefined || tolerant !== undefined
  return {
    walked: { ...base, ...both(filter, asked.where) },
    whole: {
      ...base,
      ...both(rest, asked.where),
      persons: asksPersons ? { passing, tolerant } : undefined,
    },
  }
}

type Where = Pick<EventSelection, 'where' | 'needsPerson'>

function both(one: FilterNode | undefined, other: FilterNode | undefined): Where {
  const nodes = [one, other].filter((each) => each !== undefined).filter((each) => !isEmpty(each))
  const [first, second] = nodes
  const where = second === undefined ? first : ({ kind: 'and', nodes } as const)
  return { where, needsPerson: where !== undefined && asksOfPerson(where) }
}

/** True when the filter restricts nothing. */
function isEmpty(filter: FilterNode): boolean {
  return filter.kind === 'and' && filter.nodes.length === 0
}

/** Makes patterns that Postgres refuses match nothing: one would fail the whole query. */
export async function readable(sql: Sql, filter: FilterNode, time: TimeLeft): Promise<FilterNode> {
  const refused = new Set<string>()
  for (const pattern of new Set(patternsIn(filter))) {
    if (!(await acceptsPattern(sql, pattern, 'of_re2', time.left()))) refused.add(pattern)
  }
  return withoutPatterns(filter, refused)
}
