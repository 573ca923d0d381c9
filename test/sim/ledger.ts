/** Records the fate of every event and every change. It knows more than any process does. */
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { SHARD_COUNT } from '../../src/core/limits/limits.ts'
import type { Simulation } from './simulation.ts'

type Change = { readonly op: string; readonly epoch: Epoch; readonly by: string }

/** Checks each step of an event or a change when it happens. */
export class Ledger {
  readonly counts = { stored: 0, spilled: 0, drained: 0, dead: 0, acked: 0, changes: 0 }
  readonly #sim: Simulation
  readonly #sent = new Set<string>()
  readonly #stored = new Set<string>()
  /** How many messages of the spill have the event. */
  readonly #spilled = new Map<string, number>()
  readonly #acked = new Set<string>()
  /** The committed changes of each project. Their number is its version. */
  readonly #changes = new Map<number, Change[]>()
  readonly #ops = new Set<string>()
  /** The process that held a shard under an epoch. */
  readonly #holders = new Map<number, string>()
  /** The newest version of each project that a client knows. */
  readonly #ackedVersion = new Map<number, number>()

  constructor(sim: Simulation) {
    this.#sim = sim
  }

  send(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#sent.add(uuid)
  }

  /** The database has it from now on, as an event or as a dead letter. */
  store(uuid: string, as: 'event' | 'dead letter'): void {
    if (!this.#sent.has(uuid)) this.#sim.fail(`nobody sent ${uuid}, which is stored`)
    if (as === 'event' && this.#stored.has(uuid)) this.#sim.fail(`${uuid} is stored twice`)
    this.#stored.add(uuid)
    this.counts[as === 'event' ? 'stored' : 'dead'] += 1
  }

  isStored(uuid: string): boolean {
    return this.#stored.has(uuid)
  }

  spill(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      if (!this.#sent.has(uuid)) this.#sim.fail(`nobody sent ${uuid}, which is spilled`)
      this.#spilled.set(uuid, (this.#spilled.get(uuid) ?? 0) + 1)
    }
    this.counts.spilled += uuids.length
  }

  /** A message has left the spill. */
  unspill(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      const left = (this.#spilled.get(uuid) ?? 0) - 1
      if (left > 0) this.#spilled.set(uuid, left)
      else this.#spilled.delete(uuid)
      if (this.#acked.has(uuid)) this.#requireKept(uuid)
    }
    this.counts.drained += uuids.length
  }

  spilled(): number {
    return this.#spilled.size
  }

  /** A client was told that its events are safe. */
  ack(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      this.#acked.add(uuid)
      this.#requireKept(uuid)
    }
    this.counts.acked += uuids.length
  }

  #requireKept(uuid: string): void {
    if (this.#stored.has(uuid) || this.#spilled.has(uuid)) return
    this.#sim.fail(`${uuid} was acknowledged, and is nowhere`)
  }

  /** Every acknowledged event must be in the database; being in the spill does not count. */
  requireAllStored(): void {
    for (const uuid of this.#acked) {
      if (!this.#stored.has(uuid)) this.#sim.fail(`${uuid} was acknowledged, and is not stored`)
    }
  }

  /** A worker believes that it owns these shards. */
  hold(by: string, held: ReadonlyMap<ShardId, Epoch>, newest: (shard: ShardId) => Epoch): void {
    for (const [shard, epoch] of held) {
      const place = shard + SHARD_COUNT * Number(epoch)
      const other = this.#holders.get(place)
      if (other === by) continue
      this.#holders.set(place, by)
      const what = `shard ${shard} under epoch ${epoch}`
      if (other !== undefined) this.#sim.fail(`${other} and ${by} hold ${what}`)
      if (epoch > newest(shard)) this.#sim.fail(`${by} holds ${what}, which nobody has claimed`)
    }
  }

  /** A change is committed. @returns the version that it makes. */
  change(project: number, change: Change): number {
    const all = this.#changes.get(project) ?? []
    this.#changes.set(project, all)
    const last = all.at(-1)
    if (this.#ops.has(change.op)) this.#sim.fail(`change ${change.op} is committed twice`)
    if (last !== undefined && change.epoch < last.epoch) {
      const epochs = `${change.epoch} after ${last.epoch}`
      this.#sim.fail(`project ${project} was changed under epoch ${epochs}`)
    }
    if (last !== undefined && change.epoch === last.epoch && change.by !== last.by) {
      this.#sim.fail(`${last.by} and ${change.by} change project ${project} under one epoch`)
    }
    this.#ops.add(change.op)
    all.push(change)
    this.counts.changes += 1
    return all.length
  }

  /** The version that a client knows when it asks for another change. */
  ackedVersion(project: number): number {
    return this.#ackedVersion.get(project) ?? 0
  }

  /** A client got the answer that its change made this version. It knew `since` when it asked. */
  ackChange(project: number, op: string, version: number, since: number): void {
    const change = this.#changes.get(project)?.[version - 1]
    if (change?.op !== op) this.#sim.fail(`change ${op} was acknowledged, and is not committed`)
    if (version <= since) this.#sim.fail(`version ${version} came after ${since}`)
    this.#ackedVersion.set(project, Math.max(version, this.ackedVersion(project)))
  }
}
