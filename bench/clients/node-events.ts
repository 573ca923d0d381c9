/** How many events a second posthog-node sends and the product stores. */
import { PostHog, type PostHogOptions } from 'posthog-node'
import { systemClock as clock } from '../../src/core/clock.ts'
import { silentLog as log } from '../../src/core/log.ts'
import { createSql, type Sql } from '../../src/postgres/connect.ts'
import type { Product } from '../load/machine/product.ts'
import { spreadOf } from '../load/report/stats.ts'

export type NodeOptions = {
  readonly events: number
  readonly runs: number
  readonly signal: AbortSignal
  /** Prints one object as a line. */
  write(row: object): void
}

/**
 * Events before a `flush()` is awaited: half of the library's default queue, which drops the oldest
 * events when it is full.
 */
const PACE = 500

/**
 * Measures events a second of one posthog-node client, configured with key and host only, from the
 * first `capture()` to the last answer. For comparison it measures the same client without a
 * server, where every answer comes at once.
 * @throws {Error} when an event is not stored, or more than once.
 */
export async function measureNode(product: Product, options: NodeOptions): Promise<void> {
  const { events, runs, signal, write } = options
  const [project] = product.projects
  if (project === undefined) throw new Error('no project')
  const sql = createSql(product.databaseUrl, { applicationName: 'bench', log, connectionsMax: 1 })
  try {
    const stored: number[] = []
    const alone: number[] = []
    for (let run = 1; run <= runs; run++) {
      signal.throwIfAborted()
      const event = `bench run ${run}`
      const perS = await send(project.apiKey, event, events, { host: product.url })
      await checkStored(sql, event, events)
      const answer = async () => new Response('{"status":1}')
      const unsent = await send(project.apiKey, event, events, { fetch: answer })
      stored.push(perS)
      alone.push(unsent)
      write({ posthogNode: run, eventsPerS: Math.round(perS), withoutServer: Math.round(unsent) })
    }
    write({ posthogNode: 'events/s, each stored once', ...rounded(spreadOf(stored)) })
    write({ posthogNode: 'events/s without a server', ...rounded(spreadOf(alone)) })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function send(
  apiKey: string,
  event: string,
  count: number,
  options: PostHogOptions,
): Promise<number> {
  const client = new PostHog(apiKey, options)
  const startedAt = clock.monotonic()
  for (let index = 0; index < count; index++) {
    client.capture({ distinctId: `user-${index % 1_000}`, event, properties: { index } })
    if (index % PACE === PACE - 1) await client.flush()
  }
  await client.flush()
  const ms = clock.monotonic() - startedAt
  await client.shutdown()
  return (count / ms) * 1_000
}

async function checkStored(sql: Sql, event: string, count: number): Promise<void> {
  const [row] = await sql<{ stored: number; different: number; first: number; last: number }[]>`
    select count(*)::int as stored, count(distinct index)::int as different,
      min(index)::int as first, max(index)::int as last
    from (select (properties->>'index')::int as index from events where event = ${event}) t`
  const found = JSON.stringify(row)
  const wanted = JSON.stringify({ stored: count, different: count, first: 0, last: count - 1 })
  if (found !== wanted) throw new Error(`stored ${found} in place of ${wanted}`)
}

function rounded(spread: object): object {
  return Object.fromEntries(Object.entries(spread).map(([name, each]) => [name, Math.round(each)]))
}
