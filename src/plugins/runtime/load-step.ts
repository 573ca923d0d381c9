/** Loads the plugin of a step and sets it up. */
import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { PLUGIN_ATTEMPTS_MAX, PLUGIN_RETRY_MS } from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { PluginDefinition } from '../../project/plugin-ports.ts'
import type {
  CallAnswer,
  LoadAnswer,
  LoadedPlugin,
  PluginError,
  PluginHost,
  PluginInstance,
  PluginLoader,
} from '../ports.ts'

/** Pause before a definition is read again after a failure. */
export const PLUGIN_DEFINITION_RETRY_MS = 1_000

export type Loaders = { readonly source: PluginLoader; readonly builtin: PluginLoader }

export type LoadStepDeps = {
  readonly loaders: Loaders
  /** The definitions that the project may run, enabled or not. Others are left out. */
  readonly loadDefinitions: (
    project: ProjectId,
    configIds: readonly number[],
  ) => Promise<readonly PluginDefinition[]>
  readonly hostOf: (definition: PluginDefinition) => PluginHost
  readonly clock: Clock
  readonly log: Log
}

/** Gets the progress of a load. */
export type LoadWatcher = {
  read(definition: PluginDefinition): void
  loaded(instance: PluginInstance): void
  /** The plugin asked for another attempt after this many milliseconds. */
  retrying(error: PluginError, afterMs: number): void
}

export type LoadOutcome =
  | { readonly kind: 'ready'; readonly loaded: Omit<LoadedPlugin, 'calls'> }
  | { readonly kind: 'failed'; readonly error: PluginError }
  /** The config is gone, or not needed any more. Nothing is reported. */
  | { readonly kind: 'gone' }

const GONE = { kind: 'gone' } as const

/**
 * Reads, loads and sets up one config. A definition that cannot be read is read again until it can.
 * Never rejects. When a load fails or is aborted, its instance is torn down.
 */
export async function loadStep(
  deps: LoadStepDeps,
  projectId: ProjectId,
  configId: number,
  watcher: LoadWatcher,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const definition = await readDefinition(deps, projectId, configId, signal)
  if (definition === undefined) return GONE
  watcher.read(definition)
  const repeat = <Answer extends LoadAnswer | CallAnswer>(call: () => Promise<Answer>) =>
    withRetries(deps.clock, call, watcher, signal)
  const answer = await repeat(() => loadWith(deps.loaders, definition, deps.hostOf(definition)))
  if (answer === undefined) return GONE
  if (!answer.ok) return { kind: 'failed', error: answer.error }
  const { instance } = answer
  watcher.loaded(instance)
  const setUp = await repeat(() => instance.setup())
  if (setUp?.ok === true && !signal.aborted)
    return { kind: 'ready', loaded: { definition, instance } }
  await instance.teardown()
  return setUp === undefined || setUp.ok ? GONE : { kind: 'failed', error: setUp.error }
}

export async function loadWith(
  loaders: Loaders,
  definition: PluginDefinition,
  host: PluginHost,
): Promise<LoadAnswer> {
  const { kind } = definition.code
  return kind === 'none' ? NO_CODE : await loaders[kind].load(definition, host)
}

const NO_CODE: LoadAnswer = {
  ok: false,
  error: {
    name: 'Error',
    message: 'The plugin has no index.ts and no index.js.',
    stack: '',
    isRetry: false,
    isTimeout: false,
  },
}

/** Undefined when there is no definition, or `signal` aborts. */
async function readDefinition(
  { loadDefinitions, clock, log }: LoadStepDeps,
  project: ProjectId,
  config: number,
  signal: AbortSignal,
): Promise<PluginDefinition | undefined> {
  while (!signal.aborted) {
    try {
      return (await loadDefinitions(project, [config]))[0]
    } catch (error) {
      log.warn('plugin could not be read', { project, config, error })
    }
    await clock.sleep(PLUGIN_DEFINITION_RETRY_MS, signal).catch(() => {
      // Aborted: the condition above ends the loop.
    })
  }
  return undefined
}

/** The last answer; undefined when `signal` aborts between two attempts. */
async function withRetries<Answer extends LoadAnswer | CallAnswer>(
  clock: Clock,
  call: () => Promise<Answer>,
  watcher: LoadWatcher,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call()
    if (answer.ok || !answer.error.isRetry || attempt === PLUGIN_ATTEMPTS_MAX) return answer
    const afterMs = backoffMs({ firstMs: PLUGIN_RETRY_MS }, attempt)
    watcher.retrying(answer.error, afterMs)
    await clock.sleep(afterMs, signal).catch(() => {
      // Aborted: checked below.
    })
    if (signal.aborted) return undefined
  }
}
