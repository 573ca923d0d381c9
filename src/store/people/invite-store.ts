import type { OrganizationId, UserId } from '../../core/ids.ts'
import { INVITE_DAYS } from '../../core/limits/limits.ts'
import type { Db } from '../pool/db.ts'
import { type UserSummary, userSummary } from '../user-summary.ts'

export type NewInvite = {
  /** Random UUID: whoever knows it may accept the invite. */
  readonly id: string
  readonly targetEmail: string
  readonly firstName: string
  readonly message: string | null
}

export type StoredInvite = NewInvite & {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  /** A mail was put into the outbox with it. */
  readonly emailingAttemptMade: boolean
  readonly isExpired: boolean
  /** Null once the user is gone. */
  readonly createdBy: UserSummary | null
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** Newest first, expired ones too. */
export async function listInvites(
  db: Db,
  organization: OrganizationId,
  page: { limit: number; offset: number },
): Promise<StoredInvite[]> {
  return await db<StoredInvite[]>`
    select ${inviteColumns(db)} from invites i ${inviteJoins(db)}
    where i.organization_id = ${organization}
    order by i.created_at desc, i.id desc limit ${page.limit} offset ${page.offset}`
}

export async function countInvites(db: Db, organization: OrganizationId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from invites where organization_id = ${organization}`
  return row?.count ?? 0
}

/** Of any organization: the id is the secret of the one who was invited. */
export async function findInvite(db: Db, id: string): Promise<StoredInvite | undefined> {
  const [row] = await db<StoredInvite[]>`
    select ${inviteColumns(db)} from invites i ${inviteJoins(db)} where i.id = ${id}`
  return row
}

/**
 * @param isMailed sets `emailingAttemptMade`, and moves `updatedAt` past `createdAt`.
 * @returns what was made, in the order of `invites`.
 */
export async function insertInvites(
  tx: Db,
  place: { organization: OrganizationId; author: UserId },
  invites: readonly NewInvite[],
  isMailed: boolean,
): Promise<StoredInvite[]> {
  const ids = invites.map(({ id }) => id)
  return await tx<StoredInvite[]>`
    with made as (
      insert into invites (
        id, organization_id, created_by, target_email, first_name, message,
        emailing_attempt_made, updated_at
      )
      select n.id, ${place.organization}, ${place.author}, n."targetEmail", n."firstName",
        n.message, ${isMailed}, case when ${isMailed} then clock_timestamp() else now() end
      from jsonb_to_recordset(${JSON.stringify(invites)}::text::jsonb)
        as n (id uuid, "targetEmail" text, "firstName" text, message text)
      returning *
    )
    select ${inviteColumns(tx)} from made i ${inviteJoins(tx)}
    order by array_position(${ids}::text[]::uuid[], i.id)`
}

/** @returns what was deleted; undefined when the organization has no such invite. */
export async function deleteInvite(
  tx: Db,
  organization: OrganizationId,
  id: string,
): Promise<StoredInvite | undefined> {
  const [row] = await tx<StoredInvite[]>`
    with gone as (
      delete from invites where id = ${id} and organization_id = ${organization} returning *
    )
    select ${inviteColumns(tx)} from gone i ${inviteJoins(tx)}`
  return row
}

/**
 * Deletes every invite to an address, in whatever case and organization.
 * @returns whether the invite `id` was among them.
 */
export async function deleteInvitesTo(tx: Db, email: string, id: string): Promise<boolean> {
  const [row] = await tx<{ included: boolean }[]>`
    with gone as (
      delete from invites where lower(target_email) = lower(${email}) returning id
    )
    select exists (select from gone where id = ${id}) as included`
  return row?.included === true
}

function inviteColumns(db: Db) {
  return db`
    i.id, i.organization_id as "organizationId", o.name as "organizationName",
    i.target_email as "targetEmail", i.first_name as "firstName", i.message,
    i.emailing_attempt_made as "emailingAttemptMade",
    i.created_at < now() - make_interval(days => ${INVITE_DAYS}) as "isExpired",
    to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(i.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt",
    ${userSummary(db)} as "createdBy"`
}

function inviteJoins(db: Db) {
  return db`
    join organizations o on o.id = i.organization_id
    left join users u on u.id = i.created_by`
}
