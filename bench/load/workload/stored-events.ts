/**
 * Stores events to list and to export. They are sent as a client would send them, spread over
 * thirty days.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { type BenchProject, countEvents, isManaged } from './management-api.ts'
import { createPrng } from './prng.ts'

export type StoredEventsOptions = {
  readonly count: number
  readonly distinctIds: number
  readonly seed: number
  readonly nowMs: number
  /** Batches a second; no limit unless given. */
  readonly pace?: { readonly perS: number; readonly clock: Pick<Clock, 'monotonic' | 'sleep'> }
}

/** One in ten events has this name. */
export const SEEDED_EVENT = 'bench event 0'
const NAMES = 10
const PLANS = ['free', 'free', 'free', 'free', 'pro', 'pro', 'team'] as const
const DAYS = 30
const DAY_MS = 86_400_000
const BATCH = 500
const SENDERS = 8
const REQUEST_MS_MAX = 60_000

/**
 * Stores `count` events, unless the project already has enough with the first name.
 * @throws {AppError} when the instance refuses them.
 */
export async function storeEvents(
  url: string,
  project: BenchProject,
  options: StoredEventsOptions,
): Promise<void> {
  if (isManaged(project)) {
    const known = await countEvents(url, project, SEEDED_EVENT)
    if (known >= Math.floor((options.count / NAMES) * 0.9)) return
  }
  const prng = createPrng(options.seed)
  const batches = Math.ceil(options.count / BATCH)
  let next = 0
  const { pace } = options
  const startedAt = pace?.clock.monotonic() ?? 0
  /** Waits until the batch is due: they are sent evenly. */
  const due = async (batch: number) => {
    if (pace === undefined) return
    const waitMs = startedAt + (batch * 1_000) / pace.perS - pace.clock.monotonic()
    if (waitMs > 0) await pace.clock.sleep(waitMs)
  }
  const sender = async () => {
    for (let batch = next++; batch < batches; batch = next++) {
      await due(batch)
      const size = Math.min(BATCH, options.count - batch * BATCH)
      const events = Array.from({ length: size }, () => makeEvent(prng, options))
      await send(url, project.apiKey, events)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

function makeEvent(
  prng: ReturnType<typeof createPrng>,
  { distinctIds, nowMs }: StoredEventsOptions,
): object {
  const at = nowMs - Math.floor(prng.float() * DAYS * DAY_MS)
  const id = String(prng.below(distinctIds)).padStart(10, '0')
  return {
    event: `bench event ${prng.below(NAMES)}`,
    distinct_id: `user-${id}`,
    uuid: uuidv7({ msecs: at }),
    timestamp: new Date(at).toISOString(),
    properties: {
      plan: PLANS[prng.below(PLANS.length)],
      $browser: ['Chrome', 'Firefox', 'Safari'][prng.below(3)],
      $current_url: `https://example.com/page/${prng.below(1_000)}`,
      amount: prng.below(10_000),
      nested: { list: [prng.below(10), 'x'], flag: prng.below(2) === 1 },
    },
  }
}

async function send(url: string, apiKey: string, batch: readonly object[]): Promise<void> {
  const response = await fetch(new URL('/batch/', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey, batch }),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
  await response.arrayBuffer()
  if (response.status === 503) return await send(url, apiKey, batch) // The same uuids: stored once.
  if (response.status !== 200) {
    throw new AppError('unavailable', `storing events answered ${response.status}`)
  }
}
