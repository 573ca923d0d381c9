/** The NATS server of a run: the keys of members and the spill. */
import { parseRecord } from '../../cluster/members/member-record.ts'
import type { Registry, RegistryEvent } from '../../cluster/members/registry.ts'
import type { Member } from '../../cluster/members/view.ts'
import { MEMBER_DEAD_MS, MEMBER_RENEW_MS, MEMBER_TTL_MS } from '../../src/core/limits/limits.ts'
import { createMemoryRegistry, type MemoryRegistry } from '../support/cluster/memory-registry.ts'
import type { Ledger } from './ledger.ts'
import type { Mutant } from './mutant.ts'
import type { Simulation } from './simulation.ts'
import { StoreHost } from './store-line.ts'
import { Stream } from './stream.ts'

/**
 * A little less than the judging member's own bound, because the change took some time to reach it.
 */
const JUDGED_AFTER_MS = MEMBER_DEAD_MS - 300
/** Two renewals fail in this time, or one takes as long as it may. */
const NOTICED_MS = 2 * MEMBER_RENEW_MS + 200

export class SimNats extends StoreHost {
  readonly stored: MemoryRegistry
  readonly keys: Registry
  readonly stream: Stream
  /** Share of the changes that a watch misses, and of those that it gets twice. */
  watchLoss = 0
  watchTwice = 0
  /** Called with each change of a key. */
  readonly watchers = new Set<(event: RegistryEvent) => void>()
  /** Called when the server ends, stops or starts. */
  readonly onMode = new Set<() => void>()
  /** The newest change of each key, which a new watch gets. */
  readonly newest = new Map<string, RegistryEvent>()

  /** Whether the process of a member listens. */
  listens: (member: Member) => boolean = () => true
  /** When the writer of a key sent the request. */
  askedAt = 0
  readonly #heard = new Map<string, { readonly member: Member; readonly at: number }>()
  #leftAt = 0
  /** When it was back after an absence that members must have noticed. */
  #backAt = 0

  constructor(sim: Simulation, ledger: Ledger, mutant: Mutant) {
    super(sim, 'nats')
    const never = () => () => {}
    const clock = {
      now: () => sim.now,
      monotonic: () => sim.now,
      after: never,
      sleep: () => Promise.reject(new Error('a server that sleeps')),
    }
    this.stored = createMemoryRegistry({ clock, ttlMs: MEMBER_TTL_MS })
    this.keys = this.stored.client()
    this.stream = new Stream(sim, ledger, mutant)
    void this.keys.watch((event) => {
      this.#checkJudgement(event)
      this.newest.set(event.kind === 'put' ? event.entry.key : event.key, event)
      for (const tell of [...this.watchers]) tell(event)
    })
  }

  /** A member that listens is not declared dead too soon, or because of an absence of NATS. */
  #checkJudgement(event: RegistryEvent): void {
    if (event.kind !== 'put') return
    const { key, value } = event.entry
    const parsed = parseRecord(key, value)
    if (parsed.kind === 'member') {
      this.#heard.set(key, { member: parsed.record.member, at: this.sim.now })
      return
    }
    const heard = this.#heard.get(key)
    if (parsed.kind !== 'gone' || parsed.reason !== 'declared_dead' || heard === undefined) return
    // The condition on its key covers what it did while the verdict was on its way.
    const since = this.#backAt < this.askedAt ? Math.max(heard.at, this.#backAt) : heard.at
    const silentMs = Math.round(this.askedAt - since)
    if (silentMs > JUDGED_AFTER_MS || !this.listens(heard.member)) return
    this.sim.fail(`${key} was declared dead after ${silentMs} ms in which it could have renewed`)
  }

  #leave(): void {
    if (this.isUp) this.#leftAt = this.sim.now
  }

  override kill(): void {
    this.#leave()
    super.kill()
    this.stream.restart()
    this.#tellMode()
  }

  override freeze(): void {
    this.#leave()
    super.freeze()
    this.#tellMode()
  }

  override start(): void {
    if (!this.isUp && this.sim.now - this.#leftAt > NOTICED_MS) this.#backAt = this.sim.now
    super.start()
    this.#tellMode()
  }

  #tellMode(): void {
    for (const tell of [...this.onMode]) tell()
  }

  /** Loses its files. Messages of the spill are kept, because they could not be replaced. */
  wipe(): void {
    this.sim.note(() => 'nats loses its files')
    this.stored.wipe()
    this.newest.clear()
    if (this.stream.messages === 0) this.stream.wipe()
  }
}
