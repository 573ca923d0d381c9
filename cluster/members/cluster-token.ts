/**
 * The token by which the members of a cluster trust each other's calls: 256 random bits that the
 * first member writes into the cluster's registry of settings.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, hasCode } from '../../src/core/code.ts'
import type { Registry } from './registry.ts'

export type ClusterToken = {
  /** The token to send with calls to other members. */
  current(): string
  /** Whether a caller that sent this token is a member. The token before the current one counts. */
  accepts(token: string): boolean
  /**
   * Reads the registry once: writes the token again when the registry has lost it, and adopts the
   * token of a member that was first. To be called every few seconds.
   * @throws {AppError} `unavailable`.
   */
  keep(): Promise<void>
}

/** So many tries in a row fail only while other members create and lose the key. */
const TRIES_MAX = 5
const KEY = 'token'

/** @throws {AppError} `unavailable`. */
export async function openClusterToken(registry: Registry): Promise<ClusterToken> {
  let current = await storedToken(registry, randomBytes(32).toString('base64url'))
  let former = current

  return {
    current: () => current,
    accepts: (token) => [current, former].map((each) => equal(each, token)).includes(true),
    async keep() {
      const stored = await storedToken(registry, current)
      if (stored === current) return
      former = current
      current = stored
    },
  }
}

/** The token that the registry holds, after writing `wanted` when it held none. */
async function storedToken(registry: Registry, wanted: string): Promise<string> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const entry = await registry.get(KEY)
    if (entry !== undefined && isToken(entry.value)) return entry.value
    try {
      if (entry === undefined) await registry.create(KEY, wanted)
      else await registry.update(KEY, wanted, entry.revision)
    } catch (error) {
      // Another member was first, or the outcome is unknown: the next read shows which token holds.
      if (!hasCode(error, 'already_exists') && !hasCode(error, 'aborted')) {
        if (!hasCode(error, 'unavailable') || tries + 1 === TRIES_MAX) throw error
      }
    }
  }
  throw new AppError('unavailable', 'the token of the cluster could not be agreed on')
}

function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Compares in constant time, so that the time does not reveal where two texts differ. */
function equal(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
