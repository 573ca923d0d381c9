/** Seals stored secret payloads of flags: in their rows, and in what the log keeps of them. */
import { isObject, type Json } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import type { Sql } from '../../postgres/connect.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import type { AuditChange } from '../audit/audit-store.ts'
import {
  type PayloadsOwner,
  redactChanged,
  redactPayloads,
  resealPayloads,
  sealPayloads,
} from './flag-payloads.ts'
import type { SealedPage } from './seal-plugin-configs.ts'

/** Flags of one page, each in a transaction of its own. */
const PAGE_FLAGS = 50
/** Entries of the log that are in memory at a time. */
const PAGE_ENTRIES = 20

/**
 * Seals one page of the flags that have secret payloads, or had some at an earlier version. An
 * interrupted run may resume at any flag, because values under the first key stay as they are.
 * Snapshots that run stay: they hold no secret payload.
 * @param after id of the last flag of the page before; 0 begins.
 * @throws {AppError} `failed_precondition` when a key is missing.
 */
export async function sealFlags(sql: Sql, ring: KeyRing, after: number): Promise<SealedPage> {
  const owners = await sql<PayloadsOwner[]>`
    select w."flagId", w."projectId" from (
      select f.id as "flagId", f.project_id as "projectId" from feature_flags f
      where f.has_encrypted_payloads
      union
      select case when a.scope = 'FeatureFlag' then a.item_id::integer end, a.project_id
      from audit_log a
      where a.scope = 'FeatureFlag' and a.project_id is not null
        and (a.snapshot ->> 'has_encrypted_payloads') = 'true'
    ) w
    where w."flagId" > ${after} order by w."flagId" limit ${PAGE_FLAGS}`
  let sealed = 0
  for (const owner of owners) if (await sealFlag(sql, ring, owner)) sealed += 1
  return { next: owners.length < PAGE_FLAGS ? undefined : owners.at(-1)?.flagId, sealed }
}

async function sealFlag(sql: Sql, ring: KeyRing, owner: PayloadsOwner): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const [flag] = await tx<{ filters: Json; isSecret: boolean }[]>`
      select filters, has_encrypted_payloads as "isSecret" from feature_flags
      where id = ${owner.flagId} and project_id = ${owner.projectId} for update`
    const row = flag?.isSecret === true && (await sealRow(tx, ring, owner, flag.filters))
    // Payloads of a removed flag count as secret: no row says that they are public.
    const entries = await sealFlagHistory(tx, ring, owner, flag?.isSecret ?? true)
    return row || entries > 0
  })
}

async function sealRow(
  tx: Db,
  ring: KeyRing,
  owner: PayloadsOwner,
  filters: Json,
): Promise<boolean> {
  const sealed = sealPayloads(ring, owner, { filters, before: filters })
  if (jsonText(sealed) === jsonText(filters)) return false
  await tx`update feature_flags set filters = ${jsonText(sealed)}::text::json where id = ${owner.flagId}`
  return true
}

type Entry = {
  readonly id: string
  readonly changes: readonly AuditChange[]
  readonly snapshot: { readonly filters: Json } | null
}

/**
 * Goes through the log of one flag: what is sealed there is sealed under the first key.
 * @param isSecret Also what is in clear: payloads are sealed in versions and masked in changes.
 * @returns how many entries are other than before.
 */
export async function sealFlagHistory(
  tx: Db,
  ring: KeyRing,
  owner: PayloadsOwner,
  isSecret: boolean,
): Promise<number> {
  let changed = 0
  for (let last: string | undefined = ''; last !== undefined; ) {
    const entries: Entry[] = await entriesAfter(tx, owner, last)
    for (const entry of entries) {
      const snapshot = sealedSnapshot(ring, owner, entry, isSecret)
      const changes = isSecret ? entry.changes.map(masked) : entry.changes
      const texts = [snapshot === null ? null : jsonText(snapshot), jsonText(changes)] as const
      const before = [
        entry.snapshot === null ? null : jsonText(entry.snapshot),
        jsonText(entry.changes),
      ]
      if (texts[0] === before[0] && texts[1] === before[1]) continue
      await tx`
        update audit_log set snapshot = ${texts[0]}::text::json, changes = ${texts[1]}::text::json
        where id = ${entry.id}`
      changed += 1
    }
    last = entries.length < PAGE_ENTRIES ? undefined : entries.at(-1)?.id
  }
  return changed
}

async function entriesAfter(
  tx: Db,
  { projectId, flagId }: PayloadsOwner,
  last: string,
): Promise<Entry[]> {
  return await tx<Entry[]>`
    select id, changes, snapshot from audit_log
    where scope = 'FeatureFlag' and item_id = ${String(flagId)} and project_id = ${projectId}
      and id > ${last || '00000000-0000-0000-0000-000000000000'}
      and (changes::text like '%payloads%' or changes::text like '%"omitted"%'
        or (snapshot #> '{filters,payloads}') is not null)
    order by id limit ${PAGE_ENTRIES}`
}

function sealedSnapshot(
  ring: KeyRing,
  owner: PayloadsOwner,
  { snapshot }: Entry,
  isSecret: boolean,
): Entry['snapshot'] {
  if (snapshot === null) return null
  const { filters } = snapshot
  const filtersNow = isSecret
    ? sealPayloads(ring, owner, { filters, before: filters })
    : resealPayloads(ring, owner, filters)
  return { ...snapshot, filters: filtersNow }
}

function masked(change: AuditChange): AuditChange {
  if (change.field !== 'filters') return change
  const before = withoutDigest(change.before)
  const after = withoutDigest(change.after)
  return { ...change, before: redactPayloads(before), after: redactChanged(before, after) }
}

/** Removes the digest of a value too long for the log: a short secret could be guessed from it. */
function withoutDigest(value: Json): Json {
  return isObject(value) && value['omitted'] === true ? { omitted: true } : value
}
