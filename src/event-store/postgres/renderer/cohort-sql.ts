/** Membership of a cohort as SQL over the person `p`: what `holds` of the flags says of a person. */
import { assert } from '../../../core/code.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { Members } from '../../../events/trees/members.ts'
import { type Fragment, fragment, join } from '../../../postgres/fragment.ts'
import { conditionSql } from './condition-sql.ts'

/** A condition over `p`. It is never null, and false where there is no person. */
export function isMember(members: Members): Fragment {
  const known = written.get(members)
  if (known !== undefined) return known
  const condition = fragment`(p.id is not null and ${toWhere(members)})`
  written.set(members, condition)
  return condition
}

/** A cohort is written once for all the statements of its call. */
const written = new WeakMap<Members, Fragment>()

/** Persons and the cohorts of a list that they are in: rows of `person_id` and `value`, its id. */
export function membershipRows(
  project: ProjectId,
  cohorts: readonly { readonly id: number; readonly members: Members }[],
): Fragment {
  const [first, ...others] = cohorts.map(
    ({ id, members }) => fragment`select p.id as person_id, ${String(id)} as value from persons p
      where p.project_id = ${String(project)}::integer and ${isMember(members)}`,
  )
  assert(first !== undefined, 'a breakdown has cohorts')
  return others.reduce((all, rows) => fragment`${all} union all ${rows}`, first)
}

function toWhere(members: Members): Fragment {
  switch (members.kind) {
    case 'every':
    case 'some': {
      const parts = members.parts.map(toWhere)
      return fragment`(${join(parts, members.kind === 'every' ? 'and' : 'or')})`
    }
    case 'not':
      return fragment`(not ${toWhere(members.part)})`
    case 'stored':
      return fragment`exists (select from cohort_people s
        where s.person_id = p.id and s.cohort_id = ${String(members.cohort)}::integer)`
    case 'property':
      return propertyHolds(members)
    case 'nobody':
      return fragment`false`
    default:
      return members satisfies never
  }
}

function propertyHolds({
  names,
  condition,
  negated,
}: Extract<Members, { kind: 'property' }>): Fragment {
  const holds = conditionSql(condition, fragment`p.properties`, names)
  return negated ? fragment`(not ${holds})` : holds
}
