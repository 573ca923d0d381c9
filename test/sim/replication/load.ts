/**
 * Changes to the events while they are copied: flushes and removals of several workers. Each takes
 * its id in the outbox before it commits, so ids commit in any order, as in a database.
 */

import type { Tombstone } from '../../../src/clickhouse/tombstone.ts'
import { packEvents } from '../../../src/event-store/outbox/payload.ts'
import type { Simulation } from '../simulation.ts'
import { REFUSED } from './columns.ts'
import type { CopyPostgres } from './postgres.ts'
import { eventsOf, MONTHS, type OutboxRow, type StoredEvent } from './tables.ts'

const DAY_MS = 86_400_000
const PROJECTS = [1, 2]
const DAYS = ['03', '17']

export type LoadOptions = {
  readonly everyMs: number
  readonly removes: number
  readonly repeats: number
  readonly refused: number
}

export class Load {
  readonly counts = { stored: 0, repeated: 0, removed: 0 }
  /** Every event that was ever committed. */
  readonly known = new Set<string>()
  /** Events that were committed and not removed since: the copy must have them. */
  readonly wanted = new Map<string, StoredEvent>()
  readonly #sim: Simulation
  readonly #pg: CopyPostgres
  readonly #options: LoadOptions
  /** Keys of uncommitted changes: another change of a key would wait. */
  readonly #busy = new Set<string>()
  readonly #gone: StoredEvent[] = []
  #isOver = false

  constructor(sim: Simulation, pg: CopyPostgres, options: LoadOptions) {
    this.#sim = sim
    this.#pg = pg
    this.#options = options
  }

  start(): void {
    const { random } = this.#sim
    this.#sim.after(random.between(0.2, 2) * this.#options.everyMs, () => {
      if (this.#isOver) return
      if (this.#pg.isUp) {
        if (random.chance(this.#options.removes)) this.#remove()
        else this.#flush()
      }
      this.start()
    })
  }

  stop(): void {
    this.#isOver = true
  }

  /** Commits later, unless the database ends before. */
  #commit(rows: readonly OutboxRow[], work: () => void, busy: readonly string[]): void {
    const { incarnation } = this.#pg
    for (const uuid of busy) this.#busy.add(uuid)
    const commit = () => {
      const isSame = this.#pg.incarnation === incarnation && this.#pg.isUp
      // A writer waits for the holder of a key.
      if (isSame && busy.some((uuid) => this.#pg.isHeld(uuid))) {
        this.#sim.after(1, commit)
        return
      }
      for (const uuid of busy) this.#busy.delete(uuid)
      if (!isSame) return
      for (const row of rows) this.#pg.tables.outbox.set(row.id, row)
      work()
    }
    this.#sim.after(this.#sim.random.between(0.5, 30), commit)
  }

  #rowOf(month: string): OutboxRow {
    const empty = { removal: null, payload: null, skipped: [], rows: 0, textBytes: 0, block: null }
    return { id: this.#pg.takeId(), month, ...empty, committedAt: this.#sim.now }
  }

  #flush(): void {
    const { random } = this.#sim
    if (this.#pg.tables.keeper.isFull) return
    const month = random.pick(MONTHS)
    const given = Array.from({ length: 1 + random.integer(5) }, () => this.#someEvent(month))
    const events = [...new Map(given.map((event) => [event.uuid, event])).values()].filter(
      ({ uuid }) => !this.#busy.has(uuid),
    )
    const { tables } = this.#pg
    const isNew = (event: StoredEvent) => !tables.events.has(event.uuid)
    const stored = events.filter(isNew)
    this.counts.repeated += events.length - stored.length
    if (stored.length === 0) return
    const skipped = events.flatMap((event, place) => (isNew(event) ? [] : [place]))
    const packed = events.map(({ uuid, project, event, day }) => ({
      ...{ projectId: project, uuid, event, distinctId: 'd', properties: '{}' },
      ...{ elementsChain: '', timestamp: `${day}T00:00:00.000000Z` },
    }))
    const row = this.#rowOf(month)
    void packEvents(packed).then(({ bytes, textBytes }) => {
      const whole = { ...row, payload: bytes, textBytes, skipped, rows: stored.length }
      const store = () => {
        for (const event of stored) {
          tables.events.set(event.uuid, event)
          this.known.add(event.uuid)
          this.wanted.set(event.uuid, event)
        }
        this.counts.stored += stored.length
      }
      this.#commit(
        [whole],
        store,
        stored.map(({ uuid }) => uuid),
      )
    })
  }

  #someEvent(month: string): StoredEvent {
    const { random } = this.#sim
    // The events removed last are stored again soonest.
    const gone = this.#gone.slice(-12)
    const known = random.chance(0.7) ? gone : eventsOf(this.#pg.tables, month)
    const again = known.length > 0 && random.chance(this.#options.repeats)
    if (again) {
      const event = random.pick(known)
      if (event.month === month) return event
    }
    const hex = () => random.bits().toString(16).padStart(8, '0')
    const [a, b, c, d] = [hex(), hex(), hex(), hex()]
    return {
      uuid: `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`,
      project: random.pick(PROJECTS),
      month,
      day: `${month.slice(1, 5)}-${month.slice(6)}-${random.pick(DAYS)}`,
      event: random.chance(this.#options.refused) ? REFUSED : 'seen',
    }
  }

  #remove(): void {
    const { random } = this.#sim
    const month = random.pick(MONTHS)
    const project = random.pick(PROJECTS)
    const isWhole = random.chance(0.2)
    const there = eventsOf(this.#pg.tables, month)
    // A month goes under a lock that waits for those who write to it.
    if (isWhole && this.#busy.size > 0) return
    const goes = there.filter(
      (event) =>
        !this.#busy.has(event.uuid) &&
        (isWhole || (event.project === project && random.chance(0.4))),
    )
    if (goes.length === 0) return
    const keys = goes.map(({ day, uuid }) => [Date.parse(day) / DAY_MS, uuid] as const)
    const removal: Tombstone = isWhole ? { kind: 'month' } : { kind: 'events', project, keys }
    const row = { ...this.#rowOf(month), removal }
    const work = () => {
      for (const event of goes) {
        this.#pg.tables.events.delete(event.uuid)
        this.wanted.delete(event.uuid)
      }
      this.#gone.push(...goes)
      this.counts.removed += goes.length
    }
    // The month is locked, so its removal takes no time.
    if (isWhole) {
      this.#pg.tables.outbox.set(row.id, row)
      work()
    } else
      this.#commit(
        [row],
        work,
        goes.map(({ uuid }) => uuid),
      )
  }
}
