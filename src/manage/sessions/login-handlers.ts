/** Handlers of `LoginService`: sessions begin, are shown and end. */

import { v7 as uuidv7 } from 'uuid'
import type { LoginRequest__Output } from '../../../proto/gen/sluice/v1/LoginRequest.ts'
import type { LoginServiceDefinition } from '../../../proto/gen/sluice/v1/LoginService.ts'
import type { Session } from '../../../proto/gen/sluice/v1/Session.ts'
import type { UserSession } from '../../../proto/gen/sluice/v1/UserSession.ts'
import { rowUuid } from '../../access/access.ts'
import { clientAddress } from '../../access/client-address.ts'
import { currentPlace } from '../../access/current-project.ts'
import { found, notAuthenticated, sessionEnded } from '../../access/errors.ts'
import { reachesProject, refuseRestrictedKeys } from '../../access/key-limits.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import { knownBrowserOf, knownBrowserToken } from '../../access/known-browser.ts'
import { createPasswordHasher } from '../../access/password.ts'
import { type Principal, presentedSession } from '../../access/principal.ts'
import { createTries, type EndTry, type TriedBy } from '../../access/tries.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError, assert } from '../../core/code.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  deleteSession,
  findPassword,
  findPasswordHash,
  findSession,
  insertSession,
  type ListedSession,
  listSessions,
  type StoredSession,
} from '../../store/people/session-store.ts'
import { findUser, lockUser } from '../../store/people/user-store.ts'
import type { CallContext } from '../../wire/call.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import {
  AGENT_LENGTH_MAX,
  AGENT_METADATA,
  BROWSER_METADATA,
  csrfToken,
  isBrowser,
} from '../../wire/session.ts'
import { auditFacts } from '../audit.ts'
import type { Management } from '../management.ts'
import { toUserSummary } from '../people/user-message.ts'
import { toWireList } from '../wire-value.ts'
import { type Credentials, credentialsOf, type Proof, prove, refused } from './credentials.ts'

const SERVICE = '/sluice.v1.LoginService'

export type LoginHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly clock: Clock
  /** True for the token of a member of the cluster. */
  readonly isMember: (token: string) => boolean
  /** Called with each personal key that is refused at sign-in. */
  readonly onKeyRefused: (value: string) => void
}

export function createLoginHandlers(
  deps: LoginHandlersDeps,
): ServiceHandlers<LoginServiceDefinition> {
  const { management, sql, feed, clock } = deps
  const provers = { sql, passwords: createPasswordHasher(), onKeyRefused: deps.onKeyRefused }
  const tries = createTries({ clock })
  return {
    Login: management.forAnybody(`${SERVICE}/Login`, {
      async run(request: LoginRequest__Output, _found, caller, context) {
        const credentials = credentialsOf(request)
        const by = await triedBy(deps, credentials, context)
        const begun = await countingFailures(await tries.begin(by, context.signal), async () => {
          const proof = await prove(provers, credentials)
          const agent = context.metadata.get(AGENT_METADATA)?.slice(0, AGENT_LENGTH_MAX) ?? ''
          return await beginSession(sql, proof, { agent, replaced: caller })
        })
        if (begun.hasReplaced) feed.publish({ kind: 'keys' })
        const session = await viewSession(sql, begun.principal, begun.token)
        return { session, session_token: begun.token, browser_token: begun.browserToken }
      },
    }),

    Logout: management.forAnybody(`${SERVICE}/Logout`, {
      async run(_request, _found, caller) {
        if (caller?.sessionId === undefined) throw notAuthenticated()
        const { sessionId, userId } = caller
        await sql.begin(async (tx) => {
          const isEnded = await deleteSession(tx, userId, sessionId)
          if (isEnded) await auditSession(tx, caller, 'signed_out', {})
        })
        feed.publish({ kind: 'keys' })
        return {}
      },
    }),

    GetSession: management.forAnybody(`${SERVICE}/GetSession`, {
      async run(_request, _found, caller, { metadata }) {
        if (caller?.sessionId === undefined) return {}
        const token = presentedSession(metadata)
        assert(token !== undefined, 'a caller with a session has named it')
        return await viewSession(sql, caller, token)
      },
    }),

    ListSessions: management.ofCaller(`${SERVICE}/ListSessions`, {
      async run({ principal }) {
        const sessions = await listSessions(sql, principal.userId)
        return { results: sessions.map((each) => toUserSession(each, principal)) }
      },
    }),

    EndSession: management.ofCaller(`${SERVICE}/EndSession`, {
      find: async ({ principal }) => refuseRestrictedKeys(principal),
      async run({ request: { id }, principal }) {
        const uuid = found(rowUuid(id))
        await sql.begin(async (tx) => {
          const isEnded = await deleteSession(tx, principal.userId, uuid)
          found(isEnded ? uuid : undefined)
          await auditSession(tx, principal, 'session_ended', { session: uuid })
        })
        feed.publish({ kind: 'keys' })
        return {}
      },
    }),
  }
}

