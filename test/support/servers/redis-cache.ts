/** The decide cache over a real Redis server. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import type { DecideCache } from '../../../gateway/cache/decide-cache.ts'
import {
  createRedisAccess,
  type RedisAccess,
  type RedisTrouble,
} from '../../../gateway/cache/redis-access.ts'
import { createRedisDecideCache } from '../../../gateway/cache/redis-decide-cache.ts'
import { openRedisLink, type RedisLink } from '../../../gateway/cache/redis-link.ts'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { REDIS_CONNECT_MS } from '../../../src/core/limits/limits.ts'
import { type Log, silentLog } from '../../../src/core/log.ts'

export type RedisCacheUnderTest = {
  readonly cache: DecideCache
  readonly access: RedisAccess
  readonly troubles: Record<RedisTrouble, number>
  /** Waits until it has this status. */
  until(status: 'up' | 'down'): Promise<void>
}

export type RedisCacheOptions = {
  readonly cluster?: string
  readonly generation?: () => string
  readonly clock?: Clock
  readonly log?: Log
  readonly open?: () => RedisLink
}

/**
 * Tests that are not about lateness use a clock that gives every batch a minute: a busy machine must
 * not decide what they see.
 */
const patientClock: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms < 100 ? 60_000 : ms, run),
}

/** A cache on a real server, closed after the test; of a cluster of its own unless told. */
export async function openRedisCache(
  t: Test,
  url: string,
  options: RedisCacheOptions = {},
): Promise<RedisCacheUnderTest> {
  const troubles = { late: 0, failed: 0, refused: 0, skipped: 0, paused: 0 }
  const access = createRedisAccess({
    open: options.open ?? (() => openRedisLink(url, REDIS_CONNECT_MS)),
    clock: options.clock ?? patientClock,
    log: options.log ?? silentLog,
    random: Math.random,
    count: (trouble) => {
      troubles[trouble]++
    },
  })
  const { cluster = randomUUID(), generation = () => 'one' } = options
  const cache = createRedisDecideCache(access, { cluster, generation })
  t.teardown(() => cache.close())
  const until = async (status: 'up' | 'down') => {
    const deadline = performance.now() + 60_000
    while (access.status() !== status) {
      if (performance.now() > deadline) throw new Error(`redis is not ${status}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  if (options.open === undefined) await until('up')
  return { cache, access, troubles, until }
}
