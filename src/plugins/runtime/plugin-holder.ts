/** Holds the instance of one plugin config in this worker, from its first use to its end. */

import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  PLUGIN_BATCH_EVENTS_MAX,
  PLUGIN_FAILURES_MAX,
  PLUGIN_INGEST_MS,
  PLUGIN_TIMEOUTS_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { PluginStep } from '../../project/plugin-ports.ts'
import { stepLabel } from '../host/captured.ts'
import type { CallListener, LoadedPlugin, PluginDelivery } from '../ports.ts'
import { type LoadStepDeps, type LoadWatcher, loadStep } from './load-step.ts'
import { type BreakReason, createStepBreaker } from './step-breaker.ts'
import { createStepReports, type ReportDeps, type StepReports } from './step-reports.ts'

/** Longest wait of events for a plugin that is being loaded; then they continue without it. */
export const PLUGIN_FIRST_LOAD_MS = 5_000
assert(PLUGIN_FIRST_LOAD_MS < PLUGIN_INGEST_MS, 'a load that takes long is not waited for in vain')

export type HolderDeps = LoadStepDeps &
  ReportDeps & { readonly delivery: Pick<PluginDelivery, 'flush'> }

const WHY: Record<BreakReason, string> = {
  timeouts: `${PLUGIN_TIMEOUTS_MAX} calls have taken too long.`,
  failures: `${PLUGIN_FAILURES_MAX} calls in a row have failed.`,
}

type State = 'loading' | 'retrying' | 'ready' | 'off'

/**
 * One step of a project, which begins to load at once:
 *
 *   loading -> ready | retrying | off      retrying -> ready | off      ready -> off
 *
 * Events wait while it is loading, for `PLUGIN_FIRST_LOAD_MS` in all. They skip a step that is
 * retrying or off. Its users hold it: `end` waits for them, sends what is buffered, and tears the
 * instance down.
 */
export class PluginHolder {
  readonly step: PluginStep
  /** Its name in events: `<plugin> (<config id>)`. */
  readonly label: string
  readonly calls: CallListener
  readonly reports: StepReports
  readonly slice: SliceSize = createSliceSize()
  readonly #deps: HolderDeps
  readonly #projectId: ProjectId
  readonly #breaker = createStepBreaker()
  readonly #stopLoading = new AbortController()
  readonly #stamps: Set<string>
  readonly #firstLoad: Promise<void>
  readonly #loading: Promise<void>
  #endFirstLoad: () => void = () => {}
  #cancelFirstLoad: () => void = () => {}
  #state: State = 'loading'
  #hasFailed = false
  #loaded: LoadedPlugin | undefined
  #uses = 0
  #onUnused: () => void = () => {}
  #ending: Promise<void> | undefined

  constructor(deps: HolderDeps, projectId: ProjectId, step: PluginStep) {
    this.step = step
    this.label = stepLabel(step)
    this.reports = createStepReports(deps, projectId, step)
    this.calls = this.#listener()
    this.#deps = deps
    this.#projectId = projectId
    this.#stamps = new Set([step.stamp])
    this.#firstLoad = new Promise<void>((resolve) => {
      this.#endFirstLoad = resolve
    })
    this.#cancelFirstLoad = deps.clock.after(PLUGIN_FIRST_LOAD_MS, this.#endFirstLoad)
    this.#loading = this.#load().catch((error: unknown) => {
      this.#log('loading a plugin failed', error)
      this.#enter('off')
    })
  }

  /** The stamp of the plan, and that of the loaded definition, which may be newer. */
  stamps(): ReadonlySet<string> {
    return this.#stamps
  }

  /** Undefined unless it is set up and not disabled. */
  usable(): LoadedPlugin | undefined {
    return this.#state === 'ready' && !this.#breaker.isBroken() ? this.#loaded : undefined
  }

  /** Resolves when it has been loaded, has failed, will be retried, or has taken too long. */
  firstLoad(): Promise<void> {
    return this.#firstLoad
  }

  isLoading(): boolean {
    return this.#state === 'loading'
  }

  /** True when it was disabled for its failures, here or while it was loading. */
  isSpent(): boolean {
    return this.#hasFailed || this.#breaker.isBroken()
  }

  /** @returns a function that ends the use; it may be called twice. */
  hold(): () => void {
    this.#uses += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#uses -= 1
      if (this.#uses === 0) this.#onUnused()
    }
  }

  isHeld(): boolean {
    return this.#uses > 0
  }

  /** Lets its users finish. Resolves when everything is released. Never rejects. */
  end(): Promise<void> {
    this.#ending ??= this.#end().catch((error: unknown) => {
      this.#log('unloading a plugin failed', error)
    })
    return this.#ending
  }

  #listener(): CallListener {
    return {
      succeeded: (category) => this.#breaker.succeeded(category),
      failed: (category, error, event) => {
        this.reports.keep(error, event)
        const now = this.#deps.clock.monotonic()
        const reason = this.#breaker.failed(category, now, error.isTimeout)
        if (reason !== undefined) this.reports.disabled(WHY[reason], error, event)
      },
    }
  }

  #enter(next: State): void {
    this.#state = next
    this.#cancelFirstLoad()
    this.#endFirstLoad()
  }

  async #load(): Promise<void> {
    const { reports, step } = this
    const { signal } = this.#stopLoading
    const watcher = this.#watcher()
    const outcome = await loadStep(this.#deps, this.#projectId, step.configId, watcher, signal)
    if (outcome.kind === 'ready') {
      this.#loaded = { ...outcome.loaded, calls: this.calls }
      this.#enter('ready')
      reports.system('DEBUG', 'Plugin set up.')
      reports.loaded(this.#loaded.instance.capabilities)
      return
    }
    this.#enter('off')
    if (outcome.kind === 'failed') {
      this.#hasFailed = true
      reports.disabled('it cannot be loaded and set up.', outcome.error, undefined)
    }
  }

  #watcher(): LoadWatcher {
    const { reports } = this
    return {
      read: ({ step }) => {
        this.#stamps.add(step.stamp)
        reports.read(step)
      },
      loaded: () => reports.system('DEBUG', 'Plugin loaded.'),
      retrying: ({ message }, afterMs) => {
        this.#enter('retrying')
        reports.system('WARN', `The plugin is set up again in ${afterMs / 1_000} s: ${message}`)
      },
    }
  }

  async #end(): Promise<void> {
    this.#stopLoading.abort(new Error('the plugin is being unloaded'))
    this.reports.end()
    await this.#loading
    if (this.#uses > 0) {
      await new Promise<void>((resolve) => {
        this.#onUnused = resolve
      })
    }
    this.#state = 'off'
    if (this.#loaded === undefined) return
    await this.#deps.delivery.flush(this.step.configId, this.#loaded.instance)
    await this.#loaded.instance.teardown()
  }

  #log(message: string, error: unknown): void {
    const { configId: config } = this.step
    this.#deps.log.error(message, { project: this.#projectId, config, error })
  }
}

/** Number of events in one call: few until calls have ended in time. */
type SliceSize = { size(): number; took(hadTimeout: boolean): void }

const SLICE_GROWTH = 4

function createSliceSize(): SliceSize {
  let size = 1
  return {
    size: () => size,
    took(hadTimeout) {
      size = hadTimeout ? 1 : Math.min(size * SLICE_GROWTH, PLUGIN_BATCH_EVENTS_MAX)
    },
  }
}
