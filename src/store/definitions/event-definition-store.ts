import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { containing } from '../../postgres/like-patterns.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'

/** The fields of an event definition that members may write. */
export type DefinitionSettings = {
  readonly owner: UserId | null
  readonly description: string | null
  /** Normalised, sorted. */
  readonly tags: readonly string[]
  readonly verified: boolean
  readonly postToChat: boolean
}

export type StoredDefinition = DefinitionSettings & {
  readonly id: string
  readonly name: string
  readonly volume30Day: number
  readonly queryUsage30Day: number
  /** Null until a user changes the definition, and once that user is removed. */
  readonly updatedBy: UserSummary | null
  /** Both set while verified, except for a removed user. */
  readonly verifiedBy: UserSummary | null
  readonly verifiedAt: string | null
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastSeenAt: string
}

/** Selection of definitions of a project. */
export type DefinitionSelection = {
  readonly project: ProjectId
  /** All of them are in the name, whatever the case; none selects all. */
  readonly words: readonly string[]
  /** Whether the name starts with `$`: those of the libraries, or those of one's own. */
  readonly kind: 'all' | 'custom' | 'library'
}

export type DefinitionOrder =
  | 'name'
  | '-name'
  | 'volume_30_day'
  | '-volume_30_day'
  | 'query_usage_30_day'
  | '-query_usage_30_day'

/** Ties go by name. */
export async function listDefinitions(
  db: Db,
  selection: DefinitionSelection,
  order: DefinitionOrder,
  page: { limit: number; offset: number },
): Promise<StoredDefinition[]> {
  return await db<StoredDefinition[]>`
    select ${definitionColumns(db)} from event_definitions d
    where ${selected(db, selection)}
    order by ${ordered(db, order)} limit ${page.limit} offset ${page.offset}`
}

export async function countDefinitions(db: Db, selection: DefinitionSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from event_definitions d where ${selected(db, selection)}`
  return row?.count ?? 0
}

/** Order of the index `event_definitions_list`, so that a page reads only its own rows. */
function ordered(db: Db, order: DefinitionOrder) {
  switch (order) {
    case 'name':
      return db`d.name`
    case '-name':
      return db`d.name desc`
    case 'volume_30_day':
      return db`d.volume_30_day nulls first, d.name`
    case '-volume_30_day':
      return db`d.volume_30_day desc nulls last, d.name`
    case 'query_usage_30_day':
      return db`d.query_usage_30_day nulls first, d.name`
    case '-query_usage_30_day':
      return db`d.query_usage_30_day desc nulls last, d.name`
    default:
      return order satisfies never
  }
}

function selected(db: Db, { project, words, kind }: DefinitionSelection) {
  const named = words.length === 0 ? db`` : db`and d.name ilike all (${containing(words)}::text[])`
  const ofKind = {
    all: db``,
    custom: db`and not starts_with(d.name, '$')`,
    library: db`and starts_with(d.name, '$')`,
  }
  return db`d.project_id = ${project} ${named} ${ofKind[kind]}`
}

export async function findDefinition(
  db: Db,
  project: ProjectId,
  id: string,
): Promise<StoredDefinition | undefined> {
  const [row] = await db<StoredDefinition[]>`
    select ${definitionColumns(db)} from event_definitions d
    where d.id = ${id}::text::uuid and d.project_id = ${project}`
  return row
}

/** As `findDefinition`, and locks the row until the transaction ends. */
export async function lockDefinition(
  tx: Db,
  project: ProjectId,
  id: string,
): Promise<StoredDefinition | undefined> {
  const [row] = await tx<StoredDefinition[]>`
    select ${definitionColumns(tx)} from event_definitions d
    where d.id = ${id}::text::uuid and d.project_id = ${project} for no key update`
  return row
}

function definitionColumns(db: Db) {
  return db`
    d.id, d.name, d.owner, d.description, d.tags, d.verified, d.post_to_chat as "postToChat",
    d.volume_30_day::float8 as "volume30Day", d.query_usage_30_day::float8 as "queryUsage30Day",
    (select ${userSummary(db)} from users u where u.id = d.updated_by) as "updatedBy",
    (select ${userSummary(db)} from users u where u.id = d.verified_by) as "verifiedBy",
    to_char(d.verified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "verifiedAt",
    to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt",
    to_char(d.last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "lastSeenAt"`
}

/**
 * Writes every writable field: the caller holds the row's lock and has merged the change in. The
 * first verifier and the time of verification stay until it is no longer verified.
 */
export async function updateDefinition(
  tx: Db,
  id: string,
  user: UserId,
  s: DefinitionSettings,
): Promise<void> {
  await tx`
    update event_definitions set
      owner = ${s.owner}, description = ${s.description}, tags = ${[...s.tags]}::text[],
      post_to_chat = ${s.postToChat}, verified = ${s.verified},
      verified_by = case
        when not ${s.verified}::boolean then null when verified then verified_by else ${user} end,
      verified_at = case
        when not ${s.verified}::boolean then null when verified then verified_at else now() end,
      updated_by = ${user}, updated_at = now()
    where id = ${id}::text::uuid`
}
