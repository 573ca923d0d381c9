import type { ProjectId } from '../core/ids.ts'
import type { IngestGroup } from '../project/ports.ts'
import type { WriterOutcome } from './writer-port.ts'

/** A group that waits for its flush. */
export type QueuedGroup = {
  readonly group: IngestGroup
  /** True when its effects depend on their order among the groups of the project. */
  readonly ordered: boolean
  /** Monotonic milliseconds. */
  readonly queuedAt: number
  answer(outcome: WriterOutcome): void
}

export type QueueBounds = {
  readonly bytesMax: number
  /** 0 to 1: of `bytesMax`, for one project while others wait. */
  readonly projectShareMax: number
  readonly batchEventsMax: number
  readonly batchBytesMax: number
}

/** Groups waiting of one project, oldest first from `head` on. */
type Line = { readonly projectId: ProjectId; entries: QueuedGroup[]; head: number; bytes: number }

/**
 * Waiting groups: first in first out within a project, round robin between projects, bounded in
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

  /** Monotonic milliseconds at which the oldest waiting group came. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined
    for (const { entries, head } of this.#lines.values()) {
      const at = entries[head]?.queuedAt
      if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at
    }
    return oldest
  }

  /**
   * Adds a group, or refuses it with `undefined`. A project alone may fill the queue; another that
   * comes then pushes its newest groups out, which are returned and must be answered.
   */
  add(entry: QueuedGroup): readonly QueuedGroup[] | undefined {
    const { projectId, bytes, events } = entry.group
    const { bytesMax, projectShareMax } = this.#bounds
    const line = this.#lines.get(projectId)
    const own = (line?.bytes ?? 0) + bytes
    const othersWait = this.#lines.size > (line === undefined ? 0 : 1)
    // A first group is taken whatever its size: a share smaller than one group would never serve it.
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
   * Takes the next batch: at least one group unless none may go, then as many as fit. A project
   * whose oldest group is ordered waits while `isHeld`: one flush of such groups at a time.
   */
  take(isHeld: (projectId: ProjectId) => boolean): readonly QueuedGroup[] {
    const { batchEventsMax, batchBytesMax } = this.#bounds
    const batch: QueuedGroup[] = []
    let events = 0
    let bytes = 0
    // Lines set again during the loop are visited again: the ring turns until the batch is full.
    for (const [projectId, line] of this.#lines) {
      const entry = line.entries[line.head]
      if (entry === undefined || (entry.ordered && isHeld(projectId))) continue
      events += entry.group.events.length
      bytes += entry.group.bytes
      if (batch.length > 0 && (events > batchEventsMax || bytes > batchBytesMax)) break
      batch.push(entry)
      this.#dropHead(line, entry)
    }
    return batch
  }

  /** Takes what came at `at` or before, batch bounds aside. Monotonic milliseconds. */
  takeOlder(at: number): readonly QueuedGroup[] {
    const older: QueuedGroup[] = []
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

  /** Takes everything, batch bounds aside. */
  clear(): readonly QueuedGroup[] {
    const all: QueuedGroup[] = []
    for (const line of this.#lines.values()) all.push(...line.entries.slice(line.head))
    this.#lines.clear()
    this.#bytes = 0
    this.#events = 0
    return all
  }

  #dropHead(line: Line, entry: QueuedGroup): void {
    line.head += 1
    line.bytes -= entry.group.bytes
    this.#bytes -= entry.group.bytes
    this.#events -= entry.group.events.length
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
  #makeRoom(bytes: number, projectId: ProjectId): readonly QueuedGroup[] | undefined {
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
    const shed: QueuedGroup[] = []
    for (let freed = 0; freed < excess && largest.entries.length > largest.head; ) {
      const entry = largest.entries.pop()
      if (entry === undefined) break
      freed += entry.group.bytes
      largest.bytes -= entry.group.bytes
      this.#bytes -= entry.group.bytes
      this.#events -= entry.group.events.length
      shed.push(entry)
    }
    if (largest.entries.length === largest.head) this.#lines.delete(largest.projectId)
    return shed
  }
}
