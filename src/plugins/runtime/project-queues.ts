import type { ProjectId } from '../../core/ids.ts'
import {
  PLUGIN_BATCH_EVENTS_MAX,
  PLUGIN_WAITING_BYTES_MAX,
  PLUGIN_WAITING_TOTAL_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { IngestGroup, IngestOutcome } from '../../project/ports.ts'
import type { PluginPlan } from '../ports.ts'

/** A group whose plugins have not had it yet. */
export type WaitingGroup = {
  readonly plan: PluginPlan
  readonly group: IngestGroup
  /** What the sink answered, or that it does not take the group. */
  answer(outcome: IngestOutcome): void
}

/** One queue for each project with events under way, bounded in bytes, in the order of arrival. */
export type Lanes = {
  /** `overloaded` at a full bound. A group that is larger than the bound finds room when alone. */
  submit(plan: PluginPlan, group: IngestGroup): Promise<IngestOutcome>
  /** Of events that wait for plugins. */
  waitingBytes(): number
  /** Resolves once nothing waits. */
  idle(): Promise<void>
}

type Lane = { waiting: WaitingGroup[]; bytes: number; running: Promise<void> | undefined }

const OVERLOADED: IngestOutcome = { kind: 'overloaded', retryAfterS: 1 }

/**
 * @param takeThrough brings groups of one plan to the sink, in their order, and sees to it that
 * each is answered; it resolves when the next ones may come, and never rejects.
 */
export function createLanes(
  takeThrough: (projectId: ProjectId, groups: readonly WaitingGroup[]) => Promise<void>,
): Lanes {
  const lanes = new Map<ProjectId, Lane>()
  let total = 0

  const run = async (projectId: ProjectId, lane: Lane) => {
    while (lane.waiting.length > 0) {
      const taken = lane.waiting.splice(0, countOfBatch(lane.waiting))
      await takeThrough(projectId, taken)
      const bytes = taken.reduce((sum, { group }) => sum + group.bytes, 0)
      lane.bytes -= bytes
      total -= bytes
    }
    lanes.delete(projectId)
  }

  const hasRoom = (bytes: number, bound: number, more: number) =>
    bytes === 0 || bytes + more <= bound

  return {
    submit(plan, group) {
      const { projectId, bytes } = group
      const lane = lanes.get(projectId) ?? { waiting: [], bytes: 0, running: undefined }
      const fits =
        hasRoom(lane.bytes, PLUGIN_WAITING_BYTES_MAX, bytes) &&
        hasRoom(total, PLUGIN_WAITING_TOTAL_BYTES_MAX, bytes)
      if (!fits) return Promise.resolve(OVERLOADED)
      lane.bytes += bytes
      total += bytes
      const outcome = new Promise<IngestOutcome>((answer) => {
        lane.waiting.push({ plan, group, answer })
      })
      if (lane.running === undefined) {
        lanes.set(projectId, lane)
        lane.running = run(projectId, lane)
      }
      return outcome
    },
    waitingBytes: () => total,
    async idle() {
      while (lanes.size > 0) await Promise.all([...lanes.values()].map(({ running }) => running))
    },
  }
}

/** Groups of one plan that go through together: at least one, else no more events than a batch. */
function countOfBatch(waiting: readonly WaitingGroup[]): number {
  const [first] = waiting
  if (first === undefined) return 0
  const plan = planKey(first.plan)
  let events = first.group.events.length
  let count = 1
  for (const { plan: next, group } of waiting.slice(1, PLUGIN_BATCH_EVENTS_MAX)) {
    events += group.events.length
    if (events > PLUGIN_BATCH_EVENTS_MAX || planKey(next) !== plan) break
    count += 1
  }
  return count
}

/** Two plans of one text are one: a plan is read anew with every change of its project. */
function planKey(plan: PluginPlan): string {
  return plan.map(({ configId, order, stamp }) => `${configId} ${order} ${stamp}`).join('\n')
}
