/**
 * Statements of a flush by the homes of its months. Nearly always it is one: months are in `events`
 * or in the key index; there are two while months move, or for unusual times.
 */
import { assert } from '../../../core/code.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { type FlushRow, StoreError } from '../../../ingest/store-port.ts'
import type { Db } from '../../../postgres/db.ts'
import { type MonthHome, type MonthHomes, partitionOf } from '../../months/partitions.ts'
import type { GroupTypes } from '../persons/groups-sql.ts'
import {
  type EventsInput,
  type EventsWritten,
  NOTHING_BESIDE,
  type Unseen,
  writeEvents,
} from './events-sql.ts'
import { insertOutbox, packFlush } from './flush-outbox.ts'
import type { IngestMemory } from './ingest-memory.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

/** Rows of one home, and their places in the flush; undefined: those are all. */
type FlushPart = {
  readonly home: MonthHome
  readonly rows: readonly FlushRow[]
  readonly places: readonly number[] | undefined
}

/**
 * Splits rows by home. Nearly always all known months have one home: then no row is examined.
 * @param homes of all months of the rows, and maybe of others.
 */
function partsOf(rows: readonly FlushRow[], homes: MonthHomes): readonly FlushPart[] {
  const [only = 'events', ...others] = new Set(homes.values())
  if (others.length === 0) return rows.length === 0 ? [] : [{ home: only, rows, places: undefined }]
  const parts = new Map<MonthHome, { rows: FlushRow[]; places: number[] }>()
  for (const [place, row] of rows.entries()) {
    const home = homes.get(partitionOf(storedTimestamp(row.event)).name) ?? 'events'
    const part = parts.get(home) ?? { rows: [], places: [] }
    parts.set(home, part)
    part.rows.push(row)
    part.places.push(place)
  }
  return [...parts].map(([home, part]) => ({ home, ...part }))
}

/** An input with the places of its rows in the flush. */
type PlacedInput = { readonly input: EventsInput; readonly places: FlushPart['places'] }

export type FlushWork = {
  readonly flush: PreparedFlush
  readonly inputs: readonly PlacedInput[]
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
  readonly unseen: Unseen
  readonly projectIds: readonly ProjectId[]
}

type WorkContext = {
  readonly memory: IngestMemory
  readonly countSlot: number
  readonly replicates: boolean
}

/**
 * @throws {StoreError} `unreachable` when a month is in the key index and this worker keeps no
 * replica.
 */
export async function workOf(
  { memory, countSlot, replicates }: WorkContext,
  flush: PreparedFlush,
  types: ReadonlyMap<ProjectId, GroupTypes>,
): Promise<FlushWork> {
  const projectIds = [...new Set(flush.rows.map((row) => row.projectId))]
  const { isNearMidnight } = flush
  const inputs: PlacedInput[] = []
  for (const { home, rows, places } of partsOf(flush.rows, memory.homes)) {
    if (home === 'keys' && !replicates) throw new StoreError('unreachable', 'LEDGER', NO_EVENTS_URL)
    const packed = replicates ? await packFlush(rows, types) : undefined
    const input = { rows, home, types, projectIds, countSlot, isNearMidnight, packed }
    inputs.push({ places, input })
  }
  return { flush, inputs, types, projectIds, unseen: memory.unseenOf(flush.rows) }
}

const NO_EVENTS_URL = 'events are in ClickHouse alone, and this worker has no EVENTS_URL'

/**
 * The only input of a flush that one statement can write. Events of a month that has not left
 * Postgres take a transaction, with what the outbox gets.
 */
export function onlyInput({ inputs }: FlushWork): EventsInput | undefined {
  const [first, ...others] = inputs
  if (first === undefined || others.length > 0) return undefined
  const { input } = first
  return input.home === 'events' && input.packed !== undefined ? undefined : input
}

/** Writes only the events of all inputs, with the outbox. Call within a transaction. */
export async function writeInputs(db: Db, inputs: readonly PlacedInput[]): Promise<EventsWritten> {
  const liveProjectIds = new Set<number>()
  const skipped: number[] = []
  let isFull = false
  for (const { input, places } of inputs) {
    const written = await writeInput(db, input)
    for (const id of written.liveProjectIds) liveProjectIds.add(id)
    for (const index of written.skipped) skipped.push(places?.[index] ?? index)
    isFull ||= written.isFull
  }
  return { liveProjectIds, skipped, isFull }
}

async function writeInput(db: Db, input: EventsInput): Promise<EventsWritten> {
  const written = await writeEvents(db, input, NOTHING_BESIDE)
  assert(written !== undefined, 'events alone need no plan')
  const { home, packed, rows } = input
  if (home === 'keys' || packed === undefined) return written
  const skipped = new Set(written.skipped)
  const isFull = await insertOutbox(db, packed, (position) => {
    const project = rows[position]?.projectId
    return skipped.has(position) || project === undefined || !written.liveProjectIds.has(project)
  })
  return { ...written, isFull }
}
