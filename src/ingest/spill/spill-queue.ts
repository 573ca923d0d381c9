import type { ProjectId } from '../../core/ids.ts'
import type { IngestEvent } from '../../events/event.ts'
import type { IngestGroup, IngestOutcome } from '../../project/ports.ts'
import { eventBytes } from '../event-size.ts'

/** Events of one group that travel in one message: all of them unless it is large. */
export type SpillPiece = { readonly projectId: ProjectId; readonly events: readonly IngestEvent[] }

export type SpillEntry = {
  readonly group: IngestGroup
  answer(outcome: IngestOutcome): void
}

export type SpillBatch = {
  readonly pieces: readonly SpillPiece[]
  readonly events: number
  /** Groups of which something is in it. */
  readonly entries: readonly SpillEntry[]
  /** Those of which nothing is left: the message that holds their last event is this one. */
  readonly complete: readonly SpillEntry[]
}

/** Tags and lengths of a group and of the message, in bytes. */
const PIECE_OVERHEAD_BYTES = 64

/** UTF-8 of one UTF-16 code unit. */
const BYTES_PER_CHAR_MAX = 3
/** What an event takes beside its long texts: names, ids, groups. */
const BOUNDED_BYTES_MAX = 131_072

/** Groups on their way into the spill, in order. A group larger than a message goes in pieces. */
export class SpillQueue {
  #entries: SpillEntry[] = []
  /** Events of the first entry that are in earlier messages. */
  #taken = 0
  #bytes = 0

  /** Of all groups that are not answered yet. */
  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  add(entry: SpillEntry): void {
    this.#entries.push(entry)
    this.#bytes += entry.group.bytes
  }

  /** The next message: at least one event, then as many as fit. */
  take(bytesMax: number): SpillBatch {
    const pieces: SpillPiece[] = []
    const entries: SpillEntry[] = []
    let left = bytesMax
    let events = 0
    let ended = 0
    for (const entry of this.#entries) {
      const { projectId, events: all } = entry.group
      const from = this.#taken
      left -= PIECE_OVERHEAD_BYTES
      let to = from
      for (let event = all[to]; event !== undefined; event = all[to]) {
        left -= eventBytes(event)
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

  /** The group is answered: what is left of it stays out, and its bytes are given back. */
  drop(entry: SpillEntry): void {
    this.#bytes -= entry.group.bytes
    if (this.#entries[0] !== entry) return
    this.#entries.shift()
    this.#taken = 0
  }

  /** Takes every group that is not complete. Their bytes are given back. */
  clear(): readonly SpillEntry[] {
    const entries = this.#entries
    for (const { group } of entries) this.#bytes -= group.bytes
    this.#entries = []
    this.#taken = 0
    return entries
  }
}

/** True when an event cannot travel, even alone. */
export function isTooLarge(event: IngestEvent, messageBytesMax: number): boolean {
  const bytesMax = messageBytesMax - PIECE_OVERHEAD_BYTES
  return isLong(event, bytesMax) && eventBytes(event) > bytesMax
}

/** False for nearly every event: its texts are too short, whatever their bytes. */
function isLong(event: IngestEvent, bytesMax: number): boolean {
  const { properties, elementsChain, person, groupChange } = event
  const chars = properties.length + elementsChain.length + person.set.length + person.setOnce.length
  const mayBeBytes = BYTES_PER_CHAR_MAX * (chars + (groupChange?.set.length ?? 0))
  return mayBeBytes + BOUNDED_BYTES_MAX > bytesMax || person.unset.length > 0
}
