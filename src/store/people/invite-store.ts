/** Rows of invites. */
import type { OrganizationId, UserId } from '../../core/ids.ts'
import { INVITE_DAYS } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'
import { type UserSummary, userSummary } from './user-store.ts'

type InviteFields = {
  readonly id: string
  readonly targetEmail: string
  readonly firstName: string
  readonly message: string | null
}

export type NewInvite = InviteFields & {
  /** SHA-256, in hexadecimal, of the token that its maker is shown. */
  readonly tokenSha256: string
  /** The same of the one that goes by mail; null where none does. */
  readonly mailTokenSha256: string | null
}

/** Token by which an invite was found: the mailed one proves that its holder reads the mailbox. */
export type TokenKind = 'shown' | 'mailed'

export type StoredInvite = InviteFields & {
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

/**
 * Finds an invite of any organization. The id is no proof of anything: members read it in lists.
 */
export async function findInvite(db: Db, id: string): Promise<StoredInvite | undefined> {
  const [row] = await db<StoredInvite[]>`
    select ${inviteColumns(db)} from invites i ${inviteJoins(db)}
    where i.id = ${id} and ${stands(db)}`
  return row
}

/** An invite of any organization, by the digest of a token of it. */
export async function findInviteByToken(
  db: Db,
  digest: Buffer,
): Promise<{ invite: StoredInvite; token: TokenKind } | undefined> {
  const [row] = await db<(StoredInvite & { token: TokenKind })[]>`
    select ${inviteColumns(db)},
      case when i.mail_token_sha256 = ${digest} then 'mailed' else 'shown' end as token
    from invites i ${inviteJoins(db)}
    where (i.token_sha256 = ${digest} or i.mail_token_sha256 = ${digest}) and ${stands(db)}`
  if (row === undefined) return undefined
  const { token, ...invite } = row
  return { invite, token }
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
        emailing_attempt_made, updated_at, token_sha256, mail_token_sha256
      )
      select n.id, ${place.organization}, ${place.author}, n."targetEmail", n."firstName",
        n.message, ${isMailed}, case when ${isMailed} then clock_timestamp() else now() end,
        decode(n."tokenSha256", 'hex'), decode(n."mailTokenSha256", 'hex')
      from jsonb_to_recordset(${JSON.stringify(invites)}::text::jsonb)
        as n (id uuid, "targetEmail" text, "firstName" text, message text, "tokenSha256" text,
          "mailTokenSha256" text)
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

/** Deletes what invites to one of these addresses, in whatever case, but those with the ids `kept`. */
export async function deleteInvitesTo(
  tx: Db,
  organization: OrganizationId,
  emails: readonly string[],
  kept: readonly string[],
): Promise<StoredInvite[]> {
  return await tx<StoredInvite[]>`
    with gone as (
      delete from invites
      where organization_id = ${organization} and id <> all(${kept}::text[]::uuid[])
        and lower(target_email) in (select lower(e) from unnest(${emails}::text[]) e)
      returning *
    )
    select ${inviteColumns(tx)} from gone i ${inviteJoins(tx)} order by i.created_at, i.id`
}

/** Deletes the invites that a user has made, those to one organization unless it is undefined. */
export async function deleteInvitesBy(
  tx: Db,
  author: UserId,
  organization: OrganizationId | undefined,
): Promise<StoredInvite[]> {
  const place = organization === undefined ? tx`` : tx`and organization_id = ${organization}`
  return await tx<StoredInvite[]>`
    with gone as (delete from invites where created_by = ${author} ${place} returning *)
    select ${inviteColumns(tx)} from gone i ${inviteJoins(tx)} order by i.created_at, i.id`
}

/**
 * Deletes every invite of the invite's organization to its address, in whatever case.
 * @returns whether the invite itself was among them.
 */
export async function deleteInvitesLike(
  tx: Db,
  { id, organizationId, targetEmail }: StoredInvite,
): Promise<boolean> {
  const [row] = await tx<{ included: boolean }[]>`
    with gone as (
      delete from invites
      where organization_id = ${organizationId} and lower(target_email) = lower(${targetEmail})
      returning id
    )
    select exists (select from gone where id = ${id}) as included`
  return row?.included === true
}

/**
 * True while an invite is valid: its author is an active member of the organization, or their
 * account is removed. It may have been made while they were being removed.
 */
function stands(db: Db) {
  return db`
    (i.created_by is null or u.is_active and exists (
      select from memberships m
      where m.user_id = i.created_by and m.organization_id = i.organization_id
    ))`
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
