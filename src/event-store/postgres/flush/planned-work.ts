/** Runs the plan of a flush: loads persons, plans their changes, writes persons and groups. */
import type { ProjectId } from '../../../core/ids.ts'
import type { IngestionWarning } from '../../../events/warnings/ingestion-warning.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import {
  type LoadedDistinctId,
  type PersonWork,
  planPersons,
} from '../../../persons/plan-persons.ts'
import { changesNothing } from '../../../persons/property-fold.ts'
import type { Db } from '../../../postgres/db.ts'
import { ChangedPersons } from '../persons/changed-persons.ts'
import type { GroupTypes } from '../persons/groups-sql.ts'
import { loadPersons, type WantedDistinctId, writePersons } from '../persons/persons-sql.ts'
import type { Settled } from '../persons/refused-changes.ts'
import { personTooLarge } from '../persons/size-warnings.ts'
import { writeGroupChanges } from './group-changes.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

/** The state of the distinct ids of a project that are planned. */
type Loaded = ReadonlyMap<ProjectId, ReadonlyMap<string, LoadedDistinctId>>

/** Loads and locks the persons with planned changes. */
export async function loadPlanned(db: Db, flush: PreparedFlush): Promise<Loaded> {
  const whole = wholeIds(flush)
  const wanted: (WantedDistinctId & { projectId: ProjectId })[] = []
  for (const [projectId, distinctIds] of flush.planned) {
    for (const distinctId of distinctIds) {
      const isWhole = whole.get(projectId)?.has(distinctId) === true
      wanted.push({ projectId, distinctId, whole: isWhole })
    }
  }
  const loaded = new Map<ProjectId, Map<string, LoadedDistinctId>>()
  if (wanted.length === 0) return loaded
  const states = await loadPersons(db, wanted)
  for (const [position, state] of states.entries()) {
    const id = wanted[position]
    if (id === undefined) continue
    const known = loaded.get(id.projectId) ?? new Map()
    loaded.set(id.projectId, known.set(id.distinctId, state))
  }
  return loaded
}

/** Distinct ids that take part in a merge: only their persons are loaded with properties. */
function wholeIds({ rows }: PreparedFlush): Map<ProjectId, Set<string>> {
  const whole = new Map<ProjectId, Set<string>>()
  for (const { projectId, event } of rows) {
    if (event.person.merge === undefined || !event.person.profile) continue
    const ids = whole.get(projectId) ?? new Set()
    whole.set(projectId, ids.add(event.distinctId).add(event.person.merge.otherDistinctId))
  }
  return whole
}

export type PlannedInput = {
  /** Rows that were inserted, in order. */
  readonly rows: readonly FlushRow[]
  readonly loaded: Loaded
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
  readonly personUuid: () => string
  readonly countSlot: number
}

export type PlannedDone = {
  readonly persons: ChangedPersons
  /** Distinct ids that have a person now. */
  readonly distinctIds: ReadonlyMap<ProjectId, readonly string[]>
  /** One for each change that was refused. */
  readonly warnings: readonly IngestionWarning[]
}

/**
 * Plans and writes what the rows do to persons and groups.
 * @throws {PropertiesError} when a row's properties cannot be read; what the statements throw.
 */
export async function writePlanned(db: Db, input: PlannedInput): Promise<PlannedDone> {
  const persons = new ChangedPersons()
  const { distinctIds, refused } = await writePersonChanges(db, input, persons)
  const ofGroups = await writeGroupChanges(db, input, persons)
  return { persons, distinctIds, warnings: [...refused.map(personTooLarge), ...ofGroups] }
}

async function writePersonChanges(
  db: Db,
  { rows, loaded, personUuid, countSlot }: PlannedInput,
  persons: ChangedPersons,
): Promise<Pick<PlannedDone, 'distinctIds'> & Pick<Settled, 'refused'>> {
  const work = new Map<ProjectId, PersonWork[]>()
  for (const { projectId, event } of rows) {
    const { distinctId, person: change, event: name, uuid } = event
    // Plain events of the same distinct id too: the first of all decides when it was created.
    if (!change.profile || loaded.get(projectId)?.has(distinctId) !== true) continue
    const items = work.get(projectId) ?? []
    items.push({ distinctId, timestamp: storedTimestamp(event), change, event: name, uuid })
    work.set(projectId, items)
  }
  const plans = [...work].map(([projectId, items]) => ({
    projectId,
    plan: planPersons(loaded.get(projectId) ?? new Map(), items),
  }))
  const { owned: changed, refused } = await writePersons(db, plans, {
    uuid: personUuid,
    countSlot,
  })
  const stored = new Map(changed.map(({ id }) => [id, true]))
  for (const { projectId, plan } of plans) {
    // Caches hold the same for a person without properties as for none.
    const changing = plan.created.filter((each) => !changesNothing(each))
    const created = new Set(changing.map(({ id }) => id))
    for (const [id, ids] of plan.distinctIds) {
      // Ids of the flush are announced even if their person has more ids than are announced.
      if (!created.has(id) && !stored.has(id)) continue
      for (const distinctId of ids) persons.addDistinctId(projectId, distinctId)
    }
  }
  for (const { projectId, distinct_id: distinctId } of changed) {
    persons.addDistinctId(projectId, distinctId)
  }
  const distinctIds = new Map(
    plans.map(({ projectId, plan }) => [projectId, [...plan.distinctIds.values()].flat()]),
  )
  return { distinctIds, refused }
}
