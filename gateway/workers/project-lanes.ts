import type { ProjectId } from '../../src/core/ids.ts'
import type { Batcher } from './batcher.ts'
import type { EncodedGroup } from './ingest-codec.ts'

/**
 * Events of projects whose own code runs first: each project has calls of its own, so that nobody
 * else's events wait for it. A lane is made with its first group and forgotten when it is empty.
 */
export type ProjectLanes<Answer> = {
  submit(group: EncodedGroup): Promise<Answer>
  /** As `Batcher.rescue`, for each lane. */
  rescue(sentBefore: number): void
  waitingBytes(): number
  inFlight(): number
  drained(): Promise<void>
}

export function createProjectLanes<Answer>(
  createLane: () => Batcher<EncodedGroup, Answer>,
): ProjectLanes<Answer> {
  const lanes = new Map<ProjectId, Batcher<EncodedGroup, Answer>>()

  const laneOf = (project: ProjectId): Batcher<EncodedGroup, Answer> => {
    const known = lanes.get(project)
    if (known !== undefined) return known
    const lane = createLane()
    lanes.set(project, lane)
    return lane
  }
  const forgetIdle = (project: ProjectId, lane: Batcher<EncodedGroup, Answer>) => {
    const isIdle = lane.inFlight() === 0 && lane.waiting().items === 0
    if (isIdle && lanes.get(project) === lane) lanes.delete(project)
  }
  const sum = (of: (lane: Batcher<EncodedGroup, Answer>) => number): number => {
    let total = 0
    for (const lane of lanes.values()) total += of(lane)
    return total
  }

  return {
    async submit(group) {
      const { projectId } = group
      const lane = laneOf(projectId)
      try {
        return await lane.submit(group, group.bytes, group.count)
      } finally {
        // The call that answered is counted out after its answers.
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
