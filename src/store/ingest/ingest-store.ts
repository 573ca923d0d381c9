import type { Clock } from '../../core/clock.ts'
import type { ProjectId, Revision } from '../../core/ids.ts'
import { FLUSH_ATTEMPT_MS, STORE_PROBE_ATTEMPT_MS } from '../../core/limits/limits.ts'
import { createUuidV7 } from '../../events/uuid.ts'
import {
  type FlushResult,
  type FlushRow,
  type IngestStore,
  StoreError,
} from '../../ingest/store-port.ts'
import type { Sql } from '../pool/connect.ts'
import { createSlotConnection } from '../pool/reconnecting-connection.ts'
import { isMissingPartition } from '../sqlstate.ts'
import { insertDeadLetter } from './dead-letter-store.ts'
import { type EventsInput, type EventsWritten, writeEvents } from './events-sql.ts'
import { assignGroupTypes, type GroupTypes } from './groups-sql.ts'
import { IngestMemory, type Unknown } from './ingest-memory.ts'
import { createPartitions, partitionOf } from './partitions.ts'
import { PersonNews } from './person-news.ts'
import { loadPlanned, writePlanned } from './planned-work.ts'
import { type FlushBatch, toEventRow, toFlushBatch } from './prepare-flush.ts'

export type IngestStoreDeps = {
  /** Opens a pool of one connection; a connection that fails is replaced by another. */
  open(): Sql
  readonly clock: Clock
  /**
   * Awaited before the flush goes on: the project has a group type that it had not, and this is its
   * revision since. Whoever remembers the project must hear of it, and will not be told twice.
   */
  onGroupTypes(project: ProjectId, raised: Revision): Promise<void>
}

export type IngestStoreOptions = {
  /**
   * Connections that the writer's slots share in turn. Flushes on one connection queue at the
   * server, which goes from a commit to the next statement without waiting for us.
   */
  readonly connections: number
  /**
   * `event_counts.slot` of the first connection, the others follow. Workers with the same number
   * are correct but wait for each other.
   */
  readonly countSlot: number
}

export type PostgresIngestStore = IngestStore & { close(): Promise<void> }

/**
 * Events, counters, persons, groups and definitions of a batch in one transaction. Plain events of
 * known and new distinct ids take one statement. Batches that change persons or groups take four
 * round trips: begin; lock persons and insert events; write what the events that were new change;
 * commit. So a repeated event changes nothing, and never undoes what came after it.
 */
export function createIngestStore(
  deps: IngestStoreDeps,
  options: IngestStoreOptions,
): PostgresIngestStore {
  const { open, clock, onGroupTypes } = deps
  const personUuid = createUuidV7(() => clock.now())
  const memory = new IngestMemory(clock, personUuid)
  const connections = Array.from({ length: options.connections }, (_, index) => ({
    connection: createSlotConnection({ open, clock }),
    countSlot: options.countSlot + index,
  }))
  const probe = createSlotConnection({ open, clock })
  const placeOf = (slot: number) => {
    const place = connections[slot % connections.length]
    if (place === undefined) throw new RangeError(`no connection for writer slot ${slot}`)
    return place
  }
  return {
    flush: (slot, rows) => {
      const { connection, countSlot } = placeOf(slot)
      const flush = { memory, personUuid, countSlot, onGroupTypes }
      return connection.run(FLUSH_ATTEMPT_MS, (sql) => writeBatch(sql, flush, rows))
    },
    deadLetter: (slot, row, reason) =>
      placeOf(slot).connection.run(FLUSH_ATTEMPT_MS, (sql) => insertDeadLetter(sql, row, reason)),
    ping: async () => {
      await probe.run(STORE_PROBE_ATTEMPT_MS, (sql) => sql`select 1`)
    },
    close: async () => {
      const all = [...connections.map(({ connection }) => connection), probe]
      await Promise.all(all.map((connection) => connection.close()))
    },
  }
}

type Flush = {
  readonly memory: IngestMemory
  readonly personUuid: () => string
  readonly countSlot: number
  readonly onGroupTypes: IngestStoreDeps['onGroupTypes']
}

