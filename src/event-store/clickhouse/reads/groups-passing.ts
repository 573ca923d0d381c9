/**
 * Conditions on groups, which are in Postgres: the keys of those that pass become a condition in
 * ClickHouse.
 */

import { ColumnError } from '../../../clickhouse/column-error.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { filterSql } from '../../postgres/renderer/filter-sql.ts'
import { nestedText } from '../renderer/json-member.ts'

/** Bytes of group keys in a query. */
const COLUMN_GROUPS_BYTES_MAX = 4_000_000

/** Runs a statement on Postgres within the time of the question. */
export type AskPostgres = <Row extends object>(statement: Fragment) => Promise<Row[]>

type OfGroups = Extract<FilterNode, { kind: 'group' }>

/** Events of the groups that pass: a condition over `e`. The test of a group's property is that of a person's over the same alias. */
export async function groupsPassing(
  ask: AskPostgres,
  project: ProjectId,
  { index, key, condition }: OfGroups,
): Promise<Fragment> {
  const isTolerant = condition.whenMissing
  const passes = filterSql({ kind: 'property', source: 'person', key, condition }, project)
  const wanted = isTolerant ? fragment`not ${passes}` : passes
  const [row] = await ask<{ type: string | null; keys: string }>(fragment`
    select ${typeOf(project, index)} as type, coalesce(json_agg(p.group_key), '[]')::text as keys
    from groups p where p.project_id = ${String(project)}::integer
      and p.type_index = ${String(index)}::smallint and (${wanted})`)
  if (row === undefined || row.type === null || row.keys === '[]') {
    return isTolerant ? fragment`true` : fragment`false`
  }
  const isIn = fragment`ifNull(${keyOf(row.type)} in ${textSet(fewEnough(row.keys))}, false)`
  return isTolerant ? fragment`(not ${isIn})` : fragment`(${isIn})`
}

export function typeOf(project: ProjectId, index: number): Fragment {
  return fragment`(select t.group_type from group_types t
    where t.project_id = ${String(project)}::integer and t.type_index = ${String(index)}::smallint)`
}

/** The key of the event's group of a type. */
export function keyOf(type: string): Fragment {
  return nestedText(fragment`e.properties`, ['$groups', type])
}

/**
 * @param json a list of texts.
 * @throws {ColumnError} `not_here` when it is too long.
 */
export function textsOf(json: string): Fragment {
  return fragment`JSONExtract(${fewEnough(json)}, 'Array(String)')`
}

function fewEnough(json: string): string {
  if (Buffer.byteLength(json) <= COLUMN_GROUPS_BYTES_MAX) return json
  throw new ColumnError('not_here', 'the groups are more than a statement can name')
}

/**
 * Set of texts for `in`. A literal list is searched for each row once it is long: 70 s for 50,000
 * texts among 500,000 events, against 0.1 s with this subquery.
 * @param json a list of texts.
 */
export function textSet(json: string): Fragment {
  return fragment`(select arrayJoin(JSONExtract(${json}, 'Array(String)')))`
}