async function triedBy(
  deps: Pick<LoginHandlersDeps, 'isMember' | 'sql'>,
  credentials: Credentials,
  context: CallContext,
): Promise<TriedBy> {
  const place = `network ${clientAddress(deps.isMember, context)}`
  if (credentials.by !== 'password') return { place }
  const mail = credentials.email.toLowerCase()
  const token = context.metadata.get(BROWSER_METADATA)
  if (token === undefined || !isBrowser(token)) return { place, mail }
  const { userId, passwordHash } = (await findPassword(deps.sql, mail)) ?? {}
  if (userId === undefined || typeof passwordHash !== 'string') return { place, mail }
  const browser = knownBrowserOf(token, userId, passwordHash)
  return browser === undefined ? { place, mail } : { place: `browser ${browser}` }
}

/** Counts a failed attempt for refused credentials only, not for other errors. */
async function countingFailures<T>(end: EndTry, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work()
    end(false)
    return done
  } catch (error) {
    end(error instanceof AppError && error.code === 'unauthenticated')
    throw error
  }
}

/** @throws {AppError} `unauthenticated` when it has ended meanwhile. */
async function viewSession(sql: Sql, principal: Principal, token: string): Promise<Session> {
  const [user, place, stored] = await Promise.all([
    findUser(sql, principal.userId),
    currentPlace(sql, principal.userId),
    findSession(sql, keyDigest(token)),
  ])
  if (user === undefined || stored === undefined) throw sessionEnded()
  const { organizationId, projectId } = place
  const isReached =
    projectId !== null &&
    organizationId !== null &&
    reachesProject(stored, { id: projectId, organizationId })
  return {
    user: { ...toUserSummary(user), is_staff: user.isStaff, has_password: user.hasPassword },
    ...(isReached ? { project_id: projectId } : {}),
    scopes: toWireList(stored.scopes),
    expires_at: stored.endsAt,
    csrf_token: csrfToken(token),
  }
}

function toUserSession(
  { id, agent, keyId, createdAt, lastSeenAt, endsAt }: ListedSession,
  { sessionId }: Pick<Principal, 'sessionId'>,
): UserSession {
  return {
    id,
    agent,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    expires_at: endsAt,
    is_current: id === sessionId,
    ...(keyId === null ? {} : { key_id: keyId }),
  }
}

/** Begins the session of a user who has proved their identity. */
type BegunSession = {
  readonly principal: StoredSession
  /** The only time that it is known. */
  readonly token: string
  /** Proof of a known browser; empty for a user without a password. */
  readonly browserToken: string
  /** Another session has ended for it. */
  readonly hasReplaced: boolean
}

/**
 * Always creates a new secret: the one that the browser had before names no session afterwards.
 * @throws {AppError} `unauthenticated` when the user, the key or the password is gone meanwhile.
 */
async function beginSession(
  sql: Sql,
  proof: Proof,
  from: { readonly agent: string; readonly replaced: Principal | undefined },
): Promise<BegunSession> {
  const { by, userId, keyId } = proof
  const token = randomText()
  const digest = keyDigest(token)
  return await sql.begin(async (tx) => {
    // Deactivation of a user and a change of password take the same lock.
    const user = await lockUser(tx, userId)
    if (user === undefined || !user.isActive) throw gone()
    const passwordHash = await findPasswordHash(tx, userId)
    if (proof.passwordHash !== undefined && passwordHash !== proof.passwordHash) throw gone()
    const id = uuidv7()
    await insertSession(tx, { digest, id, user: userId, keyId, agent: from.agent })
    const principal = await findSession(tx, digest)
    if (principal === undefined) throw gone()
    const { replaced } = from
    const hasReplaced =
      replaced?.sessionId !== undefined &&
      (await deleteSession(tx, replaced.userId, replaced.sessionId))
    await auditSession(tx, principal, 'signed_in', { by, agent: from.agent })
    const browserToken = passwordHash === null ? '' : knownBrowserToken(userId, passwordHash)
    return { principal, token, browserToken, hasReplaced }
  })
}

function gone() {
  return refused('invalid_credentials', 'These credentials are not valid any more.')
}

/** The entry is of the organization in which the user works, and names no secret. */
async function auditSession(
  tx: Db,
  principal: Pick<Principal, 'userId' | 'keyId'>,
  activity: 'signed_in' | 'signed_out' | 'session_ended',
  facts: JsonObject,
): Promise<void> {
  const { userId } = principal
  const { organizationId } = await currentPlace(tx, userId)
  const itemName = (await findUser(tx, userId))?.email ?? null
  const entry = { scope: 'User', activity, itemId: userId, itemName, facts } as const
  await auditFacts(tx, { principal, access: { organizationId } }, entry)
}
