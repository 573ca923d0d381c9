/** Micro-batches of their own for events that take long: each project waits for itself alone. */

import type { ProjectId } from '../../src/core/ids.ts'
import { BATCHER_BYTES_MAX, INGEST_DEADLINE_MS } from '../../src/core/limits/limits.ts'
import { PLUGIN_INGEST_MS, PLUGIN_WAITING_BYTES_MAX } from '../../src/core/limits/limits-plugins.ts'
import type { Batcher, BatcherOptions } from './batcher.ts'
import type { EncodedBatch } from './ingest-codec.ts'

/** Such calls of one project at a time, from one gateway to one worker. */
const PLUGIN_CALL_SLOTS = 2
/** Calls with large batches of one project in flight; full micro-batches do not wait to grow. */
const LARGE_CALL_SLOTS_MAX = 2
export const LARGE_FULL_CALL_SLOTS_MAX = 8

/** Bounds of one lane. */
export type Lane = Pick<
  BatcherOptions<EncodedBatch, unknown>,
  'slots' | 'fullSlots' | 'waitingBytesMax' | 'waitMsMax'
>

/** Lane of a project with plugins. */
export const PLUGIN_LANE: Lane = {
  slots: () => PLUGIN_CALL_SLOTS,
  fullSlots: PLUGIN_CALL_SLOTS,
  waitingBytesMax: PLUGIN_WAITING_BYTES_MAX,
  waitMsMax: PLUGIN_INGEST_MS,
}

/** Lane of items that `travelsApart`. */
export const LARGE_LANE: Lane = {
  slots: () => LARGE_CALL_SLOTS_MAX,
  fullSlots: LARGE_FULL_CALL_SLOTS_MAX,
  waitingBytesMax: BATCHER_BYTES_MAX,
  waitMsMax: INGEST_DEADLINE_MS,
}

/**
 * Each project has its own calls, so that a slow plugin or large events delay no other project. A
 * lane is made for its first batch and removed when it is empty.
 */
export type ProjectLanes<Answer> = {
  submit(batch: EncodedBatch): Promise<Answer>
  /** As `Batcher.rescue`, for each lane. */
  rescue(sentBefore: number): void
  waitingBytes(): number
  inFlight(): number
  drained(): Promise<void>
}

export function createProjectLanes<Answer>(
  createLane: () => Batcher<EncodedBatch, Answer>,
): ProjectLanes<Answer> {
  const lanes = new Map<ProjectId, Batcher<EncodedBatch, Answer>>()

  const laneOf = (project: ProjectId): Batcher<EncodedBatch, Answer> => {
    const known = lanes.get(project)
    if (known !== undefined) return known
    const lane = createLane()
    lanes.set(project, lane)
    return lane
  }
  const forgetIdle = (project: ProjectId, lane: Batcher<EncodedBatch, Answer>) => {
    const isIdle = lane.inFlight() === 0 && lane.waiting().items === 0
    if (isIdle && lanes.get(project) === lane) lanes.delete(project)
  }
  const sum = (of: (lane: Batcher<EncodedBatch, Answer>) => number): number => {
    let total = 0
    for (const lane of lanes.values()) total += of(lane)
    return total
  }

  return {
    async submit(batch) {
      const { projectId } = batch
      const lane = laneOf(projectId)
      try {
        return await lane.submit(batch, batch.bytes, batch.count)
      } finally {
        // The batcher counts the call as ended after its answers.
        queueMicrotask(() => forgetIdle(projectId, lane))
      }
    },
    rescue(sentBefore) {
      for (const lane of lanes.values()) lane.rescue(sentBefore)
    },
    waitingBytes: () => sum((lane) => lane.waitingBytes()),
    inFlight: () => sum((lane) => lane.inFlight()),
    drained: async () => {
      await Promise.all([...lanes.values()].map((lane) => lane.drained()))
    },
  }
}
