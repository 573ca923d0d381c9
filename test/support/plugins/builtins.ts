/** Runs built-in plugins over events. */
import type { Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { createBuiltinLoader } from '../../../src/plugins/builtin/builtin-loader.ts'
import type {
  HostRequest,
  HostResponse,
  PluginEvent,
  PluginHost,
  PluginInstance,
  StoredPluginEvent,
} from '../../../src/plugins/ports.ts'
import type { PluginDefinition } from '../../../src/project/plugin-ports.ts'

/** An event as plugins see it; its members are its own. */
export function pluginEvent(
  properties: JsonObject = {},
  members: Partial<PluginEvent> = {},
): PluginEvent {
  const own: PluginEvent['properties'] = JSON.parse(JSON.stringify(properties))
  const ip = own['$ip']
  return {
    uuid: '0190a5f2-0000-7000-8000-000000000001',
    event: '$pageview',
    distinct_id: 'u1',
    team_id: 1,
    properties: own,
    timestamp: '2026-02-28T12:00:00.000Z',
    now: '2026-02-28T12:00:01.000Z',
    ip: typeof ip === 'string' ? ip : null,
    site_url: 'http://localhost:8000',
    ...members,
  }
}

export function storedEvent(event: string, properties: JsonObject = {}): StoredPluginEvent {
  const { now: _now, site_url: _url, sent_at: _at, ...rest } = pluginEvent(properties, { event })
  return { ...rest, elements: [] }
}

type HostAnswers = {
  readonly locate?: (ip: string) => Json
  readonly fetch?: (request: HostRequest, signal: AbortSignal) => Promise<HostResponse>
  readonly log?: PluginHost['log']
}

/** A host that refuses all calls except those with given answers. */
export function pluginHost({ locate, fetch, log }: HostAnswers = {}): PluginHost {
  const refuse = async () => await Promise.reject(new Error('not for this plugin'))
  const storage = { get: refuse, set: refuse, del: refuse }
  const cache = { get: refuse, set: refuse, incr: refuse, expire: refuse, lpush: refuse }
  const lists = { lrange: refuse, llen: refuse, lpop: refuse, lrem: refuse }
  return {
    storage,
    cache: { ...cache, ...lists },
    enqueueJob: refuse,
    locate: async (ip) => locate?.(ip) ?? null,
    fetch: fetch ?? refuse,
    capture: refuse,
    cursor: { init: refuse, increment: refuse },
    log: log ?? (() => undefined),
  }
}

export function httpResponse(status: number): HostResponse {
  const url = 'https://example.com/'
  const body = new Uint8Array()
  return { status, statusText: '', url, redirected: false, headers: [], body }
}

export function builtinDefinition(name: string, settings: JsonObject): PluginDefinition {
  return {
    projectId: projectId(1),
    organizationId: '0190a5f2-0000-7000-8000-000000000000',
    step: { configId: 1, pluginId: 1, pluginName: name, order: 1, stamp: '1' },
    settings,
    attachments: new Map(),
    logLevel: 0,
    code: { kind: 'builtin', name },
  }
}

export async function loadBuiltin(
  name: string,
  settings: JsonObject = {},
  host: PluginHost = pluginHost(),
  clock: Clock = systemClock,
): Promise<PluginInstance> {
  const loader = createBuiltinLoader({ clock })
  const answer = await loader.load(builtinDefinition(name, settings), host)
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.instance
}

/** Loaded and set up. */
export async function startBuiltin(
  name: string,
  settings: JsonObject = {},
  host?: PluginHost,
): Promise<PluginInstance> {
  const instance = await loadBuiltin(name, settings, host)
  const answer = await instance.setup()
  if (!answer.ok) throw new Error(answer.error.message)
  return instance
}

/** Result of one event; null when it is dropped. */
export async function processed(instance: PluginInstance, event: PluginEvent): Promise<unknown> {
  const [answer] = await instance.process([event])
  if (answer?.kind === 'kept') return answer.event
  if (answer?.kind === 'dropped') return null
  throw new Error(answer?.error.message ?? 'no answer')
}

/** The same of an event with these properties: what they become. */
export async function processedProperties(
  instance: PluginInstance,
  properties: JsonObject,
): Promise<JsonObject> {
  const event = pluginEvent(properties)
  if ((await processed(instance, event)) !== event) throw new Error('another event came back')
  return event.properties
}

/** Settings that fail the setup, each with the text of its error. */
export async function refusedSettings(
  t: Test,
  name: string,
  cases: readonly (readonly [JsonObject, RegExp])[],
): Promise<void> {
  for (const [settings, message] of cases) {
    const instance = await loadBuiltin(name, settings)
    const answer = await instance.setup()
    t.match(answer, { ok: false, error: { name: 'SettingError', message, isRetry: false } })
    const [event] = await instance.process([pluginEvent()])
    t.match(event, { kind: 'failed' }, 'it does nothing then')
  }
}