async function writeBatch(sql: Sql, flush: Flush, rows: readonly FlushRow[]): Promise<FlushResult> {
  const { memory } = flush
  const batch = toFlushBatch(rows)
  const types = await groupTypes(sql, flush, batch)
  await ensurePartitions(sql, memory, batch)
  const unknown = memory.unknownOf(batch)
  const input: EventsInput = {
    ...unknown,
    rows: batch.rows.map((row) => toEventRow(row, types.get(row.projectId))),
    projectIds: [...new Set(batch.rows.map((row) => row.projectId))],
    countSlot: flush.countSlot,
    isNearMidnight: batch.isNearMidnight,
  }
  try {
    return batch.hasPlan
      ? await writeWithPlan(sql, { ...flush, batch, input, unknown, types })
      : answer(memory, batch, unknown, await writeEvents(sql, input), new PersonNews())
  } catch (error) {
    if (!isMissingPartition(error)) throw error
    // Dropped since we looked: the next attempt makes it again.
    memory.partitions.clear()
    throw new StoreError('conflict', '23514', 'a partition of events is gone', error)
  }
}

type PlannedFlush = Flush & {
  readonly batch: FlushBatch
  readonly input: EventsInput
  readonly unknown: Unknown
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
}

async function writeWithPlan(sql: Sql, flush: PlannedFlush): Promise<FlushResult> {
  const { batch, input, memory, personUuid, types, unknown } = flush
  const { written, news, distinctIds } = await sql.begin(async (tx) => {
    const [loaded, written] = await Promise.all([loadPlanned(tx, batch), writeEvents(tx, input)])
    const skipped = new Set(written.skipped)
    const rows = batch.rows.filter(
      (row, index) => !skipped.has(index) && written.liveProjectIds.has(row.projectId),
    )
    const done = await writePlanned(tx, { rows, loaded, types, personUuid })
    return { written, ...done }
  })
  for (const [projectId, ids] of distinctIds) {
    for (const distinctId of ids) memory.learnDistinctId(projectId, distinctId)
  }
  return answer(memory, batch, unknown, written, news)
}

/** After COMMIT: remembers what is now stored. */
function answer(
  memory: IngestMemory,
  batch: FlushBatch,
  unknown: Unknown,
  written: EventsWritten,
  news: PersonNews,
): FlushResult {
  const { liveProjectIds, skipped } = written
  memory.learn(unknown, (projectId) => liveProjectIds.has(projectId))
  const missing = batch.rows.filter((row) => !liveProjectIds.has(row.projectId))
  const duplicates = [...batch.repeated]
  for (const index of skipped) {
    const row = batch.rows[index]
    if (row !== undefined) duplicates.push(row.position)
  }
  return {
    duplicates,
    missingProjects: new Set(missing.map((row) => row.projectId)),
    changed: news.list(),
  }
}

/** Committed on its own, before the flush: an index once given is never another type's. */
async function groupTypes(
  sql: Sql,
  { memory, onGroupTypes }: Flush,
  batch: FlushBatch,
): Promise<ReadonlyMap<ProjectId, GroupTypes>> {
  const used = new Map<ProjectId, Set<string>>()
  for (const { projectId, event } of batch.rows) {
    if (event.groups.length === 0 && event.groupChange === undefined) continue
    const types = used.get(projectId) ?? new Set()
    used.set(projectId, types)
    for (const { type } of event.groups) types.add(type)
    if (event.groupChange !== undefined) types.add(event.groupChange.type)
  }
  const answers = new Map<ProjectId, GroupTypes>()
  for (const [projectId, types] of used) {
    const known = memory.groupTypes(projectId, types)
    if (known !== undefined) {
      answers.set(projectId, known)
      continue
    }
    const assigned = await assignGroupTypes(sql, projectId, [...types])
    if (assigned === undefined) continue
    memory.learnGroupTypes(projectId, assigned.types)
    answers.set(projectId, assigned.types)
    if (assigned.raised !== undefined) await onGroupTypes(projectId, assigned.raised)
  }
  return answers
}

async function ensurePartitions(
  sql: Sql,
  memory: IngestMemory,
  { rows }: FlushBatch,
): Promise<void> {
  const months = new Set(rows.map((row) => row.timestamp.slice(0, 7)))
  const missing = [...months].map(partitionOf).filter(({ name }) => !memory.partitions.has(name))
  if (missing.length === 0) return
  const unique = new Map(missing.map((partition) => [partition.name, partition]))
  await createPartitions(sql, [...unique.values()])
  for (const name of unique.keys()) memory.partitions.add(name)
}
