/** `meta` of a plugin inside a sandbox. */
import type { Kit } from './kit.ts'

export type MetaInput = {
  readonly config: object
  readonly attachments: readonly { key: string; content_type: string; file_name: string }[]
  readonly jobs: readonly string[]
}

/** The functions that make parts of `meta`, inside the sandbox. */
export type MetaParts = { readonly jobsOf: typeof jobsOf; readonly storesOf: typeof storesOf }

/** The object that a plugin gets beside an event. */
export function createMeta(kit: Kit, input: MetaInput, { jobsOf, storesOf }: MetaParts): object {
  const { native, ask } = kit
  const NodeBuffer: { from(bytes: ArrayBuffer): unknown } = Reflect.get(globalThis, 'Buffer')
  const { from } = NodeBuffer
  const attachments: Record<string, unknown> = {}
  for (const { key, content_type, file_name } of input.attachments) {
    let contents: unknown
    const value = {
      content_type,
      file_name,
      get contents() {
        contents ??= from(native.attachment(key))
        return contents
      },
    }
    Object.defineProperty(attachments, key, { value, enumerable: true })
  }

  return {
    config: input.config,
    attachments,
    global: {},
    ...storesOf(kit),
    jobs: jobsOf(kit, input.jobs),
    geoip: { locate: async (ip: unknown) => (await ask('geoip', [ip])) ?? null },
    utils: {
      cursor: {
        init: async (key: unknown, value: unknown = 0) => {
          await ask('cursor.init', [key, value])
        },
        increment: async (key: unknown, by: unknown = 1) =>
          await ask('cursor.increment', [key, by]),
      },
    },
  }
}

/** `meta.jobs`: one function for each job, which schedules it. */
export function jobsOf({ ask }: Kit, names: readonly string[]): object {
  const UNITS_MS: ReadonlyMap<string, number> = new Map([
    ['millisecond', 1],
    ['second', 1_000],
    ['minute', 60_000],
    ['hour', 3_600_000],
    ['day', 86_400_000],
    ['week', 604_800_000],
    ['month', 2_592_000_000],
    ['quarter', 7_776_000_000],
    ['year', 31_536_000_000],
  ])
  const durationOf = (count: unknown, unit: unknown): number => {
    const unitMs = UNITS_MS.get(String(unit).toLowerCase().replace(/s$/, ''))
    const ms = Number(count) * (unitMs ?? Number.NaN)
    if (Number.isFinite(ms)) return ms
    throw new Error('runIn takes a number and a unit, from milliseconds to years')
  }
  const timeOf = (date: unknown): number => {
    const ms = date instanceof Date ? date.getTime() : new Date(String(date)).getTime()
    const time = typeof date === 'number' ? date : ms
    if (Number.isFinite(time)) return time
    throw new Error('runAt takes a date')
  }
  const jobs: Record<string, unknown> = {}
  for (const name of names) {
    const value = (payload: unknown = {}) => {
      const at = (runAtMs: number) => ask('job', { name, payload, runAtMs: Math.round(runAtMs) })
      return {
        runNow: async () => await at(Date.now()),
        runIn: async (count: unknown, unit: unknown) =>
          await at(Date.now() + durationOf(count, unit)),
        runAt: async (date: unknown) => await at(timeOf(date)),
      }
    }
    Object.defineProperty(jobs, name, { value, enumerable: true })
  }
  return jobs
}

/** `meta.storage` and `meta.cache`. */
export function storesOf({ ask }: Kit): object {
  return {
    storage: {
      get: async (key: unknown, preset?: unknown) => (await ask('storage.get', [key])) ?? preset,
      set: async (key: unknown, value: unknown) => {
        await ask(value === undefined ? 'storage.del' : 'storage.set', [key, value])
      },
      del: async (key: unknown) => {
        await ask('storage.del', [key])
      },
    },
    cache: {
      get: async (key: unknown, preset?: unknown) => (await ask('cache.get', [key])) ?? preset,
      set: async (key: unknown, value: unknown, ttl?: unknown) => {
        await ask('cache.set', [key, value ?? null, ttl])
      },
      incr: async (key: unknown) => await ask('cache.incr', [key]),
      expire: async (key: unknown, ttl: unknown) => await ask('cache.expire', [key, ttl]),
      lpush: async (key: unknown, values: unknown) =>
        await ask('cache.lpush', [key, Array.isArray(values) ? values : [values]]),
      lrange: async (key: unknown, start: unknown, stop: unknown) =>
        await ask('cache.lrange', [key, start, stop]),
      llen: async (key: unknown) => await ask('cache.llen', [key]),
      lpop: async (key: unknown, count: unknown = 1) => await ask('cache.lpop', [key, count]),
      lrem: async (key: unknown, count: unknown, value: unknown) =>
        await ask('cache.lrem', [key, count, value]),
    },
  }
}
