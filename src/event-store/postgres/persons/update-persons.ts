/** Changes the properties of stored persons, as long as they stay within their bound. */

import type { ProjectId } from '../../../core/ids.ts'
import { PERSON_DISTINCT_IDS_TOLD_MAX } from '../../../core/limits/limits.ts'
import type { ChangeTexts } from '../../../persons/property-fold.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'
import { changed, changeObjects, fits } from './property-bounds.ts'

/** A distinct id with the person that owns it now. */
export type OwnedDistinctId = {
  readonly projectId: ProjectId
  readonly id: bigint
  readonly distinct_id: string
}

export type PersonsUpdated = {
  /** Distinct ids of the persons that changed, a bounded number for each. */
  readonly owned: readonly OwnedDistinctId[]
  /** Persons left as they were: the change would have made them too large. */
  readonly refused: readonly bigint[]
}

/** The persons are locked, so what is read here is what is replaced. */
const UPDATE = `
  with change as materialized (
    select id, ${changeObjects('once', 'volatile', 'set')}, unset
    from unnest(
      $1::bigint[], string_to_array($2, $6), string_to_array($3, $6), string_to_array($4, $6),
      string_to_array($5, $6)
    ) as c (id, once, volatile, set, unset)
  ), next as materialized (
    select p.id, p.properties as before, ${changed('p.properties')} as after
    from change c join persons p on p.id = c.id
  ), updated as (
    update persons p set properties = n.after from next n
    where p.id = n.id and n.after is distinct from n.before and ${fits('n.after', 'n.before')}
    returning p.id
  )
  select d.project_id as "projectId", u.id, d.distinct_id
  from updated u cross join lateral (
    select project_id, distinct_id from distinct_ids where person_id = u.id
    limit ${PERSON_DISTINCT_IDS_TOLD_MAX}
  ) d
  union all
  select null, n.id, null from next n
  where n.id not in (select id from updated) and n.after is distinct from n.before`

type UpdateRow = OwnedDistinctId | { readonly projectId: null; readonly id: bigint }

/** Persons must be locked by the caller. */
export async function updatePersons(
  db: Db,
  changes: readonly (ChangeTexts & { readonly id: bigint })[],
): Promise<PersonsUpdated> {
  if (changes.length === 0) return { owned: [], refused: [] }
  const { texts, separator } = toColumns(changeColumns(changes))
  const ids = intArray(changes.map((each) => each.id))
  const rows = await db.unsafe<UpdateRow[]>(UPDATE, [ids, ...texts, separator], { prepare: true })
  const owned: OwnedDistinctId[] = []
  const refused: bigint[] = []
  for (const row of rows) {
    if (row.projectId === null) refused.push(row.id)
    else owned.push(row)
  }
  return { owned, refused }
}

export function changeColumns(changes: readonly ChangeTexts[]): string[][] {
  return [
    changes.map((each) => each.setOnce),
    changes.map((each) => each.volatile),
    changes.map((each) => each.set),
    changes.map(unsetText),
  ]
}

export function unsetText({ unset }: Pick<ChangeTexts, 'unset'>): string {
  return unset.length === 0 ? '' : JSON.stringify(unset)
}
