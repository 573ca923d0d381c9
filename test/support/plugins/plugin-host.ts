/** A plugin host in memory, and the definitions and events that plugins under test are given. */
import { projectId } from '../../../src/core/ids.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type {
  HostRequest,
  HostResponse,
  LogType,
  PluginEvent,
  PluginHost,
} from '../../../src/plugins/ports.ts'
import type { PluginCode, PluginDefinition, PluginFile } from '../../../src/project/plugin-ports.ts'

/** A host in memory that records each call. */
export type RecordedHost = PluginHost & {
  readonly logs: { type: LogType; message: string }[]
  readonly jobs: { name: string; payload: Json; runAtMs: number }[]
  readonly captured: { name: string; properties: JsonObject }[]
  readonly requests: HostRequest[]
  readonly stored: Map<string, Json>
  readonly cached: Map<string, Json>
  readonly cursors: Map<string, number>
  /** Names of the functions in the order of their calls, except logs. */
  readonly calls: string[]
  /** Answers `fetch`; echoes the request's body unless replaced. */
  onFetch: (request: HostRequest, signal: AbortSignal) => Promise<HostResponse>
}

export function recordedHost(): RecordedHost {
  const stored = new Map<string, Json>()
  const cached = new Map<string, Json>()
  const cursors = new Map<string, number>()
  const calls: string[] = []
  const host: RecordedHost = {
    logs: [],
    jobs: [],
    captured: [],
    requests: [],
    stored,
    cached,
    cursors,
    calls,
    onFetch: async (request) => response(200, Buffer.from(request.body ?? '')),
    storage: recordedStorage(stored, calls),
    cache: recordedCache(cached, calls),
    async enqueueJob(job) {
      host.jobs.push(job)
      return `job-${host.jobs.length}`
    },
    locate: async (ip) => (ip === '1.1.1.1' ? { country: 'AU' } : null),
    async fetch(request, signal) {
      host.requests.push(request)
      return await host.onFetch(request, signal)
    },
    async capture(event) {
      host.captured.push(event)
    },
    cursor: {
      async init(key, value) {
        if (!cursors.has(key)) cursors.set(key, value)
      },
      async increment(key, by) {
        const next = (cursors.get(key) ?? 0) + by
        cursors.set(key, next)
        return next
      },
    },
    log(type, message) {
      host.logs.push({ type, message })
    },
  }
  return host
}

function recordedStorage(stored: Map<string, Json>, calls: string[]): PluginHost['storage'] {
  return {
    async get(key) {
      calls.push('storage.get')
      return stored.get(key)
    },
    async set(key, value) {
      calls.push('storage.set')
      stored.set(key, value)
    },
    async del(key) {
      calls.push('storage.del')
      stored.delete(key)
    },
  }
}

function recordedCache(cached: Map<string, Json>, calls: string[]): PluginHost['cache'] {
  const list = (key: string): Json[] => {
    const value = cached.get(key)
    return Array.isArray(value) ? [...value] : []
  }
  return {
    async get(key) {
      calls.push('cache.get')
      return cached.get(key)
    },
    async set(key, value, ttlS) {
      calls.push(`cache.set ${ttlS}`)
      cached.set(key, value)
    },
    async incr(key) {
      const next = Number(cached.get(key) ?? 0) + 1
      cached.set(key, next)
      return next
    },
    async expire(key, ttlS) {
      calls.push(`cache.expire ${ttlS}`)
      return cached.has(key)
    },
    async lpush(key, values) {
      cached.set(key, [...[...values].reverse(), ...list(key)])
      return list(key).length
    },
    lrange: async (key, start, stop) => list(key).slice(start, stop < 0 ? undefined : stop + 1),
    llen: async (key) => list(key).length,
    async lpop(key, count) {
      const values = list(key)
      const popped = values.splice(0, count)
      cached.set(key, values)
      return popped
    },
    async lrem(key, _count, value) {
      const kept = list(key).filter((each) => JSON.stringify(each) !== JSON.stringify(value))
      const removed = list(key).length - kept.length
      cached.set(key, kept)
      return removed
    },
  }
}

export function response(
  status: number,
  body: Uint8Array,
  more: Partial<HostResponse> = {},
): HostResponse {
  const url = 'https://example.com/'
  return { status, statusText: '', url, redirected: false, headers: [], body, ...more }
}

/** Config 7 in project 1, unless given otherwise. */
export function definition(
  code: string | PluginCode,
  more: {
    readonly projectId?: number
    readonly configId?: number
    readonly settings?: JsonObject
    readonly attachments?: ReadonlyMap<string, PluginFile>
    readonly file?: 'index.ts' | 'index.js'
  } = {},
): PluginDefinition {
  const { projectId: project = 1, configId = 7, settings = {}, attachments = new Map() } = more
  const { file = 'index.ts' } = more
  return {
    projectId: projectId(project),
    organizationId: '01800000-0000-7000-8000-000000000001',
    step: { configId, pluginId: 3, pluginName: 'Under test', order: 1, stamp: '1' },
    settings,
    attachments,
    logLevel: 0,
    code: typeof code === 'string' ? { kind: 'source', file, source: code } : code,
  }
}

export function pluginEvent(more: Partial<PluginEvent> = {}): PluginEvent {
  return {
    uuid: '018f0000-0000-7000-8000-000000000001',
    event: '$pageview',
    distinct_id: 'user-1',
    team_id: 1,
    properties: { plan: 'free' },
    timestamp: '2024-01-01T00:00:00.000Z',
    now: '2024-01-01T00:00:00.000Z',
    ip: '1.1.1.1',
    site_url: 'http://localhost:8000',
    ...more,
  }
}
