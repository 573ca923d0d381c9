/** The database of the copy: statements one by one, transactions, locks of rows. */
import { type Locker, RowLocks } from '../row-locks.ts'
import type { SimProcess, Simulation } from '../simulation.ts'
import { type Reply, StoreHost } from '../store-line.ts'
import type { Described, Outcome, Scene, Values } from './described.ts'
import type { CopyMutant } from './mutant.ts'
import { copyTables, createTables, type Tables } from './tables.ts'

/** A failure with a code, as the driver throws it. */
export class CodedError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

type Done = { readonly described: Described; readonly scene: Omit<Scene, 'tables'> }

export type Session = Locker & {
  readonly isRepeatable: boolean
  /** Snapshot that it reads; undefined before its first statement. */
  snapshot: Tables | undefined
  /** Its statements, which are executed again when it commits. */
  readonly done: Done[]
  cancelIdle: () => void
  readonly forget: () => void
}

export type Asked = { readonly described: Described; readonly values: Values }

const LOCK_WAIT_MS = 3_000
const IDLE_MS = 4_000

export class CopyPostgres extends StoreHost {
  readonly tables = createTables()
  readonly #locks = new RowLocks()
  readonly #mutant: CopyMutant
  readonly #sessions = new Set<Session>()
  #lastId = 0

  constructor(sim: Simulation, mutant: CopyMutant) {
    super(sim, 'pg')
    this.#mutant = mutant
  }

  /** Takes the next id, whether or not it is used. */
  readonly takeId = (): number => {
    this.#lastId += 1
    return this.#lastId
  }

  override kill(): void {
    super.kill()
    for (const session of this.#sessions) this.end(session)
  }

  begin(process: SimProcess, isRepeatable: boolean): Session {
    // The server finds that the connection of an ended process is closed.
    const onEnd = () => {
      this.sim.after(this.sim.random.between(0.1, 50), () => this.end(session))
    }
    const session: Session = {
      ...{ isOver: false, held: new Set(), isRepeatable, snapshot: undefined, done: [] },
      cancelIdle: () => {},
      forget: () => process.onEnd.delete(onEnd),
    }
    this.#sessions.add(session)
    process.onEnd.add(onEnd)
    this.#rest(session)
    return session
  }

  /** Whether a transaction holds the key of an event of the ledger. */
  isHeld(uuid: string): boolean {
    return [...this.#sessions].some(({ done }) =>
      done.some(
        ({ described, scene }) =>
          described.begins === 'select from event_ledger where' && scene.values[2] === uuid,
      ),
    )
  }

  /** Rolls an open transaction back. */
  end(session: Session): void {
    session.cancelIdle()
    session.forget()
    if (this.#sessions.delete(session)) this.#locks.end(session)
  }

  #rest(session: Session): void {
    session.cancelIdle()
    session.cancelIdle = this.sim.after(IDLE_MS, () => this.end(session))
  }

  statement(session: Session, { described, values }: Asked, reply: Reply<Outcome>): void {
    if (session.isOver) {
      reply.fail(gone())
      return
    }
    session.cancelIdle()
    const { lock } = described
    const work = () => {
      this.#rest(session)
      try {
        reply.ok(this.#run(session, described, values))
      } catch (error) {
        this.end(session)
        reply.fail(error instanceof Error ? error : new Error(String(error)))
      }
    }
    if (lock === undefined) {
      work()
      return
    }
    if (lock.skips === true && !this.#locks.isFree(lock.name)) {
      this.#rest(session)
      reply.ok({ rows: [], count: 0 })
      return
    }
    let giveUp: () => void = () => {}
    const cancelWait = this.sim.after(LOCK_WAIT_MS, () => {
      giveUp()
      this.end(session)
      reply.fail(new CodedError('55P03', 'lock timeout'))
    })
    giveUp = this.#locks.take(lock.name, session, lock.mode, () => {
      cancelWait()
      work()
    })
  }

  #run(session: Session, described: Described, values: Values): Outcome {
    const ids: number[] = []
    let used = 0
    const takeId = () => {
      if (used === ids.length) ids.push(this.takeId())
      return ids[used++] ?? 0
    }
    const fail = (problem: string) => this.sim.fail(problem)
    const scene = { values, now: this.sim.now, mutant: this.#mutant, takeId, fail }
    if (session.isRepeatable) {
      session.snapshot ??= copyTables(this.tables)
      requireFresh(session.snapshot, this.tables, described)
    }
    const view = copyTables(session.snapshot ?? this.tables)
    for (const each of session.done) each.described.run({ ...each.scene, tables: view })
    const outcome = described.run({ ...scene, tables: view })
    // A repetition takes the same ids.
    const again = () => {
      let index = 0
      return () => ids[index++ % Math.max(ids.length, 1)] ?? 0
    }
    session.done.push({
      described,
      scene: { ...scene, takeId: again() },
    })
    return outcome
  }

  commit(session: Session, reply: Reply<true>): void {
    if (session.isOver) {
      reply.fail(gone())
      return
    }
    for (const { described, scene } of session.done)
      described.run({ ...scene, tables: this.tables })
    this.end(session)
    reply.ok(true)
  }
}

function gone(): CodedError {
  return new CodedError('25P03', 'terminating connection')
}

/** A transaction of one snapshot changes and locks only rows that nobody has changed since. */
function requireFresh(snapshot: Tables, tables: Tables, { begins, lock }: Described): void {
  const isStale = lock?.name === 'replicator' && snapshot.replicator !== tables.replicator
  const isGone =
    /^select (?:from \?|l\.project_id)/.test(begins) &&
    [...snapshot.events.keys()].some((uuid) => !tables.events.has(uuid))
  if (isStale || isGone) throw new CodedError('40001', 'could not serialize access')
}
