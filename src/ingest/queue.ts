/** Queue of batches that wait for a flush: their order, and refusals when too much waits. */

import type { ProjectId } from '../core/ids.ts'
import type { EventBatch } from '../events/event-batch.ts'
import type { WriterOutcome } from './writer-port.ts'

/** A batch that waits for its flush. */
export type QueuedBatch = {
  readonly batch: EventBatch
  /** True when its effects depend on their order among the batches of the project. */
  readonly ordered: boolean
  /** True when it holds a large event; see `holdsLargeEvent`. */
  readonly large: boolean
  /** Monotonic milliseconds. */
  readonly queuedAt: number
  answer(outcome: WriterOutcome): void
}

export type QueueBounds = {
  readonly bytesMax: number
  /** 0 to 1: of `bytesMax`, for one project while others wait. */
  readonly projectShareMax: number
  readonly flushEventsMax: number
  readonly flushBytesMax: number
}

/** First in, first out. */
class Fifo {
  #entries: QueuedBatch[] = []
  #head = 0

  get first(): QueuedBatch | undefined {
    return this.#entries[this.#head]
  }

  get last(): QueuedBatch | undefined {
    return this.isEmpty ? undefined : this.#entries.at(-1)
  }

  get isEmpty(): boolean {
    return this.#head === this.#entries.length
  }

  push(entry: QueuedBatch): void {
    this.#entries.push(entry)
  }

  shift(): void {
    this.#head += 1
    // Served entries are let go of when they are half the array: amortised constant time.
    if (this.#head <= 64 || this.#head * 2 <= this.#entries.length) return
    this.#entries = this.#entries.slice(this.#head)
    this.#head = 0
  }

  pop(): void {
    this.#entries.pop()
  }
}

/** Batches waiting of one project. */
type Line = { readonly projectId: ProjectId; readonly entries: Fifo; bytes: number }

/**
 * Waiting batches: first in first out within a project, round robin between projects, bounded in
 * bytes. The map is the ring: a project that was served moves to its end.
 */
export class IngestQueue {
  readonly #lines = new Map<ProjectId, Line>()
  readonly #bounds: QueueBounds
  #bytes = 0
  #events = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  get bytes(): number {
    return this.#bytes
  }

  get events(): number {
    return this.#events
  }

  /** Arrival time of the oldest waiting batch, in monotonic milliseconds. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined
    for (const { entries } of this.#lines.values()) {
      const at = entries.first?.queuedAt
      if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at
    }
    return oldest
  }

  /**
   * Adds a batch, or refuses it with `undefined`. One project alone may fill the queue; a batch of
   * another project then pushes out its newest batches, which are returned and must be answered.
   */
  add(entry: QueuedBatch): readonly QueuedBatch[] | undefined {
    const { projectId, bytes } = entry.batch
    const { bytesMax, projectShareMax } = this.#bounds
    const known = this.#lines.get(projectId)
    const othersWait = this.#lines.size > (known === undefined ? 0 : 1)
    // A first batch is taken whatever its size: a share smaller than one batch would never serve it.
    const isOverShare = known !== undefined && known.bytes + bytes > bytesMax * projectShareMax
    if (othersWait && isOverShare) return undefined
    const shed = this.#makeRoom(bytes, projectId)
    if (shed === undefined) return undefined
    const line = known ?? { projectId, entries: new Fifo(), bytes: 0 }
    this.#lines.set(projectId, line)
    line.entries.push(entry)
    this.#count(line, entry, 1)
    return shed
  }

  /**
   * Takes the next flush: at least one batch unless none may go, then as many as fit. A project
   * whose oldest batch is ordered waits while `isHeld`: one flush of such batches at a time. Large
   * batches go together, the others too.
   */
  take(isHeld: (projectId: ProjectId) => boolean, large: boolean): readonly QueuedBatch[] {
    const { flushEventsMax, flushBytesMax } = this.#bounds
    const batches: QueuedBatch[] = []
    let events = 0
    let bytes = 0
    // Lines set again during the loop are visited again: the ring turns until the flush is full.
    for (const [projectId, line] of this.#lines) {
      const entry = line.entries.first
      if (entry === undefined || entry.large !== large) continue
      if (entry.ordered && isHeld(projectId)) continue
      events += entry.batch.events.length
      bytes += entry.batch.bytes
      if (batches.length > 0 && (events > flushEventsMax || bytes > flushBytesMax)) break
      batches.push(entry)
      this.#dropFirst(line, entry)
    }
    return batches
  }

  /**
   * Takes batches that arrived at `at` (monotonic milliseconds) or before, whatever the flush
   * bounds.
   */
  takeOlder(at: number): readonly QueuedBatch[] {
    const older: QueuedBatch[] = []
    for (const line of [...this.#lines.values()]) {
      const { entries } = line
      for (let entry = entries.first; entry !== undefined; entry = entries.first) {
        if (entry.queuedAt > at) break
        older.push(entry)
        this.#dropFirst(line, entry)
      }
    }
    return older
  }

  /** Takes everything, flush bounds aside. */
  clear(): readonly QueuedBatch[] {
    return this.takeOlder(Number.POSITIVE_INFINITY)
  }

  #dropFirst(line: Line, entry: QueuedBatch): void {
    line.entries.shift()
    this.#count(line, entry, -1)
    this.#lines.delete(line.projectId)
    if (!line.entries.isEmpty) this.#lines.set(line.projectId, line)
  }

  #count(line: Line, { batch }: QueuedBatch, sign: 1 | -1): void {
    line.bytes += sign * batch.bytes
    this.#bytes += sign * batch.bytes
    this.#events += sign * batch.events.length
  }

  /** @returns the batches pushed out, or `undefined` when no room can be made. */
  #makeRoom(bytes: number, projectId: ProjectId): readonly QueuedBatch[] | undefined {
    const { bytesMax, projectShareMax } = this.#bounds
    const excess = this.#bytes + bytes - bytesMax
    if (excess <= 0) return []
    let largest: Line | undefined
    for (const line of this.#lines.values()) {
      if (line.bytes > (largest?.bytes ?? 0)) largest = line
    }
    if (largest === undefined || largest.projectId === projectId) return undefined
    // Only bytes above its share can be pushed out, and only if they are enough.
    if (largest.bytes - excess < bytesMax * projectShareMax) return undefined
    const shed: QueuedBatch[] = []
    for (let freed = 0; freed < excess; ) {
      const entry = largest.entries.last
      if (entry === undefined) break
      freed += entry.batch.bytes
      largest.entries.pop()
      this.#count(largest, entry, -1)
      shed.push(entry)
    }
    if (largest.entries.isEmpty) this.#lines.delete(largest.projectId)
    return shed
  }
}
