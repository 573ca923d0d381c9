/**
 * Deletions since the acknowledgement of events that are stored later, from the spill or as dead
 * letters.
 */
import { createHash } from 'node:crypto'
import type { ProjectId } from '../../../core/ids.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../events/event.ts'
import type { AckedRows, FlushRow } from '../../../ingest/store-port.ts'
import { intArray } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'

/** First key of the advisory lock; the second is the project. */
const PERSON_DELETION_LOCK = 7_305_113

/**
 * First in the transaction that deletes a person: waits for the flushes that have looked at what is
 * deleted and not committed, and keeps others from looking before this one has committed.
 */
export async function lockOutAckedRows(tx: Db, project: ProjectId): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PERSON_DELETION_LOCK}, ${project})`
}

/** Rows of a flush that are to be stored, and the outcome of the others. */
export type FilteredRows = AckedRows & {
  readonly rows: readonly FlushRow[]
  /** Position in the original flush of each of `rows`. */
  readonly positions: readonly number[]
}

/**
 * First in the transaction of a flush: decides which rows are stored. An event of a person that was
 * deleted with its events is left out; one of a person that was deleted alone is kept and changes
 * no person. An event that would join a deleted distinct id to another person counts as one of the
 * deleted person. While a deletion in a project has not committed, no row of it that was
 * acknowledged before is stored. A deletion that starts after this check waits for this
 * transaction, which is older, and so deletes what is stored here.
 */
export async function filterDeleted(tx: Db, rows: readonly FlushRow[]): Promise<FilteredRows> {
  const wanted = lookFor(rows)
  // Two statements: the second must see what had committed when the first got its locks.
  const [free, fates] = await Promise.all([
    lockProjects(tx, wanted.projects),
    readFates(tx, wanted),
  ])
  const kept: FlushRow[] = []
  const positions: number[] = []
  const deleted: number[] = []
  const held: number[] = []
  for (const [position, row] of rows.entries()) {
    const fate = fateOf(row, fates)
    if (row.ackedAtMs !== undefined && !free.has(row.projectId)) held.push(position)
    else if (fate === 'dropped') deleted.push(position)
    else {
      const { event } = row
      const isAlone = fate === 'without person'
      kept.push(isAlone ? { ...row, event: { ...event, person: NO_PERSON } } : row)
      positions.push(position)
    }
  }
  return { rows: kept, positions, deleted, held }
}

const NO_PERSON = { ...NO_PERSON_CHANGE, profile: false }

type Wanted = {
  readonly projects: ReadonlySet<ProjectId>
  readonly digests: ReadonlySet<string>
  /** Older deletions concern none of the rows. */
  readonly sinceMs: number
}

function lookFor(rows: readonly FlushRow[]): Wanted {
  const digests = new Set<string>()
  const projects = new Set<ProjectId>()
  let sinceMs = Number.POSITIVE_INFINITY
  for (const { projectId, event, ackedAtMs } of rows) {
    if (ackedAtMs === undefined) continue
    sinceMs = Math.min(sinceMs, ackedAtMs)
    projects.add(projectId)
    for (const id of idsOf(event)) digests.add(digestOf(projectId, id))
  }
  return { projects, digests, sinceMs }
}

function idsOf({ distinctId, person }: IngestEvent): readonly string[] {
  return person.merge === undefined ? [distinctId] : [distinctId, person.merge.otherDistinctId]
}

/** Hex of what the table has. A stored format. */
function digestOf(project: number, distinctId: string): string {
  return createHash('sha256').update(`${project}:${distinctId}`).digest('hex')
}

/** @returns those in which no person is being deleted; none is until this transaction ends. */
async function lockProjects(
  tx: Db,
  projects: ReadonlySet<ProjectId>,
): Promise<ReadonlySet<ProjectId>> {
  const rows = await tx<{ id: ProjectId; isFree: boolean }[]>`
    select id, pg_try_advisory_xact_lock_shared(${PERSON_DELETION_LOCK}, id) as "isFree"
    from unnest(${intArray([...projects])}::text::integer[]) as id`
  return new Set(rows.filter(({ isFree }) => isFree).map(({ id }) => id))
}

/** Latest deletions of a distinct id, ms since 1970: with its events, and alone. */
type Deletions = { readonly withEventsMs: number | null; readonly aloneMs: number | null }

async function readFates(
  tx: Db,
  { projects, digests, sinceMs }: Wanted,
): Promise<ReadonlyMap<string, Deletions>> {
  const rows = await tx<({ digest: string } & Deletions)[]>`
    select encode(digest, 'hex') as digest,
      extract(epoch from max(asked_at) filter (where with_events))::float8 * 1000
        as "withEventsMs",
      extract(epoch from max(asked_at) filter (where not with_events))::float8 * 1000
        as "aloneMs"
    from deleted_distinct_ids
    where asked_at >= to_timestamp(${sinceMs / 1_000}::float8)
      and project_id = any (${intArray([...projects])}::text::integer[]) and digest = any (
      array(select decode(d, 'hex') from unnest(${[...digests]}::text[]) as d)
    )
    group by digest`
  return new Map(rows.map(({ digest, ...deletions }) => [digest, deletions]))
}

/** Decides about an event of a deleted person that was acknowledged before the deletion. */
function fateOf(
  { projectId, event, ackedAtMs }: FlushRow,
  fates: ReadonlyMap<string, Deletions>,
): 'dropped' | 'without person' | undefined {
  if (ackedAtMs === undefined || fates.size === 0) return undefined
  const found = idsOf(event).map((id) => fates.get(digestOf(projectId, id)))
  const isSince = (askedMs: number | null | undefined) => (askedMs ?? 0) >= ackedAtMs
  if (found.some((each) => isSince(each?.withEventsMs))) return 'dropped'
  return found.some((each) => isSince(each?.aloneMs)) ? 'without person' : undefined
}
