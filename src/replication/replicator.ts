/**
 * Replicator: sends the outbox to ClickHouse. Every worker runs one of these; the one that holds
 * the lease works, the others look whether it is free. No capture ever waits for anything here.
 *
 * One block at a time, in the order of their numbers: record it, send it, carry out its removals. A
 * failure leaves the block as it is, and the next attempt begins with it.
 */
import { ColumnError } from '../clickhouse/column-error.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import { backoffMs, halfJitter } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import {
  REPLICA_BLOCK_ROWS,
  REPLICA_LEASE_MS,
  REPLICA_LINGER_MS,
  REPLICA_READ_LINGER_MS,
} from '../core/limits/limits-replica.ts'
import type { Log } from '../core/log.ts'
import { runLoop } from '../core/loop.ts'
import { PERSONS } from '../event-store/outbox/gaps.ts'
import type { Sql } from '../postgres/connect.ts'
import { backfillSome, beginBackfill, type Fill, nextBackfill } from './backfill.ts'
import {
  isAwaited,
  LeaseLost,
  listWaiting,
  openBlock,
  type RecordedBlock,
  recordBlock,
  settleBroken,
} from './blocks.ts'
import {
  type Lease,
  type ReplicaState,
  recordState,
  releaseLease,
  renewLease,
  takeLease,
} from './lease.ts'
import { createMaintenance, type Maintenance } from './maintenance.ts'
import { keepBound, pruneOutbox } from './outbox-bounds.ts'
import { backfillSomeIds, beginIdBackfill, boundChanges, type IdBackfill } from './replicate-ids.ts'
import { shipBlock } from './ship-block.ts'

/** Intervals of looking for waiting events, and for a free lease. */
const REPLICA_LOOK_MS = 250
const REPLICA_LEASE_LOOK_MS = 2_000
/** Interval of measuring the outbox. */
const REPLICA_BOUND_LOOK_MS = 5_000
const REPLICA_PRUNE_MS = 60_000
/** Waits between attempts while ClickHouse refuses or is away. */
const REPLICA_RETRY_FIRST_MS = 250
const REPLICA_RETRY_MAX_MS = 15_000
/** Changes of distinct ids that wait for ClickHouse; above it all ids are sent anew. */
const REPLICA_IDS_WAITING_MAX = 2_000_000
/** While queries wait for the replica: interval of looking for events, pause between two blocks. */
const REPLICA_READ_LOOK_MS = 25

export type ReplicatorDeps = {
  readonly sql: Sql
  /** Pool for statements that read or remove much. */
  readonly scans: Sql
  /** Opens the replica for the holder of a lease: `openReplica`. */
  readonly open: (lease: Lease) => Promise<ColumnStore>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** Name of the lease holder, for people. */
  readonly holder: string
  readonly outboxBytesMax: number
  /** Called for each block that is stored. */
  readonly onShipped: (rows: number) => void
}

const RETRIES = { firstMs: REPLICA_RETRY_FIRST_MS, maxMs: REPLICA_RETRY_MAX_MS }

/** Ships until `signal` aborts; resolves once no work is in progress. Meant for a worker's life. */
export async function runReplicator(deps: ReplicatorDeps, signal: AbortSignal): Promise<void> {
  const { clock, log, random, sql, holder } = deps
  const options = { name: 'keep the copy of events', intervalMs: REPLICA_LEASE_LOOK_MS }
  const jitterMs = REPLICA_LEASE_LOOK_MS / 10
  await runLoop({ clock, log, random }, { ...options, jitterMs }, signal, async () => {
    const askedAt = clock.monotonic()
    const lease = await takeLease(sql, holder)
    if (lease === undefined) return
    log.info('this worker keeps the copy of events', { lease: String(lease.number) })
    await holdLease(deps, { lease, heldUntil: askedAt + REPLICA_LEASE_MS }, signal)
  })
}

