/** Queue of batches that wait for a flush: their order, and refusals when too much waits. */

import type { ProjectId } from '../core/ids.ts'
import type { EventBatch } from '../events/event-batch.ts'
import type { PersonForm } from './store-port.ts'
import type { WriterOutcome } from './writer-port.ts'

/** A batch that waits for its flush. */
export type QueuedBatch = {
  readonly batch: EventBatch
  /** True when its effects depend on their order among the batches of the project. */
  readonly ordered: boolean
  /** Batches of one lane are flushed together. */
  readonly lane: Lane
  /** Forms of the persons of its events; see `FlushRow`. */
  readonly expected: readonly (PersonForm | undefined)[]
  /** Monotonic milliseconds. */
  readonly queuedAt: number
  answer(outcome: WriterOutcome): void
}

/**
 * `ordinary`: expected to change nothing beside its events, so its order does not matter. `large`:
 * holds a large event, see `holdsLargeEvent`.
 */
export type Lane = 'ordinary' | 'changing' | 'large'

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

/** Batches waiting of one project. Large ones keep their place among those that change something. */
type Line = {
  readonly projectId: ProjectId
  readonly ordinary: Fifo
  readonly changing: Fifo
  bytes: number
}

/**
 * Waiting batches: first in first out within a project and lane, round robin between projects,
 * bounded in bytes. The map is the ring: a project that was served moves to its end.
 */
export class IngestQueue {
  readonly #lines = new Map<ProjectId, Line>()
  readonly #bounds: QueueBounds
  #bytes = 0
  #events = 0
  #changingEvents = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  get bytes(): number {
    return this.#bytes
  }

  get events(): number {
    return this.#events
  }

  /** Events outside of the lane `ordinary`. */
  get changingEvents(): number {
    return this.#changingEvents
  }

  /** Arrival time of the oldest waiting batch, in monotonic milliseconds. */
  get oldestAt(): number | undefined {
    return this.#oldest((line) => [line.ordinary, line.changing])
  }

  /** The same outside of the lane `ordinary`. */
  get oldestChangingAt(): number | undefined {
    return this.#oldest((line) => [line.changing])
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
    const line = known ?? {
      ...{ projectId, ordinary: new Fifo(), changing: new Fifo(), bytes: 0 },
    }
    this.#lines.set(projectId, line)
    fifoOf(line, entry).push(entry)
    this.#count(line, entry, 1)
    return shed
  }

  /**
   * Takes the next flush of a lane: at least one batch unless none may go, then as many as fit. A
   * project whose oldest batch is ordered waits while `isHeld`: one flush of such batches at a time.
   */
  take(isHeld: (projectId: ProjectId) => boolean, lane: Lane): readonly QueuedBatch[] {
    const { flushEventsMax, flushBytesMax } = this.#bounds
    const batches: QueuedBatch[] = []
    let events = 0
    let bytes = 0
    // Lines set again during the loop are visited again: the ring turns until the flush is full.
    for (const [projectId, line] of this.#lines) {
      const fifo = lane === 'ordinary' ? line.ordinary : line.changing
      const entry = fifo.first
      if (entry === undefined || entry.lane !== lane) continue
      if (entry.ordered && isHeld(projectId)) continue
      events += entry.batch.events.length
      bytes += entry.batch.bytes
      if (batches.length > 0 && (events > flushEventsMax || bytes > flushBytesMax)) break
      batches.push(entry)
      this.#dropFirst(line, fifo, entry)
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
      for (const fifo of [line.ordinary, line.changing]) {
        for (let entry = fifo.first; entry !== undefined; entry = fifo.first) {
          if (entry.queuedAt > at) break
          older.push(entry)
          this.#dropFirst(line, fifo, entry)
        }
      }
    }
    return older
  }

  /** Takes everything, flush bounds aside. */
  clear(): readonly QueuedBatch[] {
    return this.takeOlder(Number.POSITIVE_INFINITY)
  }

  #oldest(fifosOf: (line: Line) => readonly Fifo[]): number | undefined {
    let oldest: number | undefined
    for (const line of this.#lines.values()) {
      for (const fifo of fifosOf(line)) {
        const at = fifo.first?.queuedAt
        if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at
      }
    }
    return oldest
  }

  #dropFirst(line: Line, fifo: Fifo, entry: QueuedBatch): void {
    fifo.shift()
    this.#count(line, entry, -1)
    this.#lines.delete(line.projectId)
    if (!isEmpty(line)) this.#lines.set(line.projectId, line)
  }

  #count(line: Line, { batch, lane }: QueuedBatch, sign: 1 | -1): void {
    line.bytes += sign * batch.bytes
    this.#bytes += sign * batch.bytes
    this.#events += sign * batch.events.length
    if (lane !== 'ordinary') this.#changingEvents += sign * batch.events.length
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
      const entry = newestOf(largest)
      if (entry === undefined) break
      freed += entry.batch.bytes
      fifoOf(largest, entry).pop()
      this.#count(largest, entry, -1)
      shed.push(entry)
    }
    if (isEmpty(largest)) this.#lines.delete(largest.projectId)
    return shed
  }
}

function fifoOf(line: Line, { lane }: QueuedBatch): Fifo {
  return lane === 'ordinary' ? line.ordinary : line.changing
}

function isEmpty({ ordinary, changing }: Line): boolean {
  return ordinary.isEmpty && changing.isEmpty
}

function newestOf({ ordinary, changing }: Line): QueuedBatch | undefined {
  const [a, b] = [ordinary.last, changing.last]
  if (a === undefined || b === undefined) return a ?? b
  return a.queuedAt > b.queuedAt ? a : b
}
