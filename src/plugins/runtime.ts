import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { IngestEvent } from '../events/event.ts'
import { eventBytes } from '../ingest/event-size.ts'
import type { EventSink, IngestGroup, IngestOutcome } from '../project/ports.ts'
import { createInstances, type HeldSlots } from './instances.ts'
import type { PluginDelivery, PluginPlan, PluginRuntime } from './ports.ts'
import { createDryRuns, type DryRunDeps } from './runtime/dry-run.ts'
import { toStoredEvent } from './runtime/event-form.ts'
import { isDeferred, runPipeline } from './runtime/pipeline.ts'
import { createLanes, type WaitingGroup } from './runtime/project-queues.ts'
import type { Slot, SlotDeps } from './slot.ts'

export type PluginRuntimeDeps = SlotDeps &
  DryRunDeps & {
    /** The plan as it is now; rejects when that cannot be read. */
    readonly loadPlan: (project: ProjectId) => Promise<PluginPlan | undefined>
    readonly delivery: PluginDelivery
    readonly sink: EventSink
    readonly clock: Clock
    readonly log: Log
  }

export type PluginRuntimeOptions = {
  /** Address at which people reach this installation, as events tell it to plugins. */
  readonly siteUrl: string
}

const NOTHING_LEFT: IngestOutcome = { kind: 'stored', stored: 0, duplicates: 0, deadLetters: 0 }
/** The gateway goes to another worker with it. */
const CLOSING: IngestOutcome = { kind: 'overloaded', retryAfterS: 1 }

/**
 * Close it before the sink: events that wait for plugins go there first. Closes the loaders and
 * the delivery; the records and the states stay open, since both are still written to meanwhile.
 */
export function createPluginRuntime(
  deps: PluginRuntimeDeps,
  { siteUrl }: PluginRuntimeOptions,
): PluginRuntime {
  const { loaders, delivery, sink, records, clock, log } = deps
  const instances = createInstances(deps)
  const dryRuns = createDryRuns(deps, { siteUrl })
  /** Groups that the sink has; its bounds hold for them. */
  const submitted = new Set<Promise<void>>()
  let closing: Promise<void> | undefined

  /** What is left of each event; where the runtime itself fails they go on as they came. */
  const process = async (
    projectId: ProjectId,
    slots: readonly Slot[],
    events: readonly IngestEvent[],
  ): Promise<readonly (IngestEvent | undefined)[]> => {
    try {
      const frame = { projectId, siteUrl, receivedAtMs: clock.now() }
      return await runPipeline(slots, events, frame)
    } catch (error) {
      log.error('events go on without their plugins', { project: projectId, error })
      return events
    }
  }

  /** Plugins for which there is no room: their events go on, which is to be seen. */
  const countMissing = ({ missing }: HeldSlots, events: number) => {
    for (const { configId } of missing) records.count(configId, 'processEvent', 'failure', events)
  }

  const deliver = (slots: readonly Slot[], group: IngestGroup, outcome: IngestOutcome) => {
    if (outcome.kind !== 'stored' && outcome.kind !== 'spilled') return
    const loaded = slots.flatMap((slot) => slot.usable() ?? []).filter(isDeferred)
    if (loaded.length === 0) return
    const events = group.events.map((event) => toStoredEvent(event, group.projectId))
    for (const each of loaded) delivery.stored(each, events)
  }

  const submit = async (slots: readonly Slot[], group: IngestGroup): Promise<IngestOutcome> => {
    if (group.events.length === 0) return NOTHING_LEFT
    const outcome = await sink.submit(group)
    try {
      deliver(slots, group, outcome)
    } catch (error) {
      log.error('stored events were not told to plugins', { project: group.projectId, error })
    }
    return outcome
  }

  const lanes = createLanes(async (projectId, waiting) => {
    const [first] = waiting
    if (first === undefined) return
    const held = instances.holdPlan(projectId, first.plan)
    await held.firstLoad()
    const { slots } = held
    const events = waiting.flatMap(({ group }) => group.events)
    countMissing(held, events.length)
    const left = await process(projectId, slots, events)
    let at = 0
    // The sink has them in this order; nobody waits for its answers here.
    const answered = waiting.map(async (each) => {
      const end = at + each.group.events.length
      const group = groupOf(each, left.slice(at, end))
      at = end
      each.answer(await submit(slots, group))
    })
    const all = Promise.all(answered).then(() => {
      held.release()
      submitted.delete(all)
    })
    submitted.add(all)
  })

  const close = async (deadlineMs: number) => {
    const endAt = clock.monotonic() + deadlineMs
    const left = () => Math.max(0, endAt - clock.monotonic())
    const steps: readonly [string, () => Promise<unknown>][] = [
      ['events', () => lanes.idle().then(() => Promise.all(submitted))],
      ['dry runs', () => dryRuns.idle()],
      ['delivery', () => delivery.close(left())],
      ['plugins', () => instances.close()],
      ['loaders', () => Promise.all([loaders.source.close(), loaders.builtin.close()])],
    ]
    for (const [what, step] of steps) {
      const ended = step().then(
        () => true,
        (error: unknown) => {
          log.warn('plugins were not closed well', { what, error })
          return true
        },
      )
      if (!(await within(clock, left(), ended))) log.warn('plugins took long to close', { what })
    }
  }

  return {
    ingest(plan, group) {
      return closing === undefined ? lanes.submit(plan, group) : Promise.resolve(CLOSING)
    },
    async use(projectId, configId, work) {
      // Read each time: what a project's actor knows may be older.
      const plan = await deps.loadPlan(projectId)
      const step = plan?.find((each) => each.configId === configId)
      if (step === undefined || closing !== undefined) return undefined
      const held = instances.holdOne(projectId, step)
      try {
        await held.firstLoad()
        const loaded = held.slots[0]?.usable()
        return loaded === undefined ? undefined : await work(loaded)
      } finally {
        held.release()
      }
    },
    async dryRun(projectId, configId, event) {
      if (closing !== undefined) throw new AppError('unavailable', 'plugins are being closed')
      return await dryRuns.run(projectId, configId, event)
    },
    unload: (projectId) => instances.unload(projectId),
    close(deadlineMs) {
      closing ??= close(deadlineMs)
      return closing
    },
  }
}

function groupOf({ group }: WaitingGroup, left: readonly (IngestEvent | undefined)[]): IngestGroup {
  if (left.every((event, index) => event === group.events[index])) return group
  const events = left.flatMap((event) => event ?? [])
  return {
    projectId: group.projectId,
    events,
    bytes: events.reduce((sum, event) => sum + eventBytes(event), 0),
  }
}

/** False when it takes longer than `ms`; it goes on then. */
async function within(clock: Clock, ms: number, ended: Promise<boolean>): Promise<boolean> {
  let cancel: () => void = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(ms, () => resolve(false))
  })
  try {
    return await Promise.race([ended, late])
  } finally {
    cancel()
  }
}
