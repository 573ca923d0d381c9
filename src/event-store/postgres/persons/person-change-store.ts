/** Changes one person: its properties, and with whom it is one. Uses what a flush of events uses. */
import type { ProjectId } from '../../../core/ids.ts'
import { NO_PERSON_CHANGE } from '../../../events/event.ts'
import { StoreError } from '../../../ingest/store-port.ts'
import { planPersons } from '../../../persons/plan-persons.ts'
import { NO_CHANGE } from '../../../persons/property-fold.ts'
import type { Db } from '../../../postgres/db.ts'
import { OTHER_SLOT } from '../../../store/answers/change-counts.ts'
import type { FoundPerson } from './find-person.ts'
import { loadPersons, writePersons } from './persons-sql.ts'
import { updatePersons } from './update-persons.ts'

/**
 * Distinct ids whose caches must be invalidated; `gone` when the person does not exist, or is not
 * the same any more.
 */
export type PersonChanged = { readonly distinctIds: readonly string[] } | 'gone' | 'too_large'

/**
 * Sets and removes properties.
 * @param change `set` is JSON text of an object, or empty.
 */
export async function changeProperties(
  tx: Db,
  project: ProjectId,
  { id }: FoundPerson,
  change: { readonly set: string; readonly unset: readonly string[] },
): Promise<PersonChanged> {
  const held = await tx`
    select from persons where id = ${id}::text::bigint and project_id = ${project}
    for no key update`
  if (held.count === 0) return 'gone'
  const { owned, refused } = await updatePersons(tx, [{ id: BigInt(id), ...NO_CHANGE, ...change }])
  if (refused.length > 0) return 'too_large'
  return { distinctIds: owned.map(({ distinct_id }) => distinct_id) }
}

export type PersonsMerged = {
  readonly distinctIds: readonly string[]
  /** UUIDs of the persons that have ended. */
  readonly merged: readonly string[]
  /** Distinct ids that had no person. */
  readonly attached: readonly string[]
}

/**
 * Makes the persons of `others` and this one into one, as `$merge_dangerously` does.
 * @param others distinct ids that differ.
 * @param at time of the merge, ISO 8601 with microseconds.
 * @throws a unique violation of `distinct_ids_pkey` when a flush has attached an id meanwhile: safe to
 * retry.
 */
export async function mergePersons(
  tx: Db,
  project: ProjectId,
  person: FoundPerson,
  others: readonly string[],
  { at, uuid }: { readonly at: string; readonly uuid: () => string },
): Promise<PersonsMerged | 'gone' | 'too_large' | 'too_much'> {
  const own = await anyIdOf(tx, person)
  if (own === undefined) return 'gone'
  const ids = [own, ...others.filter((other) => other !== own)]
  const states = await loadWhole(tx, project, ids)
  if (states === 'too_much') return states
  const [state] = states
  if (state?.kind !== 'known' || state.person.id !== BigInt(person.id)) return 'gone'
  const loaded = new Map(ids.map((id, place) => [id, states[place] ?? state]))
  const plan = planPersons(
    loaded,
    ids.slice(1).map((otherDistinctId) => ({
      distinctId: own,
      timestamp: at,
      event: '$merge_dangerously',
      uuid: uuid(),
      change: { ...NO_PERSON_CHANGE, merge: { kind: 'dangerously', otherDistinctId } },
    })),
  )
  const ending = plan.folded.map(({ from }) => String(from))
  const ended = await tx<{ uuid: string }[]>`
    select uuid::text as uuid from persons
    where id = any(string_to_array(${ending.join()}, ',')::bigint[]) order by uuid`
  const { owned, refused } = await writePersons(tx, [{ projectId: project, plan }], {
    uuid,
    countSlot: OTHER_SLOT,
  })
  if (refused.length > 0) return 'too_large'
  return {
    distinctIds: owned.map(({ distinct_id }) => distinct_id),
    merged: ended.map((each) => each.uuid),
    attached: plan.attached.map(({ distinctId }) => distinctId),
  }
}

async function anyIdOf(tx: Db, { id }: FoundPerson): Promise<string | undefined> {
  const [row] = await tx<{ distinct_id: string }[]>`
    select distinct_id from distinct_ids where person_id = ${id}::text::bigint
    order by distinct_id limit 1`
  return row?.distinct_id
}

async function loadWhole(tx: Db, projectId: ProjectId, ids: readonly string[]) {
  try {
    const wanted = ids.map((distinctId) => ({ projectId, distinctId, whole: true }))
    return await loadPersons(tx, wanted)
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'data') return 'too_much'
    throw error
  }
}
