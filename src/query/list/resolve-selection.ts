/** Turns the parameters of a list into the selection of its statements. */
import type { ProjectId } from '../../core/ids.ts'
import {
  asksOfPerson,
  type FilterNode,
  patternsIn,
  withoutPatterns,
} from '../../events/trees/filter.ts'
import { findPersonId } from '../../store/events/event-find-store.ts'
import type { EventSelection } from '../../store/events/event-selection.ts'
import { acceptsPattern } from '../../store/pool/bounded-reads.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { microsOf } from '../bounds.ts'
import type { TimeBudget } from '../time-budget.ts'
import type { EventListQuery } from './event-list-query.ts'
import { splitPersons } from './person-filter.ts'

/** The same events, selected in two ways. */
export type ResolvedSelection = {
  /** For a walk through the events: every filter is in its `where`. */
  readonly walked: EventSelection
  /** For reading all events: filters on persons are apart, so that one read answers them. */
  readonly whole: EventSelection
}

/**
 * Undefined when nothing can match.
 * @throws {AppError} of the time budget.
 */
export async function resolveSelection(
  sql: Sql,
  project: ProjectId,
  query: EventListQuery,
  budget: TimeBudget,
): Promise<ResolvedSelection | undefined> {
  const { after, before, event, distinctId, person } = query
  const bounds = { before: microsOf(before), after: after === undefined ? after : microsOf(after) }
  if (bounds.after !== undefined && BigInt(bounds.after) >= BigInt(bounds.before)) return undefined
  if (person === 'none') return undefined
  const personId = person === undefined ? person : await findPersonId(sql, project, person)
  if (person !== undefined && personId === undefined) return undefined

  const filter = await readable(sql, query.filter, budget)
  const base = { project, ...bounds, event, distinctId, personId }
  const { passing, tolerant, rest } = splitPersons(filter)
  const asksPersons = passing !== undefined || tolerant !== undefined
  return {
    walked: { ...base, ...both(filter, query.where) },
    whole: {
      ...base,
      ...both(rest, query.where),
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

/** The filter, where patterns that Postgres refuses match nothing: one would end the whole query. */
export async function readable(
  sql: Sql,
  filter: FilterNode,
  budget: TimeBudget,
): Promise<FilterNode> {
  const refused = new Set<string>()
  for (const pattern of new Set(patternsIn(filter))) {
    if (!(await acceptsPattern(sql, pattern, 'of_postgres', budget.left()))) refused.add(pattern)
  }
  return withoutPatterns(filter, refused)
}
