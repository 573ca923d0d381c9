/** Writes what a flush sets on groups. */
import type { ProjectId } from '../../../core/ids.ts'
import { REFUSED_STATEMENTS_MAX } from '../../../core/limits/limits.ts'
import type { GroupChange, IngestEvent } from '../../../events/event.ts'
import type { IngestionWarning } from '../../../events/warnings/ingestion-warning.ts'
import { bisect } from '../../../ingest/bisect.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import { NO_CHANGE, PropertyFold } from '../../../persons/property-fold.ts'
import type { Db } from '../../../postgres/db.ts'
import type { ChangedPersons } from '../persons/changed-persons.ts'
import { type GroupTypes, upsertGroups } from '../persons/groups-sql.ts'
import { groupTooLarge } from '../persons/size-warnings.ts'
import { storedTimestamp } from './prepare-flush.ts'

type Work = { readonly event: IngestEvent; readonly change: GroupChange }

/** Changes of one group in a flush, in order. */
type GroupWork = {
  readonly projectId: ProjectId
  readonly typeIndex: number
  readonly type: string
  readonly key: string
  readonly works: Work[]
}

type Flush = {
  readonly rows: readonly FlushRow[]
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
}

/**
 * Creates and updates groups; a too large one is refused. `persons` collects them.
 * @returns a warning for each change that was refused.
 */
export async function writeGroupChanges(
  db: Db,
  flush: Flush,
  persons: ChangedPersons,
): Promise<readonly IngestionWarning[]> {
  const groups = groupsOf(flush)
  const refused = await upsert(db, groups, [...groups.values()], persons)
  const warnings: IngestionWarning[] = []
  let statementsLeft = REFUSED_STATEMENTS_MAX
  for (const group of refused) {
    await bisect(group.works, {
      flush: async (works) => {
        statementsLeft -= 1
        if (statementsLeft < 0) throw new RefusedError()
        const left = await upsert(db, groups, [{ ...group, works: [...works] }], persons)
        if (left.length > 0) throw new RefusedError()
      },
      giveUp: async ({ event, change }) => {
        warnings.push(groupTooLarge(group.projectId, event, change))
      },
      isRowAtFault: (error) => error instanceof RefusedError,
    })
  }
  return warnings
}

class RefusedError extends Error {}

function groupsOf({ rows, types }: Flush): Map<string, GroupWork> {
  const groups = new Map<string, GroupWork>()
  for (const { projectId, event } of rows) {
    const change = event.groupChange
    if (change === undefined) continue
    const { type, key } = change
    const typeIndex = types.get(projectId)?.get(type)
    // A sixth type has no index, and its groups are not kept.
    if (typeIndex === undefined) continue
    const name = groupName(projectId, typeIndex, key)
    const group = groups.get(name) ?? { projectId, typeIndex, type, key, works: [] }
    groups.set(name, group)
    group.works.push({ event, change })
  }
  return groups
}

/** @returns the groups that were refused. */
async function upsert(
  db: Db,
  groups: ReadonlyMap<string, GroupWork>,
  asked: readonly GroupWork[],
  persons: ChangedPersons,
): Promise<GroupWork[]> {
  const upserts = asked.map(({ projectId, typeIndex, key, works }) => {
    const fold = new PropertyFold()
    for (const { change } of works) fold.add({ ...NO_CHANGE, set: change.set })
    const [first = '', ...others] = works.map(({ event }) => storedTimestamp(event))
    const createdAt = others.reduce((earliest, at) => (at < earliest ? at : earliest), first)
    return { projectId, typeIndex, key, properties: fold.texts().set || '{}', createdAt }
  })
  const refused: GroupWork[] = []
  for (const row of await upsertGroups(db, upserts)) {
    const group = groups.get(groupName(row.project_id, row.type_index, row.group_key))
    if (group === undefined) continue
    if (row.refused) refused.push(group)
    else persons.addGroup(group.projectId, { type: group.type, key: group.key })
  }
  return refused
}

function groupName(projectId: number, typeIndex: number, key: string): string {
  return `${projectId} ${typeIndex} ${key}`
}
