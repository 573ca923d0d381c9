/**
 * Runs the plugins of projects: on events before they are stored, and for jobs, schedules and dry
 * runs. Events of one project keep their order.
 */

import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { within } from '../../core/deadline.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Log } from '../../core/log.ts'
import type { IngestEvent } from '../../events/event.ts'
import {
  batchOf,
  type EventBatch,
  type EventSink,
  type IngestOutcome,
} from '../../events/event-batch.ts'
import { type Loss, lossOf } from '../../events/warnings/ingestion-warning.ts'
import type { PluginPlan } from '../../project/plugin-ports.ts'
import type { DryRun, LoadedPlugin, PluginDelivery, PluginRuntime } from '../ports.ts'
import { createDryRuns, type DryRunDeps, type DryRuns } from './dry-run.ts'
import { toStoredEvent } from './event-form.ts'
import { type HeldPlugins, Instances } from './instances.ts'
import { isDeferred, runPipeline } from './pipeline.ts'
import type { HolderDeps, PluginHolder } from './plugin-holder.ts'
import { createProjectQueues, type ProjectQueues, type WaitingBatch } from './project-queues.ts'

export type PluginRuntimeDeps = HolderDeps &
  DryRunDeps & {
    /** The current plan. Rejects when it cannot be read. */
    readonly loadPlan: (project: ProjectId) => Promise<PluginPlan | undefined>
    readonly delivery: PluginDelivery
    readonly sink: EventSink
    readonly onLost?: ((projectId: number, losses: readonly Loss[]) => void) | undefined
    readonly clock: Clock
    readonly log: Log
  }

export type PluginRuntimeOptions = {
  /** The address of this instance, which plugins get with events. */
  readonly siteUrl: () => string
}

const NOTHING_LEFT: IngestOutcome = { kind: 'stored', stored: 0, duplicates: 0, deadLetters: 0 }
/** Makes the gateway try another worker. */
const CLOSING: IngestOutcome = { kind: 'overloaded', retryAfterS: 1 }

/**
 * Must be closed before the sink, because events that wait for plugins go there. Closes the loaders
 * and the delivery. The records and the states stay open, because they are written to meanwhile.
 */
export function createPluginRuntime(
  deps: PluginRuntimeDeps,
  { siteUrl }: PluginRuntimeOptions,
): PluginRuntime {
  return new Runtime(deps, siteUrl)
}

class Runtime implements PluginRuntime {
  readonly #deps: PluginRuntimeDeps
  readonly #siteUrl: () => string
  readonly #instances: Instances
  readonly #dryRuns: DryRuns
  readonly #queues: ProjectQueues
  /** Batches that the sink has. The sink bounds them. */
  readonly #submitted = new Set<Promise<void>>()
  #closing: Promise<void> | undefined

  constructor(deps: PluginRuntimeDeps, siteUrl: () => string) {
    this.#deps = deps
    this.#siteUrl = siteUrl
    this.#instances = new Instances(deps)
    this.#dryRuns = createDryRuns(deps, { siteUrl })
    this.#queues = createProjectQueues((id, waiting) => this.#processAll(id, waiting))
  }

