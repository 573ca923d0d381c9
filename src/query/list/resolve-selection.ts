/** Turns the parameters of a list into the selection of its statements. */
import type { ProjectId } from '../../core/ids.ts'
import { findPersonId } from '../../store/events/event-find-store.ts'
import type { EventSelection } from '../../store/events/event-selection.ts'
import { acceptsPattern } from '../../store/pool/bounded-reads.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { fragment } from '../../store/pool/fragment.ts'
import { microsOf } from '../bounds.ts'
import type { Condition } from '../condition.ts'
import type { TimeBudget } from '../time-budget.ts'
import type { EventListQuery } from './event-list-query.ts'
import { toCondition } from './filter-sql.ts'
import type { FilterNode } from './filters.ts'
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
  const { after, before, event, distinctId, person, filter } = query
  const bounds = { before: microsOf(before), after: after === undefined ? after : microsOf(after) }
  if (bounds.after !== undefined && BigInt(bounds.after) >= BigInt(bounds.before)) return undefined
  if (person === 'none') return undefined
  const personId = person === undefined ? person : await findPersonId(sql, project, person)
  if (person !== undefined && personId === undefined) return undefined

  const refused = await refusedPatterns(sql, project, filter, budget)
  const condition = (node: FilterNode | undefined) =>
    node === undefined || isEmpty(node) ? undefined : toCondition(node, project, refused)
  const base = { project, ...bounds, event, distinctId, personId }
  const { passing, tolerant, rest } = splitPersons(filter)
  const persons = {
    passing: condition(passing)?.where,
    // A test of a missing property is null, which does not pass either.
    failing:
      tolerant && fragment`not coalesce(${toCondition(tolerant, project, refused).where}, false)`,
  }
  const asksPersons = passing !== undefined || tolerant !== undefined
  return {
    walked: { ...base, ...both(condition(filter), query.where) },
    whole: {
      ...base,
      ...both(condition(rest), query.where),
      persons: asksPersons ? persons : undefined,
    },
  }
}

type Where = Pick<EventSelection, 'where' | 'needsPerson'>

function both(one: Condition | undefined, other: Condition | undefined): Where {
  const conditions = [one, other].filter((each) => each !== undefined)
  const [first, second] = conditions.map(({ where }) => where)
  return {
    where: second === undefined || first === undefined ? first : fragment`${first} and (${second})`,
    needsPerson: conditions.some(({ needsPerson }) => needsPerson),
  }
}

/** The condition of a filter, without the patterns that Postgres refuses. */
export async function conditionOf(
  sql: Sql,
  project: ProjectId,
  filter: FilterNode,
  budget: TimeBudget,
): Promise<Condition | undefined> {
  if (isEmpty(filter)) return undefined
  return toCondition(filter, project, await refusedPatterns(sql, project, filter, budget))
}

/** True when the filter restricts nothing. */
function isEmpty(filter: FilterNode): boolean {
  return filter.kind === 'and' && filter.nodes.length === 0
}

/** Asks Postgres about each pattern first: a refused pattern would end the whole query. */
async function refusedPatterns(
  sql: Sql,
  project: ProjectId,
  filter: FilterNode,
  budget: TimeBudget,
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  if (isEmpty(filter)) return refused
  for (const pattern of new Set(toCondition(filter, project).patterns)) {
    if (!(await acceptsPattern(sql, pattern, budget.left()))) refused.add(pattern)
  }
  return refused
}
