/** The database that all workers share: rows of shards, projects, events. */
import type { ShardRow } from '../../cluster/shards/shard-store.ts'
import { type Epoch, epoch, type ShardId, shardId } from '../../src/core/ids.ts'
import { SHARD_COUNT } from '../../src/core/limits/limits.ts'
import type { PersonsChanged } from '../../src/events/event-batch.ts'
import { type FlushResult, type FlushRow, StoreError } from '../../src/ingest/store-port.ts'
import type { Ledger } from './ledger.ts'
import type { Mutant } from './mutant.ts'
import { type Locker, RowLocks } from './row-locks.ts'
import type { SimProcess, Simulation } from './simulation.ts'
import { type Reply, StoreHost } from './store-line.ts'

/** A connection in a transaction. */
export type Session = Locker & {
  readonly by: string
  /** The shard and epoch that it has locked. */
  fence: { readonly shard: ShardId; readonly epoch: Epoch } | undefined
  cancelIdle: () => void
  /** Removes the listener of its process's end. */
  forget: () => void
}

const LOCK_WAIT_MS = 3_000
const IDLE_MS = 4_000
/** The name of events that the database refuses. */
export const POISON = 'poison'

export const unavailable = (message: string) => new StoreError('unreachable', '57P01', message)

export class SimPostgres extends StoreHost {
  readonly rows: ShardRow[]
  /** Share of flushes that conflict with a concurrent one. */
  conflicts = 0
  readonly #locks = new RowLocks()
  readonly #ledger: Ledger
  readonly #mutant: Mutant
  readonly #sessions = new Set<Session>()

  constructor(sim: Simulation, ledger: Ledger, mutant: Mutant) {
    super(sim, 'pg')
    this.#ledger = ledger
    this.#mutant = mutant
    this.rows = Array.from({ length: SHARD_COUNT }, (_, index) => {
      return { shard: shardId(index), epoch: epoch(0n), owner: '', released: true }
    })
  }

