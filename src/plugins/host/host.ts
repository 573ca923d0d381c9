/** The functions that the plugin of one config may call. */
import { isIP } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { createGate, type Gate } from '../../core/gate.ts'
import type { Json } from '../../core/json.ts'
import {
  PLUGIN_JOB_NAME_CHARS_MAX,
  PLUGIN_JOB_PAYLOAD_BYTES_MAX,
  PLUGIN_JOB_YEARS_AHEAD_MAX,
  PLUGIN_KEY_CHARS_MAX,
  PLUGIN_LOG_CHARS_MAX,
  PLUGIN_STORAGE_VALUE_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { PluginDefinition, PluginStorage } from '../../project/plugin-ports.ts'
import type { LogType, PluginCache, PluginHost, PluginRecords } from '../ports.ts'
import { ArgumentRefused, checkKey, jsonText } from './arguments.ts'
import type { HostFetch } from './fetch.ts'
import { FetchFailed } from './fetch-request.ts'

/** Calls of one config that reach the database at a time, and those that wait. */
export const PLUGIN_STORE_CALLS_MAX = 4
export const PLUGIN_STORE_CALLS_WAITING_MAX = 256

/**
 * The services behind the functions of one config. Plugins see the messages of plain errors without
 * a code and the details of an `AppError`. Other failures are logged, and plugins see a general
 * text.
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

/** The host functions of one config. They check their arguments. */
export function createPluginHost(deps: PluginHostDeps, definition: PluginDefinition): PluginHost {
  const { projectId, step, logLevel } = definition
  const gate = createGate({
    runningMax: PLUGIN_STORE_CALLS_MAX,
    waitingMax: PLUGIN_STORE_CALLS_WAITING_MAX,
    refuse: () => new ArgumentRefused('too many calls to the server are under way'),
  })
  const told = tell(deps.log, definition)
  const capture = deps.capture.of(definition)
  return {
    storage: createStorage(deps.storage(definition), gate, told),
    cache: deps.caches.of(step.pluginId, projectId),
    cursor: createCursor(deps.cursor(definition), gate, told),
    enqueueJob: (job) =>
      told(async () => {
        checkJob(job, deps.clock.now())
        return await gate.run(() => deps.enqueueJob(definition, job))
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

/**
 * @param level 0 all, 1 no LOG, 2 no LOG and INFO, 3 only ERROR. Entries of SYSTEM are always kept.
 */
export function keepsLog(level: number, type: LogType): boolean {
  if (level >= 3) return type === 'ERROR'
  return !(level >= 1 && type === 'LOG') && !(level === 2 && type === 'INFO')
}

type Told = <T>(work: () => Promise<T>) => Promise<T>

/** Hides failures of the server: a plugin must not see statements, addresses or data of others. */
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

function createStorage(storage: PluginStorage, gate: Gate, told: Told): PluginStorage {
  const check = (key: string) => checkKey('storage', key, PLUGIN_KEY_CHARS_MAX)
  return {
    get: (key) =>
      told(async () => {
        check(key)
        return await gate.run(() => storage.get(key))
      }),
    set: (key, value) =>
      told(async () => {
        check(key)
        jsonText('storage', value, PLUGIN_STORAGE_VALUE_BYTES_MAX)
        await gate.run(() => storage.set(key, value))
      }),
    del: (key) =>
      told(async () => {
        check(key)
        await gate.run(() => storage.del(key))
      }),
  }
}

function createCursor(cursor: PluginHost['cursor'], gate: Gate, told: Told): PluginHost['cursor'] {
  const check = (key: string, value: number) => {
    checkKey('cursor', key, PLUGIN_KEY_CHARS_MAX)
    if (!Number.isSafeInteger(value)) throw new ArgumentRefused('cursor: an integer is expected')
  }
  return {
    init: (key, value) =>
      told(async () => {
        check(key, value)
        await gate.run(() => cursor.init(key, value))
      }),
    increment: (key, by) =>
      told(async () => {
        check(key, by)
        return await gate.run(() => cursor.increment(key, by))
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
