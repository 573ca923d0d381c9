/** Writes the flushes of a worker to Postgres; see `writeFlush` for the order of the statements. */
import type { Clock } from '../../../core/clock.ts'
import type { ProjectId, Revision } from '../../../core/ids.ts'
import { FLUSH_ATTEMPT_MS } from '../../../core/limits/limits.ts'
import { createUuidV7 } from '../../../events/uuid.ts'
import type { IngestionWarning } from '../../../events/warnings/ingestion-warning.ts'
import {
  type FlushResult,
  type FlushRow,
  type IngestStore,
  StoreError,
} from '../../../ingest/store-port.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import { isMissingPartition } from '../../../postgres/failures.ts'
import { createReconnectingConnection } from '../../../postgres/reconnecting-connection.ts'
import { CHECK_VIOLATION } from '../../../postgres/sqlstate.ts'
import { insertDeadLetter } from '../../dead-letters/dead-letter-store.ts'
import { createPartitions, partitionOf } from '../../months/partitions.ts'
import { ChangedPersons } from '../persons/changed-persons.ts'
import { assignGroupTypes, type GroupTypes } from '../persons/groups-sql.ts'
import { filterDeleted } from './acked-rows.ts'
import { type EventsWritten, writeUnseen } from './events-sql.ts'
import { type FlushWork, onlyInput, workOf, writeInputs } from './flush-work.ts'
import { IngestMemory } from './ingest-memory.ts'
import { loadPlanned, type PlannedDone, writePlanned } from './planned-work.ts'
import { type PreparedFlush, prepareFlush, storedTimestamp } from './prepare-flush.ts'
import { writeSimple } from './simple-flush.ts'

/** One probe of a store that is down. */
export const STORE_PROBE_ATTEMPT_MS = 1_000

export type IngestStoreDeps = {
  /** Opens a pool of one connection; a connection that fails is replaced by another. */
  open(): Sql
  readonly clock: Clock
  /**
   * Awaited before the flush continues: the project has a new group type, and `raised` is its
   * revision since. Caches of the project must be told now, as this is called once.
   */
  onGroupTypes(project: ProjectId, raised: Revision): Promise<void>
  /** Reports parts that were left out of committed events. */
  onWarnings(warnings: readonly IngestionWarning[]): void
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
  /** Whether what is stored goes to the outbox of ClickHouse as well. */
  readonly replicates: boolean
}

export type PostgresIngestStore = IngestStore & {
  /** Their persons were deleted: the next event of each makes another one. */
  forgetDistinctIds(
    ids: readonly { readonly projectId: ProjectId; readonly distinctId: string }[],
  ): void
  /** As `ping`, but also resolves while the outbox is full: reads need no room in it. */
  reach(): Promise<void>
  close(): Promise<void>
}

/**
 * Writes the events, counters, persons, groups and definitions of a flush in one transaction.
 * Events that set nothing new take a short statement, new properties of persons a longer one
 * (ADR 128). Merges and changes of groups take four round trips: begin; lock persons and
 * insert events; write what the new events change; commit. So a repeated event changes nothing.
 */
export function createIngestStore(
  deps: IngestStoreDeps,
  options: IngestStoreOptions,
): PostgresIngestStore {
  const { open, clock, onGroupTypes, onWarnings } = deps
  const personUuid = createUuidV7(() => clock.now())
  const memory = new IngestMemory(clock, personUuid)
  const outbox = createFullOutbox()
  const connections = Array.from({ length: options.connections }, (_, index) => ({
    connection: createReconnectingConnection({ open, clock }),
    countSlot: options.countSlot + index,
  }))
  const probe = createReconnectingConnection({ open, clock })
  const placeOf = (slot: number) => {
    const place = connections[slot % connections.length]
    if (place === undefined) throw new RangeError(`no connection for writer slot ${slot}`)
    return place
  }
  return {
    flush: (slot, rows) => {
      const { connection, countSlot } = placeOf(slot)
      const { replicates } = options
      const base = { memory, outbox, personUuid, countSlot, replicates }
      const context = { ...base, onGroupTypes, onWarnings }
      return connection.run(FLUSH_ATTEMPT_MS, (sql) => writeFlush(sql, context, rows))
    },
    deadLetter: (slot, row, reason) =>
      placeOf(slot).connection.run(FLUSH_ATTEMPT_MS, (sql) => keepRefused(sql, row, reason)),
    forgetDistinctIds: (ids) => {
      for (const { projectId, distinctId } of ids) memory.forgetDistinctId(projectId, distinctId)
    },
    ping: async () => {
      const ask = options.replicates ? outbox.probe : answers
      await probe.run(STORE_PROBE_ATTEMPT_MS, ask)
    },
    reach: async () => {
      await probe.run(STORE_PROBE_ATTEMPT_MS, answers)
    },
    close: async () => {
      const all = [...connections.map(({ connection }) => connection), probe]
      await Promise.all(all.map((connection) => connection.close()))
    },
  }
}