/** Works until the lease is lost or `signal` aborts. */
async function holdLease(
  deps: ReplicatorDeps,
  { lease, heldUntil }: { readonly lease: Lease; readonly heldUntil: number },
  signal: AbortSignal,
): Promise<void> {
  const { clock, sql } = deps
  const lost = new AbortController()
  const ended = AbortSignal.any([signal, lost.signal])
  const work = new Replicator(deps, lease)
  // Aborts requests in flight; the next lease holder checks whether their block was stored.
  ended.addEventListener('abort', () => void work.close(), { once: true })
  const renewing = renew(deps, { lease, heldUntil }, lost, ended)
  try {
    while (!ended.aborted) {
      const waitMs = await work.turn(ended)
      if (waitMs > 0) {
        await clock.sleep(waitMs, ended).catch(() => {
          // Woken by the end; the condition above ends the loop.
        })
      }
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    deps.log.warn('the lease of the copy is lost', { lease: String(lease.number) })
  } finally {
    lost.abort()
    await renewing
    await work.close()
    await releaseLease(sql, lease).catch(() => {
      // It ends by itself.
    })
  }
}

/** Renews at a third of the lease, so that two tries may fail. Aborts `lost` when it has ended. */
async function renew(
  { clock, sql, log, random }: ReplicatorDeps,
  { lease, heldUntil }: { readonly lease: Lease; readonly heldUntil: number },
  lost: AbortController,
  ended: AbortSignal,
): Promise<void> {
  const intervalMs = REPLICA_LEASE_MS / 3
  const options = { name: 'renew the lease of the copy', intervalMs, jitterMs: 0 }
  let until = heldUntil
  let end = clock.after(REPLICA_LEASE_MS, () => lost.abort())
  await runLoop({ clock, log, random }, options, ended, async () => {
    const askedAt = clock.monotonic()
    if (!(await renewLease(sql, lease)) || clock.monotonic() > until) return lost.abort()
    until = askedAt + REPLICA_LEASE_MS
    end()
    end = clock.after(until - clock.monotonic(), () => lost.abort())
  })
  end()
}

/** The work of one lease. */
class Replicator {
  readonly #deps: ReplicatorDeps
  readonly #lease: Lease
  readonly #maintenance: Maintenance
  #store: ColumnStore | undefined
  #filling: Fill | undefined
  #fillingIds: IdBackfill | undefined
  #failures = 0
  #boundsAt = Number.NEGATIVE_INFINITY
  #prunedAt = Number.NEGATIVE_INFINITY
  #recordedAt = Number.NEGATIVE_INFINITY
  #isAwaited = false

  constructor(deps: ReplicatorDeps, lease: Lease) {
    this.#deps = deps
    this.#lease = lease
    this.#maintenance = createMaintenance(deps, lease)
  }

  /**
   * One step. @returns milliseconds to wait before the next one.
   * @throws {LeaseLost}
   */
  async turn(signal: AbortSignal): Promise<number> {
    const { log, random } = this.#deps
    try {
      await this.#keepBounds()
      const worked = await this.#step(signal)
      this.#failures = 0
      await this.#recordState('shipping', '')
      if (worked) return 0
      return this.#isAwaited ? REPLICA_READ_LOOK_MS : REPLICA_LOOK_MS
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) return this.#ended(error)
      this.#failures += 1
      // Shipping never needs data of Postgres, so `not_here` would be a defect.
      const isColumns = error instanceof ColumnError && error.kind !== 'not_here'
      const state = isColumns ? error.kind : 'failed'
      const problem = error instanceof Error ? error.message : String(error)
      if (this.#failures === 1) log.warn('the copy of events is not kept', { state, error })
      await this.#dropStore()
      await this.#recordState(state, problem)
      return halfJitter(backoffMs(RETRIES, this.#failures), random)
    }
  }

  #ended(error: unknown): number {
    if (error instanceof LeaseLost) throw error
    return 0
  }

  async #step(signal: AbortSignal): Promise<boolean> {
    const { sql, open } = this.#deps
    this.#store ??= await open(this.#lease)
    this.#isAwaited = await isAwaited(sql)
    // Runs before the events are shipped, so that they find their persons.
    await this.#maintenance.run(this.#store, this.#isAwaited)
    const block = await openBlock(sql)
    if (block !== undefined && !signal.aborted) {
      await this.#ship(this.#store, block)
      return true
    }
    return (await this.#record()) || (await this.#fill(this.#store))
  }

  /** Fills gaps while no row waits and no block is open. */
  async #fill(store: ColumnStore): Promise<boolean> {
    const { sql, scans, log } = this.#deps
    const month = await nextBackfill(sql)
    if (month === undefined) return false
    if (month === PERSONS) return await this.#fillIds(store)
    const deps = { sql: scans, store, lease: this.#lease, log }
    const [next] = this.#filling?.month === month ? this.#filling.left : []
    if (this.#filling === undefined || next === undefined) {
      const before = this.#filling?.month === month ? this.#filling : undefined
      this.#filling = await beginBackfill(deps, month, before)
      return false
    }
    await backfillSome(deps, this.#filling)
    return true
  }

  async #fillIds(store: ColumnStore): Promise<boolean> {
    const deps = { sql: this.#deps.scans, store, lease: this.#lease }
    this.#fillingIds ??= await beginIdBackfill(deps)
    if (!(await backfillSomeIds(deps, this.#fillingIds))) this.#fillingIds = undefined
    return true
  }

  async #ship(store: ColumnStore, block: RecordedBlock): Promise<void> {
    const { sql, log, onShipped } = this.#deps
    const lease = this.#lease
    const shipped = await shipBlock({ sql, store, lease }, block).catch(async (error) => {
      const isBroken = error instanceof ColumnError && error.kind === 'broken_block'
      if (!isBroken || !(await settleBroken(sql, lease, block))) throw error
      log.warn('a broken block is left to the fill of its month', { block: block.number })
      return undefined
    })
    if (shipped === undefined) return
    if (shipped.kind === 'stored') return onShipped(shipped.rows)
    const { number } = block
    log.warn('ClickHouse refuses a row of a block, which is split', { block: number, ...shipped })
  }

  /**
   * Small blocks wait for more: each becomes a part that ClickHouse has to merge. While a question
   * waits, the first one after a rest goes at once.
   */
  async #record(): Promise<boolean> {
    const { sql, clock } = this.#deps
    const now = clock.monotonic()
    const isRested = this.#isAwaited && now - this.#recordedAt >= REPLICA_READ_LINGER_MS
    const lingerMs = this.#isAwaited ? REPLICA_READ_LINGER_MS : REPLICA_LINGER_MS
    const ready = (await listWaiting(sql)).find(
      ({ rows, ageMs }) =>
        // A negative age: the clock of Postgres went back.
        isRested || rows >= REPLICA_BLOCK_ROWS || ageMs >= lingerMs || ageMs < 0,
    )
    if (ready === undefined) return false
    this.#recordedAt = now
    return await recordBlock(sql, this.#lease, ready.month)
  }

  async #keepBounds(): Promise<void> {
    const { sql, scans, clock, log, outboxBytesMax } = this.#deps
    const now = clock.monotonic()
    if (now - this.#boundsAt >= REPLICA_BOUND_LOOK_MS) {
      this.#boundsAt = now
      const { emptied, turned } = await keepBound(scans, this.#lease, outboxBytesMax)
      if (emptied > 0) log.error('the outbox was full: the copy is behind', { events: emptied })
      if (turned === 'full')
        log.error('the outbox is full: Postgres takes no events until it is not')
      if (turned === 'free') log.info('the outbox has room again')
      if (await boundChanges(scans, this.#lease, REPLICA_IDS_WAITING_MAX))
        this.#fillingIds = undefined
    }
    if (now - this.#prunedAt >= REPLICA_PRUNE_MS && !(await pruneOutbox(sql))) this.#prunedAt = now
  }

  #recordedState = ''

  async #recordState(state: ReplicaState, problem: string): Promise<void> {
    const words = `${state} ${problem}`
    if (words === this.#recordedState) return
    await recordState(this.#deps.sql, this.#lease, state, problem)
    if (state === 'broken_block') this.#deps.log.error('the copy of events is broken', { problem })
    this.#recordedState = words
  }

  async #dropStore(): Promise<void> {
    const store = this.#store
    this.#store = undefined
    await store?.close().catch(() => {
      // It failed already.
    })
  }

  close = (): Promise<void> => this.#dropStore()
}
