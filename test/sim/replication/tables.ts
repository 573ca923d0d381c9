/** The tables of Postgres that the copy of the events is kept with, and the events themselves. */
import type { Tombstone } from '../../../src/clickhouse/tombstone.ts'

export type OutboxRow = {
  readonly id: number
  readonly month: string
  readonly removal: Tombstone | null
  readonly payload: Buffer | null
  readonly skipped: readonly number[]
  readonly rows: number
  readonly textBytes: number
  /** Virtual milliseconds. */
  readonly committedAt: number
  readonly block: number | null
}

export type BlockRow = {
  readonly number: number
  readonly month: string
  readonly rows: number
  readonly isStored: boolean
  readonly isDone: boolean
}

export type StoredEvent = {
  readonly uuid: string
  readonly project: number
  readonly month: string
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly event: string
}

export type Gap = { readonly reason: string; readonly asked: boolean }

/** Rows are replaced and never changed, so that a snapshot is a copy of the maps. */
export type Tables = {
  replicator: { readonly copyId: string; readonly lease: bigint; readonly lastBlock: number }
  keeper: {
    readonly lease: bigint
    readonly expiresAt: number
    readonly state: string
    readonly isFull: boolean
  }
  /** Months of which Postgres has keys alone. */
  ledger: ReadonlySet<string>
  outbox: Map<number, OutboxRow>
  blocks: Map<number, BlockRow>
  gaps: Map<string, Gap>
  events: Map<string, StoredEvent>
  /** Events that ClickHouse refuses. */
  dead: Set<string>
}

export const MONTHS = ['y2026m09', 'y2026m10'] as const

export function createTables(): Tables {
  return {
    replicator: { copyId: '5ad1c0de-0000-4000-8000-000000000001', lease: 0n, lastBlock: 0 },
    keeper: { lease: 0n, expiresAt: Number.NEGATIVE_INFINITY, state: 'starting', isFull: false },
    ledger: new Set(),
    outbox: new Map(),
    blocks: new Map(),
    gaps: new Map(),
    events: new Map(),
    dead: new Set(),
  }
}

export function copyTables(tables: Tables): Tables {
  return {
    replicator: tables.replicator,
    keeper: tables.keeper,
    ledger: tables.ledger,
    outbox: new Map(tables.outbox),
    blocks: new Map(tables.blocks),
    gaps: new Map(tables.gaps),
    events: new Map(tables.events),
    dead: new Set(tables.dead),
  }
}

/** In the order of their ids. */
export function outboxOf(tables: Tables): readonly OutboxRow[] {
  return [...tables.outbox.values()].sort((a, b) => a.id - b.id)
}

export function openBlocks(tables: Tables): readonly BlockRow[] {
  return [...tables.blocks.values()]
    .filter(({ isDone }) => !isDone)
    .sort((a, b) => a.number - b.number)
}

export function eventsOf(tables: Tables, month: string): readonly StoredEvent[] {
  return [...tables.events.values()]
    .filter((event) => event.month === month)
    .sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
}
