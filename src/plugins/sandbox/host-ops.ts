/** The host functions that a sandbox may call, by name. A plugin may pass any arguments. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { HostRequest, PluginHost } from '../ports.ts'
import type { HostAnswer, HostQuestion } from './protocol.ts'

/** An answer of the server to a plugin, as JSON text: a fetched body in base64 and its headers. */
const SANDBOX_HOST_ANSWER_CHARS_MAX = 2_097_152

type Op = (host: PluginHost, args: Args, signal: AbortSignal) => Promise<Json | undefined>

const OPS: ReadonlyMap<string, Op> = new Map<string, Op>([
  ['storage.get', (host, args) => host.storage.get(args.text(0))],
  ['storage.set', (host, args) => nothing(host.storage.set(args.text(0), args.json(1)))],
  ['storage.del', (host, args) => nothing(host.storage.del(args.text(0)))],
  ['cache.get', (host, args) => host.cache.get(args.text(0))],
  [
    'cache.set',
    (host, args) => nothing(host.cache.set(args.text(0), args.json(1), args.optionalNumber(2))),
  ],
  ['cache.incr', (host, args) => host.cache.incr(args.text(0))],
  ['cache.expire', (host, args) => host.cache.expire(args.text(0), args.number(1))],
  ['cache.lpush', (host, args) => host.cache.lpush(args.text(0), args.list(1))],
  ['cache.lrange', (host, args) => host.cache.lrange(args.text(0), args.number(1), args.number(2))],
  ['cache.llen', (host, args) => host.cache.llen(args.text(0))],
  ['cache.lpop', (host, args) => host.cache.lpop(args.text(0), args.number(1))],
  ['cache.lrem', (host, args) => host.cache.lrem(args.text(0), args.number(1), args.json(2))],
  ['geoip', (host, args) => host.locate(args.text(0))],
  ['cursor.init', (host, args) => nothing(host.cursor.init(args.text(0), args.number(1)))],
  ['cursor.increment', (host, args) => host.cursor.increment(args.text(0), args.number(1))],
  [
    'capture',
    (host, args) => nothing(host.capture({ name: args.text(0), properties: args.object(1) })),
  ],
  ['job', enqueue],
  ['fetch', fetch],
])

/** Makes one call. Never rejects. The plugin may see the errors. */
export async function answerHost(
  host: PluginHost,
  { sandbox, hostCall, op, args }: HostQuestion,
  signal: AbortSignal,
): Promise<HostAnswer> {
  try {
    const run = OPS.get(op)
    if (run === undefined) throw new TypeError('the server has no such function')
    const given: unknown = parseJson(args)
    const value = await run(host, new Args(Array.isArray(given) ? given : [given]), signal)
    const text = value === undefined ? '' : JSON.stringify(value)
    if (text.length > SANDBOX_HOST_ANSWER_CHARS_MAX) throw new RangeError('the answer is too large')
    return { sandbox, hostCall, isOk: true, text }
  } catch (error) {
    const text = error instanceof Error ? error.message : 'the call failed'
    return { sandbox, hostCall, isOk: false, text }
  }
}

/** Each method throws a `TypeError` when the argument has another type. */
class Args {
  readonly #values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    this.#values = values
  }

  text(at: number): string {
    const value = this.#values[at]
    if (typeof value === 'string') return value
    throw new TypeError(`argument ${at + 1} must be a text`)
  }

  number(at: number): number {
    const value = this.#values[at]
    if (typeof value === 'number') return value
    throw new TypeError(`argument ${at + 1} must be a number`)
  }

  optionalNumber(at: number): number | undefined {
    const value = this.#values[at]
    return value === undefined || value === null ? undefined : this.number(at)
  }

  /** The arguments are parsed JSON, so every value is JSON. */
  json(at: number): Json {
    return asJson(this.#values[at])
  }

  list(at: number): readonly Json[] {
    const value = this.#values[at]
    if (Array.isArray(value)) return value.map(asJson)
    throw new TypeError(`argument ${at + 1} must be a list`)
  }

  object(at: number): JsonObject {
    const value = this.#values[at]
    if (isObject(value)) return value
    throw new TypeError(`argument ${at + 1} must be an object`)
  }
}

async function enqueue(host: PluginHost, args: Args): Promise<Json> {
  const { name, payload, runAtMs } = args.object(0)
  if (typeof name !== 'string' || typeof runAtMs !== 'number') throw new TypeError('no such job')
  return await host.enqueueJob({ name, payload: payload ?? null, runAtMs })
}

async function fetch(host: PluginHost, args: Args, signal: AbortSignal): Promise<Json> {
  const { url, method, headers, text, base64 } = args.object(0)
  if (typeof url !== 'string' || typeof method !== 'string') {
    throw new TypeError('fetch takes a URL')
  }
  const bytes = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined
  const body = typeof text === 'string' ? text : bytes
  const request: HostRequest = { url, method, headers: pairsOf(headers), body }
  const answer = await host.fetch(request, signal)
  const { status, statusText, redirected } = answer
  return {
    status,
    statusText,
    redirected,
    url: answer.url,
    headers: answer.headers.map(([name, value]) => [name, value]),
    body: Buffer.from(answer.body).toString('base64'),
  }
}

function pairsOf(given: unknown): (readonly [string, string])[] {
  if (!Array.isArray(given)) return []
  return given.map((pair: unknown) => {
    const [name, value]: unknown[] = Array.isArray(pair) ? pair : []
    return [String(name), String(value)] as const
  })
}

async function nothing(work: Promise<void>): Promise<undefined> {
  await work
  return undefined
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : null
}

function isJson(value: unknown): value is Json {
  return value !== undefined
}
