/** Authenticates calls by their personal key, and remembers keys for a second. */
import { createBoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import type { UserId } from '../core/ids.ts'
import { AUTH_CACHE_MAX, AUTH_CACHE_STALE_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import type { StoredKey } from '../store/people/key-store.ts'
import { invalidPersonalKey, notAuthenticated } from './errors.ts'
import { isPersonalKey, keyDigest } from './keys.ts'

/** Who calls: a user, by a personal key that may hold less than the user may do. */
export type Principal = {
  readonly userId: UserId
  /** Id of the personal key, which is no secret. */
  readonly keyId: string
  readonly isStaff: boolean
  /** `object:read`, `object:write` (which includes read) or `*`. */
  readonly scopes: readonly string[]
  /** Project ids; empty is no restriction. */
  readonly scopedProjects: readonly number[]
  /** Organization ids; empty is no restriction. */
  readonly scopedOrganizations: readonly string[]
  /** ISO 8601, microseconds, `Z`; null for a key that does not expire. */
  readonly expiresAt: string | null
}

/** Where credentials come from: call metadata by lower-case name. */
export type Credentials = { get(name: string): string | undefined }

export type Authenticator = {
  /**
   * @throws {AppError} `unauthenticated`: no key at all, or one that is unknown, malformed, expired
   * or of an inactive user. What the store throws when it cannot answer.
   */
  authenticate(credentials: Credentials): Promise<Principal>
  /** Drops every cached key: a key was made, changed or removed. */
  forget(): void
  /** Resolves once no record of a use is being written; for shutdown. */
  settled(): Promise<void>
}

export type AuthenticatorDeps = {
  findKey: (digest: Buffer) => Promise<StoredKey | undefined>
  touchKey: (keyId: string) => Promise<void>
  clock: Clock
  log: Log
  /** Told of each key that is refused. */
  onRefused?: (value: string) => void
}

/** `until` is monotonic. */
type CachedKey = { readonly key: StoredKey; readonly until: number }

const USE_RECORDED_EVERY_S = 3_600

/**
 * Personal keys to principals. Known keys are remembered for a second at most: so a busy client
 * costs one look-up a second; unknown ones never, so that a new key works at once everywhere.
 */
export function createAuthenticator({
  findKey,
  touchKey,
  clock,
  log,
  onRefused = () => {},
}: AuthenticatorDeps): Authenticator {
  const cache = createBoundedMap<string, CachedKey>({ entriesMax: AUTH_CACHE_MAX })
  const touching = new Map<string, Promise<void>>()
  // Raised by `forget`: what was read before it is used once and not kept.
  let generation = 0

  const find = async (digest: Buffer): Promise<StoredKey | undefined> => {
    const name = digest.toString('base64')
    const now = clock.monotonic()
    const cached = cache.peek(name)
    if (cached !== undefined && now < cached.until) return cached.key
    const asked = generation
    const key = await findKey(digest)
    cache.delete(name)
    if (key === undefined) return undefined
    const until = now + Math.min(AUTH_CACHE_STALE_MS, key.expiresInMs ?? AUTH_CACHE_STALE_MS)
    if (asked === generation) cache.set(name, { key, until })
    recordUse(key)
    return key
  }

  /** Beside the call, never before its answer: a key's use is worth knowing, not waiting for. */
  const recordUse = ({ keyId, usedSecondsAgo }: StoredKey) => {
    if (usedSecondsAgo !== null && usedSecondsAgo < USE_RECORDED_EVERY_S) return
    if (touching.has(keyId)) return
    const written = touchKey(keyId)
      .catch((error: unknown) => log.warn('use of a key not recorded', { error }))
      .finally(() => touching.delete(keyId))
    touching.set(keyId, written)
  }

  return {
    async authenticate(credentials) {
      const value = presentedKey(credentials)
      if (value === undefined) throw notAuthenticated()
      const key = isPersonalKey(value) ? await find(keyDigest(value)) : undefined
      if (key !== undefined) return key
      onRefused(value)
      throw invalidPersonalKey()
    },
    forget() {
      generation++
      cache.clear()
    },
    async settled() {
      await Promise.all(touching.values())
    },
  }
}

/** True when there is a key to judge, be it a wrong one. */
export function presentsKey(credentials: Credentials): boolean {
  return presentedKey(credentials) !== undefined
}

/** The first place that holds a key is the only one tried: a bad one is not rescued by another. */
function presentedKey(credentials: Credentials): string | undefined {
  const bearer = /^bearer\s+(.*\S)\s*$/i.exec(credentials.get('authorization')?.trim() ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const header = credentials.get('x-api-key')?.trim()
  return header === '' ? undefined : header
}
