import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../src/core/code.ts'
import { isCode } from '../is-code.ts'
import type { Registry } from './registry.ts'

/**
 * The secret by which members know each other's calls: 256 random bits that whoever is first puts
 * into the cluster's registry of settings.
 */
export type ClusterToken = {
  /** Sent with calls to other members. */
  current(): string
  /** Whether a caller that sent this is a member. The last token but one is as good. */
  accepts(token: string): boolean
  /**
   * Looks at the store once: writes the token again when the store has lost it, and takes over
   * another one that was first there. To be called every few seconds.
   * @throws {AppError} `unavailable`.
   */
  keep(): Promise<void>
}

/** Every few tries in a row can fail only while others make and lose the key. */
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

/** The token that the store holds; `wanted` when it holds none. */
async function storedToken(registry: Registry, wanted: string): Promise<string> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const entry = await registry.get(KEY)
    if (entry !== undefined && isToken(entry.value)) return entry.value
    try {
      if (entry === undefined) await registry.create(KEY, wanted)
      else await registry.update(KEY, wanted, entry.revision)
    } catch (error) {
      // Another one was first, or the outcome is unknown: the next look says which token holds.
      if (!isCode(error, 'already_exists') && !isCode(error, 'aborted')) {
        if (!isCode(error, 'unavailable') || tries + 1 === TRIES_MAX) throw error
      }
    }
  }
  throw new AppError('unavailable', 'the token of the cluster could not be agreed on')
}

function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** In time that says nothing about where two texts differ. */
function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