  override kill(): void {
    super.kill()
    for (const session of this.#sessions) this.end(session)
  }

  begin(process: SimProcess, by: string): Session {
    const session: Session = {
      ...{ by, isOver: false, held: new Set(), fence: undefined },
      cancelIdle: () => {},
      forget: () => process.onEnd.delete(onEnd),
    }
    this.#sessions.add(session)
    // The server finds that the connection of an ended process is closed.
    const onEnd = () => {
      this.sim.after(this.sim.random.between(0.1, 50), () => this.end(session))
    }
    process.onEnd.add(onEnd)
    this.#rest(session)
    return session
  }

  /** Rolls an open transaction back. */
  end(session: Session): void {
    session.cancelIdle()
    session.forget()
    if (!this.#sessions.delete(session)) return
    this.#locks.end(session)
  }

  /** Ends a transaction that is idle for too long. */
  #rest(session: Session): void {
    session.cancelIdle()
    session.cancelIdle = this.sim.after(IDLE_MS, () => this.end(session))
  }

  /** A statement of a transaction. `work` runs when it has the lock. */
  #lock(
    session: Session,
    name: string,
    mode: 'share' | 'alone',
    reply: Reply<never>,
    work: () => void,
  ): void {
    if (session.isOver) {
      reply.fail(unavailable('terminating connection'))
      return
    }
    session.cancelIdle()
    const cancelWait = this.sim.after(LOCK_WAIT_MS, () => {
      giveUp()
      this.end(session)
      reply.fail(new StoreError('unreachable', '55P03', 'lock timeout'))
    })
    let giveUp: () => void = () => {}
    giveUp = this.#locks.take(name, session, mode, () => {
      cancelWait()
      this.#rest(session)
      work()
    })
  }

  row(shard: ShardId): ShardRow {
    const row = this.rows[shard]
    if (row === undefined) throw new RangeError(`no shard ${shard}`)
    return row
  }

  claimFree(
    owner: string,
    wanted: readonly { readonly shard: ShardId; readonly epoch: Epoch }[],
  ): Map<ShardId, Epoch> {
    const won = new Map<ShardId, Epoch>()
    for (const { shard, epoch: seen } of wanted) {
      if (!this.#mutant.claimDoesNotWait && !this.#locks.isFree(`shard ${shard}`)) continue
      this.#claim(owner, shard, seen, won)
    }
    return won
  }

  claimWaiting(
    session: Session,
    wanted: readonly { readonly shard: ShardId; readonly epoch: Epoch }[],
    reply: Reply<Map<ShardId, Epoch>>,
  ): void {
    const left = [...wanted]
    const next = () => {
      const first = left.shift()
      if (first !== undefined) {
        this.#lock(session, `shard ${first.shard}`, 'alone', reply, next)
        return
      }
      const won = new Map<ShardId, Epoch>()
      for (const { shard, epoch: seen } of wanted) this.#claim(session.by, shard, seen, won)
      this.end(session)
      reply.ok(won)
    }
    next()
  }

  #claim(owner: string, shard: ShardId, seen: Epoch, won: Map<ShardId, Epoch>): void {
    const row = this.row(shard)
    if (row.epoch !== seen && !this.#mutant.claimIgnoresEpoch) return
    const next = epoch(seen + 1n)
    if (next <= row.epoch) this.sim.fail(`epoch of shard ${shard} fell to ${next}`)
    this.rows[shard] = { shard, epoch: next, owner, released: false }
    won.set(shard, next)
  }

  release(owner: string, held: ReadonlyMap<ShardId, Epoch>): void {
    for (const [shard, under] of held) {
      const row = this.row(shard)
      if (row.epoch === under && row.owner === owner) this.rows[shard] = { ...row, released: true }
    }
  }

  fence(session: Session, shard: ShardId, under: Epoch, reply: Reply<'held' | 'fenced'>): void {
    this.#lock(session, `shard ${shard}`, 'share', reply, () => {
      session.fence = { shard, epoch: under }
      if (this.row(shard).epoch === under || this.#mutant.fenceUnchecked) reply.ok('held')
      else {
        this.end(session)
        reply.ok('fenced')
      }
    })
  }

  raise(session: Session, project: number, reply: Reply<true>): void {
    this.#lock(session, `project ${project}`, 'alone', reply, () => reply.ok(true))
  }

  commit(session: Session, project: number, op: string, reply: Reply<number>): void {
    const { fence, by } = session
    if (session.isOver || fence === undefined) {
      reply.fail(unavailable('terminating connection'))
      return
    }
    const row = this.row(fence.shard)
    if (row.epoch !== fence.epoch || row.owner !== by) {
      const holder = `epoch ${row.epoch} of ${row.owner}`
      this.sim.fail(`${by} changed shard ${fence.shard} under ${fence.epoch}, past ${holder}`)
    }
    const version = this.#ledger.change(project, { op, epoch: fence.epoch, by })
    this.sim.note(() => `change ${op} of project ${project} makes version ${version}, by ${by}`)
    this.end(session)
    reply.ok(version)
  }

  flush(from: SimProcess, rows: readonly FlushRow[], reply: Reply<FlushResult>): void {
    const early: FlushResult = { duplicates: [], missingProjects: new Set(), changed: [] }
    if (this.#mutant.flushAnswersEarly) reply.ok(early)
    this.work(this.sim.random.between(0.5, 4), () => {
      if (rows.some(({ event }) => event.event === POISON)) {
        reply.fail(new StoreError('data', '22P02', 'poison'))
        return
      }
      if (this.sim.random.chance(this.conflicts)) {
        reply.fail(new StoreError('conflict', '40P01', 'deadlock'))
        return
      }
      reply.ok(this.#insert(from, rows))
    })
  }

  #insert({ name }: SimProcess, rows: readonly FlushRow[]): FlushResult {
    const duplicates: number[] = []
    const changed: PersonsChanged[] = []
    for (const [index, { projectId, event }] of rows.entries()) {
      if (this.#ledger.isStored(event.uuid) && !this.#mutant.storesTwice) {
        duplicates.push(index)
        continue
      }
      this.#ledger.store(event.uuid, 'event')
      const { set } = event.person
      if (set !== '') changed.push({ projectId, distinctIds: [event.distinctId], groups: [] })
    }
    this.sim.note(() => `${name} commits ${rows.length} events, ${duplicates.length} known`)
    return { duplicates, missingProjects: new Set(), changed }
  }

  deadLetter({ event }: FlushRow, reply: Reply<void>): void {
    this.work(this.sim.random.between(0.5, 4), () => {
      this.#ledger.store(event.uuid, 'dead letter')
      reply.ok(undefined)
    })
  }
}
