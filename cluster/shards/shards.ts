/**
 * The shards of one worker. After everything that happens, the next steps are planned anew
 * (`shard-plan.ts`) and begun (`shard-taker.ts`, `shard-giver.ts`, `shard-row-reader.ts`). Their
 * outcomes change the states of the shards (`ownership.ts`, kept by `shard-ledger.ts`). All
 * dependencies are parameters, so that a simulation runs this code.
 *
 *   active -> draining -> closed
 *
 * While draining, shards are given back and none is claimed. `close` drains first.
 */

import type { Clock } from '../../src/core/clock.ts'
import { AppError, assert } from '../../src/core/code.ts'
import { within } from '../../src/core/deadline.ts'
import { type Failpoints, NO_FAILPOINTS } from '../../src/core/failpoint.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { SHARD_ROWS_WANTED_MS, SHARDS_CLOSE_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { MemberStore } from '../members/member-store.ts'
import type { Member, View } from '../members/view.ts'
import { NotOwnerError } from './not-owner.ts'
import { availabilityOf, probableOwner, type ShardAvailability } from './shard-availability.ts'
import {
  createRunningChanges,
  createShardGiver,
  type RunningChanges,
  type ShardGiver,
} from './shard-giver.ts'
import { createShardLedger, type ShardLedger } from './shard-ledger.ts'
import { ALL_SHARDS, type Assignment, assign, planShards, type Situation } from './shard-plan.ts'
import { createShardRowReader, type ShardRowReader } from './shard-row-reader.ts'
import type { ShardStore } from './shard-store.ts'
import { createShardStoreRetry, type ShardStoreRetry } from './shard-store-retry.ts'
import { createShardTaker, type ShardTaker } from './shard-taker.ts'
import { createShardWaiters, type ShardWaiters } from './shard-waiters.ts'
import type { Peers, Shards } from './shards-port.ts'

/** Longest wait of a mutation for the owner of its shard. */
export const OWNERSHIP_WAIT_MS = 3_000
assert(SHARD_ROWS_WANTED_MS < OWNERSHIP_WAIT_MS, 'who waits for a shard sees the rows change')

export type ShardsDeps = {
  readonly store: ShardStore
  readonly members: Pick<MemberStore, 'view' | 'subscribe' | 'confirmed'>
  /** Id of this member. It takes shards as soon as it is in the view. */
  readonly self: string
  readonly peers: Peers
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly failpoints?: Failpoints
}

/** Begins at once: reads the rows, and claims all unowned shards by one statement. */
export function createShards(deps: ShardsDeps): Shards {
  return new WorkerShards(deps)
}

class WorkerShards implements Shards {
  readonly #self: string
  readonly #members: ShardsDeps['members']
  readonly #clock: Clock
  readonly #log: Log
  readonly #changes: RunningChanges
  readonly #conditions: Conditions = createConditions()
  readonly #waiters: ShardWaiters
  readonly #ledger: ShardLedger
  readonly #retry: ShardStoreRetry
  readonly #reader: ShardRowReader
  readonly #giver: ShardGiver
  readonly #taker: ShardTaker
  readonly #tasks = new Set<Promise<unknown>>()
  readonly #unsubscribe: () => void
  #phase: 'active' | 'draining' | 'closed' = 'active'
  #closing: Promise<void> | undefined
  #assignment: Assignment
  /** Monotonic time since which the assignment has been the same. */
  #stableSince: number
  #cancelTimer: () => void = () => {}

