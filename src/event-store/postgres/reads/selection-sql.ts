/** Statement parts for a selection of events: shared by all that read events. */
import type { ProjectId } from '../../../core/ids.ts'
import type { EventOrder } from '../../../events/ports.ts'
import { asksOfGroup } from '../../../events/trees/filter.ts'
import { textArray } from '../../../postgres/columns.ts'
import { type Fragment, fragment, join } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import { filterSql } from '../renderer/filter-sql.ts'
import { dayOf, instant } from '../renderer/instants.ts'

/** Each order is exactly the other reversed, so that one index serves both. */
export function orderOf(order: EventOrder, alias: Fragment): Fragment {
  return order === 'newest'
    ? fragment`${alias}.timestamp desc, ${alias}.uuid`
    : fragment`${alias}.timestamp, ${alias}.uuid desc`
}

/** Tables of statements that read every event of a selection: `e`, and `p` when it is needed. */
export function fromEvents({ needsPerson, project }: EventSelection): Fragment {
  return needsPerson ? fragment`from events e ${personOf(project)}` : fragment`from events e`
}

/**
 * Tables of statements that walk events in order until they have enough. The person is looked up
 * for one event after the other: `offset 0` leaves the planner no other way.
 */
export function fromWalkedEvents(selection: EventSelection, events?: Fragment): Fragment {
  const { needsPerson, project } = selection
  const source = fragment`from ${events ?? fragment`events`} e`
  if (!needsPerson) return source
  return fragment`${source} left join lateral (
    select p.* from distinct_ids d join persons p on p.id = d.person_id
    where d.project_id = ${String(project)}::integer and d.distinct_id = e.distinct_id offset 0
  ) p on true`
}

export function whereOf(selection: EventSelection): Fragment {
  return join([...reachedBy(selection), ...filtersOf(selection)], 'and')
}

/** Conditions of `fromWalkedEvents`. */
export function whereOfWalked(selection: EventSelection): Fragment {
  return join([...reachedBy(selection), ...walkedFiltersOf(selection)], 'and')
}

/**
 * Conditions on every event of a walk. The group is looked up for one event after the other: what
 * is within `coalesce` is no join, in which the planner may read all groups for each event.
 */
export function walkedFiltersOf(s: EventSelection): Fragment[] {
  const { where } = s
  if (where === undefined || !asksOfGroup(where)) return filtersOf(s)
  const test = fragment`coalesce(${filterSql(where, s.project)}, false)`
  return [...filtersOf({ ...s, where: undefined }), test]
}

/**
 * Conditions served by an index. Bounds on the day accompany those on the time, because partitions
 * are pruned by the day alone.
 */
export function reachedBy(s: EventSelection): Fragment[] {
  const project = fragment`${String(s.project)}::integer`
  const parts = [
    fragment`e.project_id = ${project}`,
    fragment`e.timestamp < ${instant(s.before)} and e.day <= ${dayOf(s.before)}`,
  ]
  if (s.after !== undefined) {
    parts.push(fragment`e.timestamp > ${instant(s.after)} and e.day >= ${dayOf(s.after)}`)
  }
  if (s.distinctId !== undefined) parts.push(fragment`e.distinct_id = ${s.distinctId}`)
  if (s.owners !== undefined) parts.push(fragment`e.distinct_id = any(${textArray(s.owners)})`)
  if (s.personId !== undefined) {
    parts.push(fragment`e.distinct_id in (select i.distinct_id from distinct_ids i
      where i.project_id = ${project} and i.person_id = ${s.personId}::bigint)`)
  }
  return parts
}

/** Conditions on every event that was reached. */
function filtersOf(s: EventSelection): Fragment[] {
  const parts: Fragment[] = []
  if (s.event !== undefined) parts.push(fragment`e.event = ${s.event}`)
  if (s.where !== undefined) parts.push(fragment`(${filterSql(s.where, s.project)})`)
  const { passing, tolerant } = s.persons ?? {}
  const ids = (test: Fragment, more: Fragment) => fragment`(
    select d.distinct_id from distinct_ids d join persons p on p.id = d.person_id
    where d.project_id = ${String(s.project)}::integer
      and p.project_id = ${String(s.project)}::integer and (${test}) ${more})`
  if (passing !== undefined) {
    const test = filterSql(passing, s.project)
    parts.push(fragment`e.distinct_id in ${ids(test, fragment``)}`)
  }
  if (tolerant !== undefined) {
    // A test of a missing property is null, which does not pass either.
    const test = fragment`not coalesce(${filterSql(tolerant, s.project)}, false)`
    parts.push(fragment`not exists ${ids(test, fragment`and d.distinct_id = e.distinct_id`)}`)
  }
  return parts
}

export function personOf(project: ProjectId): Fragment {
  return fragment`
    left join distinct_ids d
      on d.project_id = ${String(project)}::integer and d.distinct_id = e.distinct_id
    left join persons p on p.id = d.person_id`
}
