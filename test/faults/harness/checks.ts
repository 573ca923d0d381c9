/** Compares the database after a run with the answers that clients got. */
import type { Sql } from '../../../src/postgres/connect.ts'
import { pause } from '../../support/until.ts'
import {
  emptyRecord,
  type History,
  judgeSightings,
  judgeVersions,
  type Staleness,
  type Version,
} from './history.ts'
import type { Journal } from './journal.ts'

export type EventCheck = {
  readonly attempted: number
  readonly acked: number
  readonly stored: number
  /** Acked, neither stored nor kept as a dead letter. */
  readonly lost: number
  /** Stored, never sent. */
  readonly ghosts: number
  readonly doubled: number
  readonly dead: number
}

export type StoredEvent = {
  readonly project: number
  readonly uuid: string
  readonly count: number
}

/** Needs an empty spill, whose events are neither lost nor stored. */
export async function checkEvents(sql: Sql, journal: Journal): Promise<EventCheck> {
  const stored = await sql<StoredEvent[]>`
    select project_id as project, uuid::text, count(*)::integer as count
    from events group by project_id, uuid`
  const dead = await sql<StoredEvent[]>`
    select project_id as project, uuid::text, 1 as count from dead_letters`
  return compareEvents(journal, stored, dead)
}

export function compareEvents(
  { attempted, acked }: Pick<Journal, 'attempted' | 'acked'>,
  stored: readonly StoredEvent[],
  dead: readonly StoredEvent[],
): EventCheck {
  const kept = new Set([...stored, ...dead].map(({ project, uuid }) => `${project} ${uuid}`))
  const isSent = ({ project, uuid }: StoredEvent) => attempted.get(project)?.has(uuid) === true
  let lost = 0
  for (const [project, uuids] of acked) {
    for (const uuid of uuids) if (!kept.has(`${project} ${uuid}`)) lost += 1
  }
  return {
    attempted: sizeOf(attempted),
    acked: sizeOf(acked),
    stored: stored.length,
    lost,
    ghosts: stored.filter((row) => !isSent(row)).length,
    doubled: stored.filter(({ count }) => count > 1).length,
    dead: dead.length,
  }
}

export function sizeOf(sets: ReadonlyMap<number, ReadonlySet<string>>): number {
  return [...sets.values()].reduce((sum, set) => sum + set.size, 0)
}

export type FlagCheck = Staleness & {
  readonly acked: number
  readonly versions: number
  readonly problems: readonly string[]
}

/** Compares every version of every flag under load with the answers to its writers and readers. */
export async function checkFlags(
  sql: Sql,
  history: History,
  projects: readonly { readonly id: number; readonly liveFlag: number }[],
  limitMs: number,
): Promise<FlagCheck> {
  const problems: string[] = []
  const total = { invented: 0, atOnce: 0, elsewhereMs: 0, late: 0, acked: 0, versions: 0 }
  const examples: string[] = []
  for (const { id, liveFlag } of projects) {
    const record = history.flags.get(id) ?? emptyRecord()
    const versions = await versionsOf(sql, liveFlag)
    const found = judgeVersions(record, versions)
    const [now] = await sql<Version[]>`
      select version, (filters->'payloads'->>'true')::integer as payload, name::integer
      from feature_flags where id = ${liveFlag}`
    const last = versions.at(-1)
    if (JSON.stringify(now) !== JSON.stringify(last)) {
      found.push(`the flag is ${JSON.stringify(now)}, its last version ${JSON.stringify(last)}`)
    }
    found.push(...(await missingFlags(sql, id, record.made)))
    problems.push(...found.map((problem) => `project ${id}: ${problem}`))
    const stale = judgeSightings(record, versions, limitMs)
    total.invented += stale.invented
    total.atOnce += stale.atOnce
    total.late += stale.late
    examples.push(...stale.examples.map((example) => `project ${id}: ${example}`))
    total.elsewhereMs = Math.max(total.elsewhereMs, stale.elsewhereMs)
    total.acked += record.acks.length + record.made.length
    total.versions += versions.length
  }
  return { ...total, examples, problems }
}

async function versionsOf(sql: Sql, flag: number): Promise<Version[]> {
  const rows = await sql<Version[]>`
    select item_version as version,
      (snapshot->'filters'->'payloads'->>'true')::integer as payload,
      (snapshot->>'name')::integer as name
    from audit_log
    where scope = 'FeatureFlag' and item_id = ${String(flag)} and item_version is not null
    order by item_version`
  return rows.map((row) => ({ ...row }))
}

async function missingFlags(sql: Sql, project: number, keys: readonly string[]) {
  const rows = await sql<{ key: string }[]>`
    select key from feature_flags where project_id = ${project} and not deleted`
  const there = new Set(rows.map(({ key }) => key))
  return keys.filter((key) => !there.has(key)).map((key) => `flag ${key} was acked, and is gone`)
}

export type EpochWatch = {
  /** Sentences: an epoch that fell, or one epoch with two owners. */
  readonly problems: readonly string[]
  /** Claims seen so far, over all shards. */
  claims(): number
  stop(): Promise<void>
}

const EPOCH_POLL_MS = 250

type EpochRow = { readonly shard: number; readonly epoch: bigint; readonly owner: string }

/** Polls `shard_epochs` all the time, also after a database was away. */
export function watchEpochs(sql: Sql): EpochWatch {
  const problems: string[] = []
  const last = new Map<number, EpochRow>()
  let claims = 0
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      try {
        const rows = await sql<EpochRow[]>`select shard, epoch, owner from shard_epochs`
        for (const row of rows) {
          const before = last.get(row.shard)
          last.set(row.shard, row)
          if (before === undefined) continue
          claims += Number(row.epoch - before.epoch)
          problems.push(...judgeEpoch(before, row))
        }
      } catch {
        // Expected: the fault under test.
      }
      await pause(EPOCH_POLL_MS)
    }
  }
  const running = run()
  return {
    problems,
    claims: () => claims,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

export function judgeEpoch(before: EpochRow, now: EpochRow): string[] {
  if (now.epoch < before.epoch)
    return [`shard ${now.shard} fell from ${before.epoch} to ${now.epoch}`]
  const isShared = now.epoch === before.epoch && now.owner !== before.owner
  return isShared ? [`shard ${now.shard} has two owners in epoch ${now.epoch}`] : []
}
