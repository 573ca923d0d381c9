import type { ProjectId } from '../../core/ids.ts'
import { type LoadedDistinctId, type PersonWork, planPersons } from '../../persons/plan-persons.ts'
import { PropertyFold } from '../../persons/property-fold.ts'
import type { Db } from '../pool/db.ts'
import { type GroupTypes, type GroupUpsert, upsertGroups } from './groups-sql.ts'
import { PersonNews } from './person-news.ts'
import { loadPersons, type WantedDistinctId, writePersons } from './persons-sql.ts'
import type { BatchRow, FlushBatch } from './prepare-flush.ts'

/** The state of the distinct ids of a project that are planned. */
type Loaded = ReadonlyMap<ProjectId, ReadonlyMap<string, LoadedDistinctId>>

/** Loads and locks the persons whose changes are planned. */
export async function loadPlanned(db: Db, batch: FlushBatch): Promise<Loaded> {
  const whole = wholeIds(batch)
  const wanted: (WantedDistinctId & { projectId: ProjectId })[] = []
  for (const [projectId, distinctIds] of batch.planned) {
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
function wholeIds({ rows }: FlushBatch): Map<ProjectId, Set<string>> {
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
  readonly rows: readonly BatchRow[]
  readonly loaded: Loaded
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
  readonly personUuid: () => string
}

type PlannedDone = {
  readonly news: PersonNews
  /** Distinct ids that have a person now. */
  readonly distinctIds: ReadonlyMap<ProjectId, readonly string[]>
}

/**
 * Plans and writes what the rows do to persons and groups.
 * @throws {PropertiesError} when a row's properties cannot be read; what the statements throw.
 */
export async function writePlanned(db: Db, input: PlannedInput): Promise<PlannedDone> {
  const news = new PersonNews()
  const distinctIds = await writePersonChanges(db, input, news)
  await writeGroupChanges(db, input, news)
  return { news, distinctIds }
}

async function writePersonChanges(
  db: Db,
  { rows, loaded, personUuid }: PlannedInput,
  news: PersonNews,
): Promise<Map<ProjectId, readonly string[]>> {
  const work = new Map<ProjectId, PersonWork[]>()
  for (const { projectId, event, timestamp } of rows) {
    const { distinctId, person: change } = event
    // Plain events of the same distinct id too: the first of all decides when it was created.
    if (!change.profile || loaded.get(projectId)?.has(distinctId) !== true) continue
    const items = work.get(projectId) ?? []
    items.push({ distinctId, timestamp, change })
    work.set(projectId, items)
  }
  const plans = [...work].map(([projectId, items]) => ({
    projectId,
    plan: planPersons(loaded.get(projectId) ?? new Map(), items),
  }))
  const changed = await writePersons(db, plans, personUuid)
  const stored = new Map(changed.map(({ id }) => [id, true]))
  for (const { projectId, plan } of plans) {
    const created = new Set(plan.created.map(({ id }) => id))
    for (const [id, ids] of plan.distinctIds) {
      // Those of the batch are told even where a person has more of them than are told.
      if (!created.has(id) && !stored.has(id)) continue
      for (const distinctId of ids) news.addDistinctId(projectId, distinctId)
    }
  }
  for (const { projectId, distinct_id: distinctId } of changed) {
    news.addDistinctId(projectId, distinctId)
  }
  return new Map(
    plans.map(({ projectId, plan }) => [projectId, [...plan.distinctIds.values()].flat()]),
  )
}

async function writeGroupChanges(
  db: Db,
  { rows, types }: PlannedInput,
  news: PersonNews,
): Promise<void> {
  type Change = Omit<GroupUpsert, 'properties'> & { projectId: ProjectId; fold: PropertyFold }
  const changes = new Map<string, Change & { type: string }>()
  for (const { projectId, event, timestamp } of rows) {
    if (event.groupChange === undefined) continue
    const { type, key, set } = event.groupChange
    const typeIndex = types.get(projectId)?.get(type)
    // A sixth type has no index, and its groups are not kept.
    if (typeIndex === undefined) continue
    const name = groupName(projectId, typeIndex, key)
    const known = changes.get(name)
    const fold = known?.fold ?? new PropertyFold()
    fold.add({ setOnce: '', set, unset: [] })
    const createdAt =
      known !== undefined && known.createdAt < timestamp ? known.createdAt : timestamp
    changes.set(name, { projectId, typeIndex, type, key, fold, createdAt })
  }
  const upserts = [...changes.values()].map(({ fold, ...group }) => ({
    ...group,
    properties: fold.texts().set || '{}',
  }))
  for (const group of await upsertGroups(db, upserts)) {
    const change = changes.get(groupName(group.project_id, group.type_index, group.group_key))
    if (change === undefined) continue
    news.addGroup(change.projectId, { type: change.type, key: change.key })
  }
}

function groupName(projectId: number, typeIndex: number, key: string): string {
  return `${projectId} ${typeIndex} ${key}`
}