async function answers(sql: Sql): Promise<void> {
  await sql`select 1`
}

type FlushContext = Pick<IngestStoreDeps, 'onGroupTypes' | 'onWarnings'> &
  Pick<IngestStoreOptions, 'countSlot' | 'replicates'> & {
    readonly memory: IngestMemory
    readonly outbox: FullOutbox
    readonly personUuid: () => string
  }

async function writeFlush(
  sql: Sql,
  context: FlushContext,
  rows: readonly FlushRow[],
): Promise<FlushResult> {
  const { memory } = context
  const flush = prepareFlush(rows, memory)
  context.outbox.check()
  const types = await groupTypes(sql, context, flush)
  await ensurePartitions(sql, memory, flush)
  try {
    if (rows.some(({ ackedAtMs }) => ackedAtMs !== undefined)) {
      return await writeAcked(sql, context, rows, types)
    }
    const work = await workOf(context, flush, types)
    return answer(context, work, await writeWork(sql, context, work))
  } catch (error) {
    if (!isMissingPartition(error)) throw error
    // Dropped since we looked: the next attempt makes it again.
    memory.homes.clear()
    throw new StoreError('conflict', CHECK_VIOLATION, 'a partition of events is gone', error)
  }
}

type Done = PlannedDone & {
  readonly written: EventsWritten
  /** Rows whose person is known to have what they set. */
  readonly changes?: readonly FlushRow[]
}

const NOTHING: PlannedDone = { persons: new ChangedPersons(), distinctIds: new Map(), warnings: [] }

const NOTHING_WRITTEN: Done = {
  ...NOTHING,
  written: { liveProjectIds: new Set(), skipped: [], isFull: false },
}

/** Writes in one statement where possible, otherwise in a transaction. */
async function writeWork(sql: Sql, context: FlushContext, work: FlushWork): Promise<Done> {
  const input = onlyInput(work)
  if (input !== undefined) {
    const done = await writeSimple(sql, context.memory, { ...work, input })
    if (done !== undefined) return { ...done, warnings: [] }
  }
  return await sql.begin((tx) => writePlan(tx, context, work))
}

async function writePlan(
  tx: Db,
  { personUuid, countSlot }: FlushContext,
  { flush, inputs, types, unseen, projectIds }: FlushWork,
): Promise<Done> {
  const [loaded, written] = await Promise.all([
    loadPlanned(tx, flush),
    writeInputs(tx, inputs),
    writeUnseen(tx, unseen, projectIds),
  ])
  const skipped = new Set(written.skipped)
  const rows = flush.rows.filter(
    (row, index) => !skipped.has(index) && written.liveProjectIds.has(row.projectId),
  )
  const done = await writePlanned(tx, { rows, loaded, types, personUuid, countSlot })
  return { written, ...done }
}

/** Some rows were acknowledged before: writes and looks for deleted persons in one transaction. */
async function writeAcked(
  sql: Sql,
  context: FlushContext,
  rows: readonly FlushRow[],
  types: ReadonlyMap<ProjectId, GroupTypes>,
): Promise<FlushResult> {
  const { found, work, done } = await sql.begin(async (tx) => {
    const found = await filterDeleted(tx, rows)
    const flush = prepareFlush(found.rows, context.memory)
    const work = await workOf(context, flush, types)
    const done = found.rows.length === 0 ? NOTHING_WRITTEN : await writePlan(tx, context, work)
    return { found, work, done }
  })
  const { duplicates, ...rest } = answer(context, work, done)
  const { deleted, held, positions } = found
  return {
    ...rest,
    duplicates: duplicates.flatMap((index) => positions[index] ?? []),
    acked: { deleted, held },
  }
}

