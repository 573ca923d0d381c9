import type { ProjectId } from '../core/ids.ts'
import {
  PLUGIN_FAILURES_MAX,
  PLUGIN_FIRST_LOAD_MS,
  PLUGIN_TIMEOUTS_MAX,
} from '../core/limits/limits-plugins.ts'
import { stepLabel } from './host/captured.ts'
import type { CallListener, LoadedPlugin, PluginDelivery, PluginStep } from './ports.ts'
import { type LoadStepDeps, loadStep } from './runtime/load-step.ts'
import { createSliceSize, type SliceSize } from './runtime/slice-size.ts'
import { type BreakReason, createStepBreaker } from './runtime/step-breaker.ts'
import { createStepReports, type ReportDeps, type StepReports } from './step-reports.ts'

/**
 * One step of a project in this worker, from its first use to its end:
 *
 *   loading -> ready | retrying | off      retrying -> ready | off      ready -> off
 *
 * Events wait while it is loading, for `PLUGIN_FIRST_LOAD_MS` in all; `retrying` and `off` are
 * passed over. Whoever uses it holds it; `end` waits for them, sends what is buffered, and tears it
 * down.
 */
export type Slot = {
  readonly step: PluginStep
  /** As events name it: `<plugin> (<config id>)`. */
  readonly label: string
  readonly calls: CallListener
  readonly reports: StepReports
  readonly slice: SliceSize
  /** That of the plan, and that of the definition that was read, which may be newer. */
  stamps(): ReadonlySet<string>
  /** Undefined unless it is set up and has not been broken. */
  usable(): LoadedPlugin | undefined
  /** Resolves once it has been loaded, failed, asked to be called again, or taken too long. */
  firstLoad(): Promise<void>
  isLoading(): boolean
  /** Disabled for what it did, here or by being loaded. */
  isSpent(): boolean
  hold(): () => void
  isHeld(): boolean
  /** Refuses nothing: those who hold it finish. Resolves when all is given back. Never rejects. */
  end(): Promise<void>
}

export type SlotDeps = LoadStepDeps &
  ReportDeps & { readonly delivery: Pick<PluginDelivery, 'flush'> }

const WHY: Record<BreakReason, string> = {
  timeouts: `${PLUGIN_TIMEOUTS_MAX} calls have taken too long.`,
  failures: `${PLUGIN_FAILURES_MAX} calls in a row have failed.`,
}

type State = 'loading' | 'retrying' | 'ready' | 'off'

/** Begins to load at once. */
export function createSlot(deps: SlotDeps, projectId: ProjectId, step: PluginStep): Slot {
  const { clock, log } = deps
  const { configId } = step
  const breaker = createStepBreaker()
  const reports = createStepReports(deps, projectId, step)
  const stopLoading = new AbortController()
  const stamps = new Set([step.stamp])
  let state: State = 'loading'
  let hasFailed = false
  let loaded: LoadedPlugin | undefined
  let holders = 0
  let released: (() => void) | undefined
  let ending: Promise<void> | undefined

  let endFirst: () => void = () => {}
  const first = new Promise<void>((resolve) => {
    endFirst = resolve
  })
  const cancelFirst = clock.after(PLUGIN_FIRST_LOAD_MS, endFirst)
  const enter = (next: State) => {
    state = next
    cancelFirst()
    endFirst()
  }

  const calls: CallListener = {
    succeeded: (category) => breaker.succeeded(category),
    failed(category, error, event) {
      reports.keep(error, event)
      const reason = breaker.failed(category, clock.monotonic(), error.isTimeout)
      if (reason !== undefined) reports.disabled(WHY[reason], error, event)
    },
  }

  const load = async () => {
    const watcher = {
      read(definition: { step: PluginStep }) {
        stamps.add(definition.step.stamp)
        reports.read(definition.step)
      },
      loaded: () => reports.system('DEBUG', 'Plugin loaded.'),
      retrying({ message }: { message: string }, afterMs: number) {
        enter('retrying')
        reports.system('WARN', `The plugin is set up again in ${afterMs / 1_000} s: ${message}`)
      },
    }
    const outcome = await loadStep(deps, projectId, configId, watcher, stopLoading.signal)
    if (outcome.kind === 'ready') {
      loaded = { ...outcome.loaded, calls }
      enter('ready')
      reports.system('DEBUG', 'Plugin set up.')
      reports.loaded(loaded.instance.capabilities)
      return
    }
    enter('off')
    if (outcome.kind === 'failed') {
      hasFailed = true
      reports.disabled('it cannot be loaded and set up.', outcome.error, undefined)
    }
  }
  const loading = load().catch((error: unknown) => {
    log.error('loading a plugin failed', { project: projectId, config: configId, error })
    enter('off')
  })

  const end = async () => {
    stopLoading.abort(new Error('the plugin is being unloaded'))
    reports.end()
    await loading
    if (holders > 0) {
      await new Promise<void>((resolve) => {
        released = resolve
      })
    }
    state = 'off'
    if (loaded === undefined) return
    await deps.delivery.flush(configId, loaded.instance)
    await loaded.instance.teardown()
  }

  return {
    step,
    label: stepLabel(step),
    calls,
    reports,
    slice: createSliceSize(),
    stamps: () => stamps,
    usable: () => (state === 'ready' && !breaker.isBroken() ? loaded : undefined),
    firstLoad: () => first,
    isLoading: () => state === 'loading',
    isSpent: () => hasFailed || breaker.isBroken(),
    hold() {
      holders += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holders -= 1
        if (holders === 0) released?.()
      }
    },
    isHeld: () => holders > 0,
    end() {
      ending ??= end().catch((error: unknown) => {
        log.error('unloading a plugin failed', { project: projectId, config: configId, error })
      })
      return ending
    },
  }
}
