/** Authenticates calls by their personal key or session, and remembers both for a second. */
import { createBoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import type { UserId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { StoredKey } from '../store/people/key-store.ts'
import type { StoredSession } from '../store/people/session-store.ts'
import { isSession, SESSION_METADATA } from '../wire/session.ts'
import { invalidPersonalKey, notAuthenticated, sessionEnded } from './errors.ts'
import { isPersonalKey, keyDigest } from './keys.ts'

/** Management calls. Personal keys remembered, and for how long without asking again. */
export const AUTH_CACHE_MAX = 10_000
export const AUTH_CACHE_STALE_MS = 1_000

/** Caller: a user, by a session or by a personal key that may hold less than the user may do. */
export type Principal = {
  readonly userId: UserId
  /** Id of the personal key, which is no secret; null for a session that no key has made. */
  readonly keyId: string | null
  /** Id of the session, which is no secret; undefined for a call with a key. */
  readonly sessionId?: string
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

/** Source of credentials: call metadata by lower-case name. */
export type Credentials = { get(name: string): string | undefined }

export type Authenticator = {
  /**
   * @throws {AppError} `unauthenticated`: neither key nor session, or one that is unknown,
   * malformed, expired or of an inactive user. Errors of the store pass through.
   */
  authenticate(credentials: Credentials): Promise<Principal>
  /**
   * Like `authenticate`, but undefined for a call without a key or a valid session.
   * @throws {AppError} `unauthenticated` for an invalid key.
   */
  identify(credentials: Credentials): Promise<Principal | undefined>
  /** Drops all that is cached: a key or a session was made, changed or removed. */
  forget(): void
  /** Resolves once no record of a use is being written; for shutdown. */
  settled(): Promise<void>
}

export type AuthenticatorDeps = {
  findKey: (digest: Buffer) => Promise<StoredKey | undefined>
  touchKey: (keyId: string) => Promise<void>
  findSession: (digest: Buffer) => Promise<StoredSession | undefined>
  touchSession: (sessionId: string) => Promise<void>
  clock: Clock
  log: Log
  /** Called with each key that is refused. */
  onRefused?: (value: string) => void
}

/** A key or a session, as stored. */
type Known = StoredKey | StoredSession
/** `until` is monotonic. */
type Cached = { readonly known: Known; readonly until: number }

const USE_RECORDED_EVERY_S = 3_600
/** Sessions end when they are not used, and their users look at when that was. */
const SESSION_USE_RECORDED_EVERY_S = 300

type Touching = Pick<AuthenticatorDeps, 'touchKey' | 'touchSession' | 'log'>

/** Records uses beside the call: its answer never waits for them. */
function createUses({ touchKey, touchSession, log }: Touching) {
  const touching = new Map<string, Promise<void>>()
  return {
    record(known: Known) {
      const { usedSecondsAgo } = known
      const isOfSession = 'sessionId' in known
      const everyS = isOfSession ? SESSION_USE_RECORDED_EVERY_S : USE_RECORDED_EVERY_S
      if (usedSecondsAgo !== null && usedSecondsAgo < everyS) return
      const id = isOfSession ? known.sessionId : known.keyId
      if (touching.has(id)) return
      const written = (isOfSession ? touchSession(id) : touchKey(id))
        .catch((error: unknown) => log.warn('use of a key or session not recorded', { error }))
        .finally(() => touching.delete(id))
      touching.set(id, written)
    },
    async settled() {
      await Promise.all(touching.values())
    },
  }
}

/**
 * Personal keys and sessions to principals. Known ones are remembered for a second at most: so a
 * busy client costs one look-up a second; unknown ones never, so that a new key works at once
 * everywhere.
 */
export function createAuthenticator({
  findKey,
  touchKey,
  findSession,
  touchSession,
  clock,
  log,
  onRefused = () => {},
}: AuthenticatorDeps): Authenticator {
  const cache = createBoundedMap<string, Cached>({ entriesMax: AUTH_CACHE_MAX })
  const uses = createUses({ touchKey, touchSession, log })
  // Raised by `forget`: a read that began before it is used once and not cached.
  let generation = 0

  const find = async (kind: 'key' | 'session', value: string): Promise<Known | undefined> => {
    const digest = keyDigest(value)
    const name = `${kind} ${digest.toString('base64')}`
    const now = clock.monotonic()
    const cached = cache.peek(name)
    if (cached !== undefined && now < cached.until) return cached.known
    const asked = generation
    const known = await (kind === 'key' ? findKey(digest) : findSession(digest))
    cache.delete(name)
    if (known === undefined) return undefined
    const until = now + Math.min(AUTH_CACHE_STALE_MS, known.expiresInMs ?? AUTH_CACHE_STALE_MS)
    if (asked === generation) cache.set(name, { known, until })
    uses.record(known)
    return known
  }

  const byKey = async (value: string): Promise<Principal> => {
    const key = isPersonalKey(value) ? await find('key', value) : undefined
    if (key !== undefined) return key
    onRefused(value)
    throw invalidPersonalKey()
  }
  const bySession = async (credentials: Credentials): Promise<Principal | undefined> => {
    const value = presentedSession(credentials)
    return value !== undefined && isSession(value) ? await find('session', value) : undefined
  }

  return {
    async authenticate(credentials) {
      const value = presentedKey(credentials)
      if (value !== undefined) return await byKey(value)
      if (presentedSession(credentials) === undefined) throw notAuthenticated()
      const principal = await bySession(credentials)
      if (principal === undefined) throw sessionEnded()
      return principal
    },
    async identify(credentials) {
      const value = presentedKey(credentials)
      return await (value === undefined ? bySession(credentials) : byKey(value))
    },
    forget() {
      generation++
      cache.clear()
    },
    settled: uses.settled,
  }
}

/** Session of a call; used only when the call has no key. */
export function presentedSession(credentials: Credentials): string | undefined {
  return credentials.get(SESSION_METADATA)
}

/** The first place that holds a key is the only one tried: a bad one is not rescued by another. */
function presentedKey(credentials: Credentials): string | undefined {
  const bearer = /^bearer\s+(.*\S)\s*$/i.exec(credentials.get('authorization')?.trim() ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const header = credentials.get('x-api-key')?.trim()
  return header === '' ? undefined : header
}
