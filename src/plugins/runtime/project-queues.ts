/** Queues the batches that wait for the plugins of their projects. */
import type { ProjectId } from '../../core/ids.ts'
import {
  PLUGIN_BATCH_EVENTS_MAX,
  PLUGIN_WAITING_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { EventBatch, IngestOutcome } from '../../events/event-batch.ts'
import type { PluginPlan } from '../../project/plugin-ports.ts'

/** Bytes of received events of all projects that wait for plugins. */
export const PLUGIN_WAITING_TOTAL_BYTES_MAX = 134_217_728

/** A batch that has not been through its plugins. */
export type WaitingBatch = {
  readonly plan: PluginPlan
  readonly batch: EventBatch
  /** Answers the sink's outcome, or one for a batch that the sink does not get. */
  answer(outcome: IngestOutcome): void
}

/** One queue for each project with events under way, bounded in bytes, in the order of arrival. */
export type ProjectQueues = {
  /**
   * `overloaded` past the bound. A batch that is larger than the bound is taken when it is alone.
   */
  submit(plan: PluginPlan, batch: EventBatch): Promise<IngestOutcome>
  /** Bytes of events that wait for plugins. */
  waitingBytes(): number
  /** Resolves when nothing waits. */
  idle(): Promise<void>
}

type Queue = { waiting: WaitingBatch[]; bytes: number; running: Promise<void> | undefined }

const OVERLOADED: IngestOutcome = { kind: 'overloaded', retryAfterS: 1 }

/**
 * @param process takes batches of one plan to the sink, in order, and answers each. It resolves
 * when it can take the next ones, and never rejects.
 */
export function createProjectQueues(
  process: (projectId: ProjectId, batches: readonly WaitingBatch[]) => Promise<void>,
): ProjectQueues {
  const queues = new Map<ProjectId, Queue>()
  let total = 0

  const run = async (projectId: ProjectId, queue: Queue) => {
    while (queue.waiting.length > 0) {
      const taken = queue.waiting.splice(0, countTogether(queue.waiting))
      await process(projectId, taken)
      const bytes = taken.reduce((sum, { batch }) => sum + batch.bytes, 0)
      queue.bytes -= bytes
      total -= bytes
    }
    queues.delete(projectId)
  }

  const hasRoom = (bytes: number, bound: number, more: number) =>
    bytes === 0 || bytes + more <= bound

  return {
    submit(plan, batch) {
      const { projectId, bytes } = batch
      const queue = queues.get(projectId) ?? { waiting: [], bytes: 0, running: undefined }
      const fits =
        hasRoom(queue.bytes, PLUGIN_WAITING_BYTES_MAX, bytes) &&
        hasRoom(total, PLUGIN_WAITING_TOTAL_BYTES_MAX, bytes)
      if (!fits) return Promise.resolve(OVERLOADED)
      queue.bytes += bytes
      total += bytes
      const outcome = new Promise<IngestOutcome>((answer) => {
        queue.waiting.push({ plan, batch, answer })
      })
      if (queue.running === undefined) {
        queues.set(projectId, queue)
        queue.running = run(projectId, queue)
      }
      return outcome
    },
    waitingBytes: () => total,
    async idle() {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ running }) => running))
    },
  }
}

/**
 * How many batches of one plan are processed together: one, or as many as have
 * `PLUGIN_BATCH_EVENTS_MAX`.
 */
function countTogether(waiting: readonly WaitingBatch[]): number {
  const [first] = waiting
  if (first === undefined) return 0
  const plan = planKey(first.plan)
  let events = first.batch.events.length
  let count = 1
  for (const { plan: next, batch } of waiting.slice(1, PLUGIN_BATCH_EVENTS_MAX)) {
    events += batch.events.length
    if (events > PLUGIN_BATCH_EVENTS_MAX || planKey(next) !== plan) break
    count += 1
  }
  return count
}

/** Plans with the same text are equal. A plan is read anew with every change of its project. */
function planKey(plan: PluginPlan): string {
  return plan.map(({ configId, order, stamp }) => `${configId} ${order} ${stamp}`).join('\n')
}