  constructor(deps: ShardsDeps) {
    const { store, members, self, peers, clock, log, random, failpoints = NO_FAILPOINTS } = deps
    this.#self = self
    this.#members = members
    this.#clock = clock
    this.#log = log
    this.#assignment = assign(members.view())
    this.#stableSince = clock.monotonic()
    const changes = createRunningChanges(clock)
    const ledger = createShardLedger({ self, clock, log, onChange: () => this.#wakeWaiting() })
    const retry = createShardStoreRetry({ clock, log, random })
    const reader = createShardRowReader({ store, ledger, retry, clock, random })
    this.#changes = changes
    this.#ledger = ledger
    this.#retry = retry
    this.#reader = reader
    this.#waiters = createShardWaiters({
      clock,
      availability: (shard) => this.#availabilityOf(shard),
    })
    this.#giver = createShardGiver({ self, store, ledger, changes, retry, failpoints })
    this.#taker = createShardTaker({
      self,
      store,
      peers,
      ledger,
      retry,
      lastRead: () => reader.begun(),
      clock,
      log,
      random,
      failpoints,
    })
    this.#unsubscribe = members.subscribe((view) => this.#apply(view))
    this.#step()
  }

  epochOf(shard: ShardId): Epoch | undefined {
    return this.#phase === 'closed' ? undefined : this.#ledger.held().get(shard)
  }

  hold(shard: ShardId, signal?: AbortSignal): Promise<Epoch> {
    return this.#waiters.wait(shard, this.#clock.monotonic() + OWNERSHIP_WAIT_MS, signal)
  }

  async run<T>(shard: ShardId, change: (epoch: Epoch) => Promise<T>): Promise<T> {
    const until = this.#clock.monotonic() + OWNERSHIP_WAIT_MS
    let epoch = this.epochOf(shard)
    while (epoch === undefined) {
      await this.#waiters.wait(shard, until)
      // A hand-off may have begun since the wait resolved.
      epoch = this.epochOf(shard)
    }
    this.#changes.enter(shard)
    try {
      return await change(epoch)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'fenced') throw error
      this.#log.warn('shard fenced', { shard, epoch: String(epoch) })
      this.#ledger.apply([[shard, { kind: 'fenced', epoch, read: this.#reader.begun() }]])
    } finally {
      this.#changes.leave(shard)
    }
    this.#step()
    // Nothing was written, so the call can be passed on as soon as the rows name the owner.
    await this.hold(shard)
    throw new NotOwnerError(shard, undefined)
  }

  ownerOf(shard: ShardId): Member | undefined {
    return probableOwner(shard, this.#ledger.stateOf(shard), this.#situation())
  }

  held(): ReadonlyMap<ShardId, Epoch> {
    return this.#phase === 'closed' ? new Map() : this.#ledger.held()
  }

  subscribe(listener: () => void): () => void {
    return this.#ledger.subscribe(listener)
  }

  async release(shards: readonly ShardId[], to: string): Promise<readonly ShardId[]> {
    const gone = await this.#giver.give(shards, to)
    this.#step()
    return gone
  }

  ready(): Promise<void> {
    return this.#conditions.until(() => this.#phase === 'closed' || this.#isReady())
  }

  drain(): Promise<void> {
    if (this.#phase === 'active') this.#phase = 'draining'
    this.#step()
    return this.#conditions.until(() => this.#phase === 'closed' || this.#holdsNothing())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const drained = this.drain().then(() => Promise.allSettled(this.#tasks))
    await within(this.#clock, { ms: SHARDS_CLOSE_MS, keepsAlive: true }, drained, () => {})
    const left = this.#ledger.held().size
    if (left > 0) this.#log.warn('shards are left for others to claim', { shards: left })
    this.#phase = 'closed'
    this.#cancelTimer()
    this.#unsubscribe()
    this.#wakeWaiting()
  }

  /** Begins the steps that are due, and sets the timer for the time when others may be. */
  #step(): void {
    if (this.#phase === 'closed') return
    this.#cancelTimer()
    const now = this.#clock.monotonic()
    const plan = planShards(this.#ledger.stateOf, this.#situation())
    const readAt = this.#reader.dueAt(plan)
    const retryAt = this.#retry.notBefore()
    if (now >= retryAt) {
      if (plan.release.length > 0) this.#begin(this.#giver.give(plan.release, ''))
      if (plan.claim.length > 0) this.#begin(this.#taker.claim(plan.claim))
      for (const question of plan.ask) this.#begin(this.#taker.ask(question))
      if (!this.#reader.isReading() && now >= readAt) this.#begin(this.#reader.read())
    }
    // A read that is under way ends with another step, but a release or a claim may be due before.
    const dueAt = this.#reader.isReading() ? now + SHARD_ROWS_WANTED_MS : Math.max(readAt, retryAt)
    this.#cancelTimer = this.#clock.after(Math.max(1, dueAt - now), () => this.#step())
    this.#wakeWaiting()
  }

  #begin(work: Promise<unknown>): void {
    const task = work.then(() => {
      this.#tasks.delete(task)
      this.#step()
    })
    this.#tasks.add(task)
  }

  #apply(view: View): void {
    const next = assign(view)
    // A gateway that joins or leaves does not delay a move.
    if (next.signature !== this.#assignment.signature) this.#stableSince = this.#clock.monotonic()
    this.#assignment = next
    this.#step()
  }

  #situation(): Situation {
    return {
      self: this.#self,
      assignment: this.#assignment,
      stableSince: this.#stableSince,
      now: this.#clock.monotonic(),
      confirmed: this.#members.confirmed(),
      draining: this.#phase !== 'active',
      reads: this.#reader.begun(),
    }
  }

  #availabilityOf(shard: ShardId): ShardAvailability {
    if (this.#phase !== 'closed') {
      return availabilityOf(shard, this.#ledger.stateOf(shard), this.#situation())
    }
    const owner = this.#assignment.preferred(shard)
    return { kind: 'elsewhere', owner: owner?.id === this.#self ? undefined : owner }
  }

  #wakeWaiting(): void {
    this.#waiters.settle()
    this.#conditions.changed()
  }

  #holdsNothing(): boolean {
    return ALL_SHARDS.every((shard) => {
      const { kind } = this.#ledger.stateOf(shard)
      return kind === 'away' || kind === 'asking' || kind === 'released'
    })
  }

  #isReady(): boolean {
    const isKnown = ALL_SHARDS.every((shard) => {
      const { kind } = this.#ledger.stateOf(shard)
      return kind !== 'unknown' && kind !== 'claiming'
    })
    if (!isKnown || !this.#members.confirmed()) return false
    return planShards(this.#ledger.stateOf, this.#situation()).claim.length === 0
  }
}

/** Waits for conditions that only a reported change can make true. */
type Conditions = {
  /** Resolves once `isTrue` answers true: tried now, and after each change. */
  until(isTrue: () => boolean): Promise<void>
  /** Reports a change: every condition is tried again. */
  changed(): void
}

function createConditions(): Conditions {
  const waiting = new Set<() => void>()

  return {
    until: (isTrue) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isTrue()) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    changed() {
      for (const check of [...waiting]) check()
    },
  }
}