  ingest(plan: PluginPlan, batch: EventBatch): Promise<IngestOutcome> {
    if (this.#closing !== undefined) return Promise.resolve(CLOSING)
    return this.#queues.submit(plan, batch)
  }

  async use<T>(
    projectId: ProjectId,
    configId: number,
    work: (loaded: LoadedPlugin) => Promise<T>,
  ): Promise<T | undefined> {
    // Read each time, because the snapshot of the project's actor may be older.
    const plan = await this.#deps.loadPlan(projectId)
    const step = plan?.find((each) => each.configId === configId)
    if (step === undefined || this.#closing !== undefined) return undefined
    const held = this.#instances.holdOne(projectId, step)
    try {
      await held.firstLoad()
      const loaded = held.holders[0]?.usable()
      return loaded === undefined ? undefined : await work(loaded)
    } finally {
      held.release()
    }
  }

  async dryRun(projectId: ProjectId, configId: number, event: JsonObject): Promise<DryRun> {
    if (this.#closing !== undefined) throw new AppError('unavailable', 'plugins are being closed')
    return await this.#dryRuns.run(projectId, configId, event)
  }

  unload(projectId: ProjectId): void {
    this.#instances.unload(projectId)
  }

  close(deadlineMs: number): Promise<void> {
    this.#closing ??= this.#close(deadlineMs)
    return this.#closing
  }

  /** Runs the plugins once on batches of one project that have waited together. */
  async #processAll(projectId: ProjectId, waiting: readonly WaitingBatch[]): Promise<void> {
    const [first] = waiting
    if (first === undefined) return
    const held = this.#instances.holdPlan(projectId, first.plan)
    await held.firstLoad()
    const events = waiting.flatMap(({ batch }) => batch.events)
    this.#countMissing(held, events.length)
    const left = await this.#process(projectId, held.holders, events)
    let at = 0
    // The sink gets them in this order. Its answers are not waited for here.
    const answered = waiting.map(async (each) => {
      const end = at + each.batch.events.length
      const batch = leftOf(each, left.slice(at, end))
      at = end
      each.answer(await this.#submit(held.holders, batch))
    })
    const all = Promise.all(answered).then(() => {
      held.release()
      this.#submitted.delete(all)
    })
    this.#submitted.add(all)
  }

  /** The events after the plugins. When the runtime itself fails, they continue unchanged. */
  async #process(
    projectId: ProjectId,
    holders: readonly PluginHolder[],
    events: readonly IngestEvent[],
  ): Promise<readonly (IngestEvent | undefined)[]> {
    const { clock, log } = this.#deps
    try {
      const frame = { projectId, siteUrl: this.#siteUrl(), receivedAtMs: clock.now() }
      const left = await runPipeline(holders, events, frame)
      if (left.includes(undefined)) {
        const lost = events.filter((_, index) => left[index] === undefined)
        // Reported without distinct ids: a plugin may drop events for privacy.
        const losses = lost.map((event) => lossOf('plugin_dropped', { ...event, distinctId: '' }))
        this.#deps.onLost?.(projectId, losses)
      }
      return left
    } catch (error) {
      log.error('events are stored without their plugins', { project: projectId, error })
      return events
    }
  }

  /** Counts events whose plugins had no room. The events continue without them. */
  #countMissing({ missing }: HeldPlugins, events: number): void {
    const { records } = this.#deps
    for (const { configId } of missing) records.count(configId, 'processEvent', 'failure', events)
  }

  async #submit(holders: readonly PluginHolder[], batch: EventBatch): Promise<IngestOutcome> {
    if (batch.events.length === 0) return NOTHING_LEFT
    const { sink, log } = this.#deps
    const outcome = await sink.submit(batch)
    try {
      this.#deliver(holders, batch, outcome)
    } catch (error) {
      log.error('stored events were not delivered to plugins', { project: batch.projectId, error })
    }
    return outcome
  }

  #deliver(holders: readonly PluginHolder[], batch: EventBatch, outcome: IngestOutcome): void {
    if (outcome.kind !== 'stored' && outcome.kind !== 'spilled') return
    const loaded = holders.flatMap((holder) => holder.usable() ?? []).filter(isDeferred)
    if (loaded.length === 0) return
    const events = batch.events.map((event) => toStoredEvent(event, batch.projectId))
    for (const each of loaded) this.#deps.delivery.stored(each, events)
  }

  async #close(deadlineMs: number): Promise<void> {
    const { clock, log, loaders, delivery } = this.#deps
    const endAt = clock.monotonic() + deadlineMs
    const left = () => Math.max(0, endAt - clock.monotonic())
    const steps: readonly [string, () => Promise<unknown>][] = [
      ['events', () => this.#queues.idle().then(() => Promise.all(this.#submitted))],
      ['dry runs', () => this.#dryRuns.idle()],
      ['delivery', () => delivery.close(left())],
      ['plugins', () => this.#instances.close()],
      ['loaders', () => Promise.all([loaders.source.close(), loaders.builtin.close()])],
    ]
    for (const [what, step] of steps) {
      const ended = step().then(
        () => true,
        (error: unknown) => {
          log.warn('plugins did not close cleanly', { what, error })
          return true
        },
      )
      const isInTime = await within(clock, { ms: left() }, ended, () => false)
      if (!isInTime) log.warn('plugins took long to close', { what })
    }
  }
}

function leftOf({ batch }: WaitingBatch, left: readonly (IngestEvent | undefined)[]): EventBatch {
  if (left.every((event, index) => event === batch.events[index])) return batch
  return batchOf(
    batch.projectId,
    left.flatMap((event) => event ?? []),
  )
}