/** Called after COMMIT: remembers what is now stored. */
function answer(
  { memory, outbox, onWarnings }: FlushContext,
  { flush, unseen }: FlushWork,
  { written, persons, distinctIds, warnings, changes = [] }: Done,
): FlushResult {
  outbox.report(written.isFull)
  for (const [projectId, ids] of distinctIds) {
    for (const distinctId of ids) memory.learnDistinctId(projectId, distinctId)
  }
  for (const { projectId, event } of changes) memory.learnChange(projectId, event)
  if (warnings.length > 0) onWarnings(warnings)
  const { liveProjectIds, skipped } = written
  memory.learn(unseen, (projectId) => liveProjectIds.has(projectId))
  const missing = flush.rows.filter((row) => !liveProjectIds.has(row.projectId))
  const duplicates = [...flush.repeated]
  for (const index of skipped) {
    const position = flush.positions[index]
    if (position !== undefined) duplicates.push(position)
  }
  return {
    duplicates,
    missingProjects: new Set(missing.map((row) => row.projectId)),
    changed: persons.list(),
  }
}

/** Keeps a refused row as a dead letter; one acknowledged before, unless it was deleted since. */
async function keepRefused(sql: Sql, row: FlushRow, reason: StoreError): Promise<void> {
  if (row.ackedAtMs === undefined) return await insertDeadLetter(sql, row, reason)
  await sql.begin(async (tx) => {
    const { rows, held } = await filterDeleted(tx, [row])
    if (held.length > 0) throw new StoreError('conflict', 'HELD', 'a person is being deleted')
    for (const each of rows) await insertDeadLetter(tx, each, reason)
  })
}

/** Committed on its own, before the flush: an index once given is never another type's. */
async function groupTypes(
  sql: Sql,
  { memory, onGroupTypes }: FlushContext,
  flush: PreparedFlush,
): Promise<ReadonlyMap<ProjectId, GroupTypes>> {
  const used = new Map<ProjectId, Set<string>>()
  for (const { projectId, event } of flush.rows) {
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
  { rows }: PreparedFlush,
): Promise<void> {
  const months = new Set(rows.map(({ event }) => storedTimestamp(event).slice(0, 7)))
  const missing = [...months].map(partitionOf).filter(({ name }) => !memory.homes.has(name))
  if (missing.length === 0) return
  const unique = new Map(missing.map((partition) => [partition.name, partition]))
  const homes = await createPartitions(sql, [...unique.values()])
  for (const [name, home] of homes) memory.homes.set(name, home)
}

/**
 * Refuses flushes while the outbox is full: events that are only there must not be deleted. Once
 * the replicator has found it full, flushes fail as if Postgres took no writes. A flush
 * learns this from the answer to an earlier one; the probe of the store learns that there is room
 * again.
 */
type FullOutbox = {
  /** @throws {StoreError} `unreachable` when it is full as far as is known. */
  check(): void
  /** Takes over the state from the answer to a flush. */
  report(isFull: boolean): void
  /**
   * Asks Postgres.
   * @throws {StoreError} `unreachable` when it is full.
   */
  probe(sql: Sql): Promise<void>
}

function createFullOutbox(): FullOutbox {
  let isKnownFull = false
  const check = () => {
    if (!isKnownFull) return
    const words = 'the outbox is full: ClickHouse has not taken events for long'
    throw new StoreError('unreachable', 'OUTBOX', words, undefined, true)
  }
  return {
    check,
    report(isFull) {
      isKnownFull = isFull
    },
    async probe(sql) {
      const [row] = await sql<{ isFull: boolean }[]>`
        select exists (select from event_keeper where id and is_full) as "isFull"`
      isKnownFull = row?.isFull === true
      check()
    },
  }
}
