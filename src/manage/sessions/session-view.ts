/** A session as its user is shown it. */
import type { Session } from '../../../proto/gen/sluice/v1/Session.ts'
import type { UserSession } from '../../../proto/gen/sluice/v1/UserSession.ts'
import { currentPlace } from '../../access/current-project.ts'
import { sessionEnded } from '../../access/errors.ts'
import { reachesProject } from '../../access/key-limits.ts'
import { keyDigest } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import type { Sql } from '../../postgres/connect.ts'
import { findSession, type ListedSession } from '../../store/people/session-store.ts'
import { findUser } from '../../store/people/user-store.ts'
import { csrfToken } from '../../wire/session.ts'
import { toUserSummary } from '../people/user-message.ts'
import { toWireList } from '../wire-value.ts'

/** @throws {AppError} `unauthenticated` when it has ended meanwhile. */
export async function viewSession(sql: Sql, principal: Principal, token: string): Promise<Session> {
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

export function toUserSession(
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
