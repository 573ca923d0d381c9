/** The spill's stream at the server: messages in order, each until it is acknowledged. */

import { SPILL_ACK_WAIT_MS, SPILL_DUPLICATES_MS } from '../../src/core/limits/limits.ts'
import { decodeSpillMessage } from '../../src/ingest/spill/spill-message.ts'
import type { Ledger } from './ledger.ts'
import type { Mutant } from './mutant.ts'
import type { Simulation } from './simulation.ts'

export type Kept = {
  readonly id: string
  readonly bytes: Uint8Array
  readonly sequence: number
  readonly uuids: readonly string[]
  deliveries: number
  /** The time until which its delivery is out. */
  heldUntil: number
}

type Pull = { readonly give: (message: Kept | undefined) => void; readonly until: number }

export class Stream {
  bytesMax = 1_000_000
  readonly #sim: Simulation
  readonly #ledger: Ledger
  readonly #mutant: Mutant
  readonly #ids = new Map<string, number>()
  #kept: Kept[] = []
  /** The last acknowledged messages, which a server that is killed may have forgotten. */
  #done: Kept[] = []
  #pulls: Pull[] = []
  #sequence = 0
  #bytes = 0

  constructor(sim: Simulation, ledger: Ledger, mutant: Mutant) {
    this.#sim = sim
    this.#ledger = ledger
    this.#mutant = mutant
  }

  get messages(): number {
    return this.#kept.length
  }

  get bytes(): number {
    return this.#bytes
  }

  put(id: string, bytes: Uint8Array): 'kept' | 'known' | 'full' {
    const seenAt = this.#ids.get(id)
    if (seenAt !== undefined && this.#sim.now - seenAt < SPILL_DUPLICATES_MS) return 'known'
    if (this.#bytes + bytes.length > this.bytesMax) return 'full'
    this.#ids.set(id, this.#sim.now)
    this.#sequence += 1
    const uuids = decodeSpillMessage(bytes).flatMap(({ events }) => events.map(({ uuid }) => uuid))
    const message = { id, bytes, sequence: this.#sequence, uuids, deliveries: 0, heldUntil: 0 }
    this.#keep(message)
    this.#sim.note(() => `spill keeps message ${message.sequence} of ${uuids.length} events`)
    return 'kept'
  }

  #keep(message: Kept): void {
    this.#kept.push(message)
    this.#bytes += message.bytes.length
    this.#ledger.spill(message.uuids)
    this.#handOut()
  }

  pull(waitMs: number, give: Pull['give']): void {
    this.#pulls.push({ give, until: this.#sim.now + waitMs })
    this.#handOut()
    this.#sim.after(waitMs, () => this.#expire())
  }

  #expire(): void {
    const late = this.#pulls.filter(({ until }) => until <= this.#sim.now)
    this.#pulls = this.#pulls.filter(({ until }) => until > this.#sim.now)
    for (const { give } of late) give(undefined)
  }

  #handOut(): void {
    for (const message of this.#kept) {
      if (this.#pulls.length === 0) return
      if (message.heldUntil > this.#sim.now) continue
      const pull = this.#pulls.shift()
      message.deliveries += 1
      this.hold(message, SPILL_ACK_WAIT_MS)
      pull?.give(message)
    }
  }

  /** Delays the next delivery of the message. */
  hold(message: Kept, ms: number): void {
    message.heldUntil = this.#mutant.handsOutOnce ? Number.POSITIVE_INFINITY : this.#sim.now + ms
    this.#sim.after(ms + 0.1, () => this.#handOut())
  }

  /** Acknowledges a message. One that is gone stays gone. */
  ack(message: Kept): void {
    const before = this.#kept.length
    this.#kept = this.#kept.filter((each) => each !== message)
    if (this.#kept.length === before) return
    this.#bytes -= message.bytes.length
    this.#sim.note(() => `spill gives message ${message.sequence} up`)
    this.#ledger.unspill(message.uuids)
    this.#done = [...this.#done.slice(-2), message]
  }

  /** The server was killed: waiting calls are gone, and the last messages may come again. */
  restart(): void {
    this.#pulls = []
    for (const message of this.#done.splice(0)) {
      if (!this.#sim.random.chance(0.5)) continue
      this.#sim.note(() => `spill has message ${message.sequence} again`)
      this.#keep({ ...message, heldUntil: 0 })
    }
  }

  /**
   * The files are lost. Allowed only while the stream is empty, because its messages would be lost
   * too.
   */
  wipe(): void {
    this.#ids.clear()
    this.#done = []
    this.#sequence = 0
  }
}
