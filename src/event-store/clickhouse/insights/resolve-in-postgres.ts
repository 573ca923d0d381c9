/**
 * Conditions of questions on persons and groups, who are in Postgres while the events are in
 * ClickHouse: their numbers and keys are read there, and become a part of the statement here.
 */

import { ColumnError } from '../../../clickhouse/column-error.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { filterSql } from '../../postgres/renderer/filter-sql.ts'
import { type AskPostgres, groupsPassing } from '../reads/groups-passing.ts'
import type { Resolved } from '../renderer/filter.ts'

/** Persons whom a query names one by one, some ten bytes each; Postgres counts larger sets. */
const COLUMN_PERSONS_MAX = 1_000_000

/**
 * A set of persons for `in`.
 * @param ids their numbers, with commas between them.
 * @throws {ColumnError} `not_here` when they are more than a statement should name.
 */
export function personSet(ids: string): Fragment {
  return fragment`(select toInt64(arrayJoin(splitByChar(',', ${fewEnough(ids)}))))`
}

/**
 * The same text, to be bound.
 * @param ids numbers of persons, with commas and semicolons between them.
 * @throws {ColumnError} `not_here` when they are more than a statement should name.
 */
export function fewEnough(ids: string): string {
  let count = 1
  for (const sign of ids) if (sign === ',' || sign === ';') count += 1
  if (count <= COLUMN_PERSONS_MAX) return ids
  throw new ColumnError('not_here', 'the persons are more than a statement should name')
}

type OfPersons = Extract<FilterNode, { kind: 'property' | 'cohort' }>

/**
 * Reads what trees ask of persons and groups. Trees that compute with numbers do so in doubles.
 * @throws {ColumnError} `not_here` when they are more than a statement can name.
 */
export async function resolveInPostgres(
  ask: AskPostgres,
  project: ProjectId,
  trees: readonly FilterNode[],
): Promise<Resolved> {
  const known = new Map<FilterNode, Fragment>()
  for (const node of trees.flatMap(leavesOf)) {
    if (known.has(node)) continue
    if (node.kind === 'group') known.set(node, await groupsPassing(ask, project, node))
    else if (node.kind === 'cohort') known.set(node, await ofPersons(ask, project, node))
    else if (node.kind === 'property' && node.source === 'person') {
      known.set(node, await ofPersons(ask, project, node))
    }
  }
  return (node) => known.get(node)
}

/**
 * Condition that the event's person passes `node`; if tolerant, events without a person pass too.
 */
export async function personsPassing(
  ask: AskPostgres,
  project: ProjectId,
  node: FilterNode,
  isTolerant: boolean,
): Promise<Fragment> {
  const passes = filterSql(node, project)
  const wanted = isTolerant ? fragment`not coalesce(${passes}, false)` : passes
  const [row] = await ask<{ ids: string | null }>(fragment`
    select string_agg(p.id::text, ',') as ids from persons p
    where p.project_id = ${String(project)}::integer and (${wanted})`)
  if (row === undefined || row.ids === null) return isTolerant ? fragment`true` : fragment`false`
  const persons = personSet(row.ids)
  return isTolerant
    ? fragment`(p.person_id not in ${persons})`
    : fragment`(p.person_id in ${persons})`
}

function leavesOf(node: FilterNode): readonly FilterNode[] {
  return node.kind === 'and' || node.kind === 'or' ? node.nodes.flatMap(leavesOf) : [node]
}

async function ofPersons(ask: AskPostgres, project: ProjectId, node: OfPersons): Promise<Fragment> {
  const isTolerant = node.kind === 'cohort' ? node.negated : node.condition.whenMissing
  return await personsPassing(ask, project, node, isTolerant)
}
