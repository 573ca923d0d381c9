/** The batches on their way into the spill, cut into messages of bounded size. */

import type { ProjectId } from '../../core/ids.ts'
import type { IngestEvent } from '../../events/event.ts'
import type { EventBatch, IngestOutcome } from '../../events/event-batch.ts'
import { encodedBytesMax, isLargerThan } from '../../events/event-size.ts'

/** Events of one batch in one message: all of them unless it is large. */
export type SpillPiece = { readonly projectId: ProjectId; readonly events: readonly IngestEvent[] }

export type SpillEntry = {
  readonly batch: EventBatch
  answer(outcome: IngestOutcome): void
}

export type SpillMessage = {
  readonly pieces: readonly SpillPiece[]
  readonly events: number
  /** Batches of which something is in it. */
  readonly entries: readonly SpillEntry[]
  /** Batches that this message completes: it holds their last event. */
  readonly complete: readonly SpillEntry[]
}

/** Tags and lengths of a batch and of the message, in bytes. */
const PIECE_OVERHEAD_BYTES = 64

/** Batches on their way into the spill, in order. A batch larger than a message is split. */
export class SpillQueue {
  #entries: SpillEntry[] = []
  /** Events of the first entry that are in earlier messages. */
  #taken = 0
  #bytes = 0

  /** Bytes of all batches that are not answered yet. */
  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  add(entry: SpillEntry): void {
    this.#entries.push(entry)
    this.#bytes += entry.batch.bytes
  }

  /** The next message: at least one event, then as many as fit. */
  take(bytesMax: number): SpillMessage {
    const pieces: SpillPiece[] = []
    const entries: SpillEntry[] = []
    let left = bytesMax
    let events = 0
    let ended = 0
    for (const entry of this.#entries) {
      const { projectId, events: all } = entry.batch
      const from = this.#taken
      left -= PIECE_OVERHEAD_BYTES
      let to = from
      for (let event = all[to]; event !== undefined; event = all[to]) {
        left -= encodedBytesMax(event)
        if (left < 0 && events > 0) break
        to += 1
        events += 1
      }
      if (to > from) {
        pieces.push({ projectId, events: all.slice(from, to) })
        entries.push(entry)
      }
      if (to < all.length) {
        this.#taken = to
        break
      }
      this.#taken = 0
      ended += 1
    }
    this.#entries = this.#entries.slice(ended)
    return { pieces, events, entries, complete: entries.slice(0, ended) }
  }

  /** The batch is answered: the rest of it is dropped, and its bytes are given back. */
  drop(entry: SpillEntry): void {
    this.#bytes -= entry.batch.bytes
    if (this.#entries[0] !== entry) return
    this.#entries.shift()
    this.#taken = 0
  }

  /** Takes every batch that is not complete. Their bytes are given back. */
  clear(): readonly SpillEntry[] {
    const entries = this.#entries
    for (const { batch } of entries) this.#bytes -= batch.bytes
    this.#entries = []
    this.#taken = 0
    return entries
  }
}

/** True when an event cannot travel, even alone. */
export function isTooLarge(event: IngestEvent, messageBytesMax: number): boolean {
  return isLargerThan(event, messageBytesMax - PIECE_OVERHEAD_BYTES)
}
