/** The batches that wait for a flush: who goes next, and who is refused when too much waits. */

import type { ProjectId } from '../core/ids.ts'
import type { EventBatch } from '../events/event-batch.ts'
import type { WriterOutcome } from './writer-port.ts'

/** A batch that waits for its flush. */
export type QueuedBatch = {
  readonly batch: EventBatch
  /** True when its effects depend on their order among the batches of the project. */
  readonly ordered: boolean
  /** True when it holds a large event: see `holdsLargeEvent`. */
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

/** Batches waiting of one project, oldest first from `head` on. */
type Line = { readonly projectId: ProjectId; entries: QueuedBatch[]; head: number; bytes: number }

/**
 * Waiting batches: first in first out within a project, round robin between projects, bounded in
 * bytes. The map is the ring: a project served goes to its end.
 */
export class IngestQueue {
  #lines = new Map<ProjectId, Line>()
  #bounds: QueueBounds
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

  /** Monotonic milliseconds at which the oldest waiting batch came. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined
    for (const { entries, head } of this.#lines.values()) {
      const at = entries[head]?.queuedAt
      if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at
    }
    return oldest
  }

  /**
   * Adds a batch, or refuses it with `undefined`. A project alone may fill the queue; another that
   * comes then pushes its newest batches out, which are returned and must be answered.
   */
  add(entry: QueuedBatch): readonly QueuedBatch[] | undefined {
    const { projectId, bytes, events } = entry.batch
    const { bytesMax, projectShareMax } = this.#bounds
    const line = this.#lines.get(projectId)
    const own = (line?.bytes ?? 0) + bytes
    const othersWait = this.#lines.size > (line === undefined ? 0 : 1)
    // A first batch is taken whatever its size: a share smaller than one batch would never serve it.
    if (othersWait && line !== undefined && own > bytesMax * projectShareMax) return undefined
    const shed = this.#makeRoom(bytes, projectId)
    if (shed === undefined) return undefined
    if (line === undefined) {
      this.#lines.set(projectId, { projectId, entries: [entry], head: 0, bytes })
    } else {
      line.entries.push(entry)
      line.bytes = own
    }
    this.#bytes += bytes
    this.#events += events.length
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
      const entry = line.entries[line.head]
      if (entry === undefined || entry.large !== large) continue
      if (entry.ordered && isHeld(projectId)) continue
      events += entry.batch.events.length
      bytes += entry.batch.bytes
      if (batches.length > 0 && (events > flushEventsMax || bytes > flushBytesMax)) break
      batches.push(entry)
      this.#dropHead(line, entry)
    }
    return batches
  }

  /** Takes what came at `at` or before, flush bounds aside. Monotonic milliseconds. */
  takeOlder(at: number): readonly QueuedBatch[] {
    const older: QueuedBatch[] = []
    for (const line of [...this.#lines.values()]) {
      for (;;) {
        const entry = line.entries[line.head]
        if (entry === undefined || entry.queuedAt > at) break
        older.push(entry)
        this.#dropHead(line, entry)
      }
    }
    return older
  }

  /** Takes everything, flush bounds aside. */
  clear(): readonly QueuedBatch[] {
    const all: QueuedBatch[] = []
    for (const line of this.#lines.values()) all.push(...line.entries.slice(line.head))
    this.#lines.clear()
    this.#bytes = 0
    this.#events = 0
    return all
  }

  #dropHead(line: Line, entry: QueuedBatch): void {
    line.head += 1
    line.bytes -= entry.batch.bytes
    this.#bytes -= entry.batch.bytes
    this.#events -= entry.batch.events.length
    this.#lines.delete(line.projectId)
    if (line.head === line.entries.length) return
    // Served entries are let go of when they are half the array: amortised constant time.
    if (line.head > 64 && line.head * 2 > line.entries.length) {
      line.entries = line.entries.slice(line.head)
      line.head = 0
    }
    this.#lines.set(line.projectId, line)
  }

  /** @returns what was pushed out, or `undefined` when there is no room to be made. */
  #makeRoom(bytes: number, projectId: ProjectId): readonly QueuedBatch[] | undefined {
    const { bytesMax, projectShareMax } = this.#bounds
    const excess = this.#bytes + bytes - bytesMax
    if (excess <= 0) return []
    let largest: Line | undefined
    for (const line of this.#lines.values()) {
      if (line.bytes > (largest?.bytes ?? 0)) largest = line
    }
    if (largest === undefined || largest.projectId === projectId) return undefined
    // Only what lies above its share can be pushed out, and only if that is enough.
    if (largest.bytes - excess < bytesMax * projectShareMax) return undefined
    const shed: QueuedBatch[] = []
    for (let freed = 0; freed < excess && largest.entries.length > largest.head; ) {
      const entry = largest.entries.pop()
      if (entry === undefined) break
      freed += entry.batch.bytes
      largest.bytes -= entry.batch.bytes
      this.#bytes -= entry.batch.bytes
      this.#events -= entry.batch.events.length
      shed.push(entry)
    }
    if (largest.entries.length === largest.head) this.#lines.delete(largest.projectId)
    return shed
  }
}
