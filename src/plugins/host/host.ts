import { isIP } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import {
  PLUGIN_JOB_NAME_CHARS_MAX,
  PLUGIN_JOB_PAYLOAD_BYTES_MAX,
  PLUGIN_JOB_YEARS_AHEAD_MAX,
  PLUGIN_KEY_CHARS_MAX,
  PLUGIN_LOG_CHARS_MAX,
  PLUGIN_STORAGE_VALUE_BYTES_MAX,
  PLUGIN_STORE_CALLS_MAX,
  PLUGIN_STORE_CALLS_WAITING_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { Json } from '../../wire/proto/value.ts'
import type {
  LogType,
  PluginCache,
  PluginDefinition,
  PluginHost,
  PluginRecords,
  PluginStorage,
} from '../ports.ts'
import { ArgumentRefused, checkKey, jsonText } from './arguments.ts'
import type { HostFetch } from './fetch.ts'
import { FetchFailed } from './fetch-request.ts'
import { createTurns, type Turns } from './turns.ts'

/**
 * Where the functions of one config end. Plugins see the messages of plain errors without a code
 * and the details of an `AppError`; other failures are logged, and told in general words.
 */
export type PluginHostDeps = {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly storage: (definition: PluginDefinition) => PluginStorage
  readonly cursor: (definition: PluginDefinition) => PluginHost['cursor']
  readonly enqueueJob: (
    definition: PluginDefinition,
    job: Parameters<PluginHost['enqueueJob']>[0],
  ) => Promise<string>
  readonly caches: { of(pluginId: number, projectId: number): PluginCache }
  readonly fetch: HostFetch
  readonly locate: (ip: string) => Promise<Json>
  readonly capture: { of(definition: PluginDefinition): PluginHost['capture'] }
  readonly records: Pick<PluginRecords, 'log'>
}

/** The server as the plugin of one config may use it: arguments are checked here. */
export function createPluginHost(deps: PluginHostDeps, definition: PluginDefinition): PluginHost {
  const { projectId, step, logLevel } = definition
  const turns = createTurns({
    runningMax: PLUGIN_STORE_CALLS_MAX,
    waitingMax: PLUGIN_STORE_CALLS_WAITING_MAX,
  })
  const told = tell(deps.log, definition)
  const capture = deps.capture.of(definition)
  return {
    storage: createStorage(deps.storage(definition), turns, told),
    cache: deps.caches.of(step.pluginId, projectId),
    cursor: createCursor(deps.cursor(definition), turns, told),
    enqueueJob: (job) =>
      told(async () => {
        checkJob(job, deps.clock.now())
        return await turns.run(() => deps.enqueueJob(definition, job))
      }),
    locate: (ip) => told(async () => (isIP(ip) === 0 ? null : await deps.locate(ip))),
    fetch: (request, signal) => told(() => deps.fetch(step.configId, request, signal)),
    capture: (event) => told(() => capture(event)),
    log(type, message) {
      if (!keepsLog(logLevel, type)) return
      const cut = message.slice(0, PLUGIN_LOG_CHARS_MAX)
      deps.records.log({ projectId, step, source: 'CONSOLE', type, message: cut })
    },
  }
}

/** @param level 0 all, 1 no LOG, 2 no LOG and INFO, 3 only ERROR. What SYSTEM says is always kept. */
export function keepsLog(level: number, type: LogType): boolean {
  if (level >= 3) return type === 'ERROR'
  return !(level >= 1 && type === 'LOG') && !(level === 2 && type === 'INFO')
}

type Told = <T>(work: () => Promise<T>) => Promise<T>

/** A failure of the server must not show the plugin statements, addresses or what others store. */
function tell(log: Log, { step }: PluginDefinition): Told {
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ArgumentRefused || error instanceof FetchFailed) throw error
      if (error instanceof AppError && error.detail !== undefined) {
        throw new Error(error.detail.detail)
      }
      const isPlain = error instanceof Error && error.constructor === Error && !('code' in error)
      if (isPlain) throw error
      log.warn('host function failed', { configId: step.configId, error })
      throw new Error('the server cannot do this now')
    }
  }
}

function createStorage(storage: PluginStorage, turns: Turns, told: Told): PluginStorage {
  const check = (key: string) => checkKey('storage', key, PLUGIN_KEY_CHARS_MAX)
  return {
    get: (key) =>
      told(async () => {
        check(key)
        return await turns.run(() => storage.get(key))
      }),
    set: (key, value) =>
      told(async () => {
        check(key)
        jsonText('storage', value, PLUGIN_STORAGE_VALUE_BYTES_MAX)
        await turns.run(() => storage.set(key, value))
      }),
    del: (key) =>
      told(async () => {
        check(key)
        await turns.run(() => storage.del(key))
      }),
  }
}

function createCursor(
  cursor: PluginHost['cursor'],
  turns: Turns,
  told: Told,
): PluginHost['cursor'] {
  const check = (key: string, value: number) => {
    checkKey('cursor', key, PLUGIN_KEY_CHARS_MAX)
    if (!Number.isSafeInteger(value)) throw new ArgumentRefused('cursor: an integer is expected')
  }
  return {
    init: (key, value) =>
      told(async () => {
        check(key, value)
        await turns.run(() => cursor.init(key, value))
      }),
    increment: (key, by) =>
      told(async () => {
        check(key, by)
        return await turns.run(() => cursor.increment(key, by))
      }),
  }
}

const YEAR_MS = 365.25 * 86_400_000

function checkJob(
  { name, payload, runAtMs }: Parameters<PluginHost['enqueueJob']>[0],
  nowMs: number,
): void {
  if (name === '' || name.length > PLUGIN_JOB_NAME_CHARS_MAX) {
    const message = `jobs: the name must have 1 to ${PLUGIN_JOB_NAME_CHARS_MAX} characters`
    throw new ArgumentRefused(message)
  }
  jsonText('jobs', payload, PLUGIN_JOB_PAYLOAD_BYTES_MAX)
  // A time in the past means now.
  if (!Number.isFinite(runAtMs) || runAtMs - nowMs > PLUGIN_JOB_YEARS_AHEAD_MAX * YEAR_MS) {
    throw new ArgumentRefused('jobs: the time must be within ten years')
  }
}
