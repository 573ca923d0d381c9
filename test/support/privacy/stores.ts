/**
 * Every place where the product keeps something, and where a text is found in them. The lists are
 * written by hand: a test that asks a running product compares them with what is there.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect, millis } from 'nats'
import { createClient } from 'redis'
import { connectColumns } from '../../../src/clickhouse/connect.ts'
import type { Sql } from '../../../src/postgres/connect.ts'

/** Effect on a store of deleting a person with its events. */
export type Fate =
  /** No data of the person are left. */
  | 'clean'
  /** Never holds data of a person. */
  | 'never'
  /** Reason why data may be left, and until when; docs/PRIVACY.md has the same. */
  | { readonly left: string }

export type Stores = {
  readonly postgres: Readonly<Record<string, Fate>>
  readonly jetStream: Readonly<Record<string, Fate>>
  /** Prefixes of keys. */
  readonly redis: Readonly<Record<string, Fate>>
  readonly clickHouse: Readonly<Record<string, Fate>>
  /** Folders and files within the data folder of a process. */
  readonly files: Readonly<Record<string, Fate>>
}

const DEFINITIONS = { left: 'definitions, in words of those who write them' }
const MESSAGES = { left: 'what an alert tells of a breakdown, until it is sent, for about a day' }
const PICTURES = { left: 'pictures of mails until all are sent, for a week at most' }
const RECIPIENTS = { left: 'addresses that members have listed, with their state' }
const PLUGINS = { left: 'what plugins keep is their own; their logs for 7 days' }

export const STORES: Stores = {
  postgres: {
    alert_checks: 'never',
    alert_webhooks: MESSAGES,
    alerts: DEFINITIONS,
    annotations: DEFINITIONS,
    audit_log: 'clean',
    chat_outbox: MESSAGES,
    cohort_people: 'clean',
    cohorts: DEFINITIONS,
    daily_counts: 'never',
    dashboard_tiles: DEFINITIONS,
    dashboards: DEFINITIONS,
    dead_letters: 'clean',
    deleted_distinct_ids: { left: 'texts until two minutes after the end, digests for 90 days' },
    deleted_projects: 'never',
    deletions: 'clean',
    distinct_id_changes: 'clean',
    distinct_ids: 'clean',
    dropped_days: 'never',
    dropped_events: 'never',
    event_blocks: 'never',
    event_counts: 'never',
    event_definitions: 'never',
    event_gaps: 'never',
    event_keeper: 'never',
    event_key_asks: 'never',
    event_ledger: 'never',
    event_outbox: { left: 'compressed flushes, for two days after they were shipped' },
    event_query_counts: 'never',
    event_shipper: 'never',
    event_text_columns: 'never',
    events: 'clean',
    feature_flags: DEFINITIONS,
    flag_hash_key_overrides: 'clean',
    flag_usage: 'never',
    group_types: 'never',
    groups: 'never',
    ingestion_warnings: 'clean',
    insight_queries: 'clean',
    insights: DEFINITIONS,
    invites: 'never',
    kept_answers: 'clean',
    session_blocks: 'clean',
    login_links: 'never',
    mail_contents: PICTURES,
    mail_outbox: MESSAGES,
    mail_pictures: PICTURES,
    memberships: 'never',
    organizations: 'never',
    personal_api_keys: 'never',
    persons: 'clean',
    plugin_attachments: PLUGINS,
    plugin_configs: PLUGINS,
    plugin_cursors: 'never',
    plugin_jobs: PLUGINS,
    plugin_log_entries: PLUGINS,
    plugin_metrics: 'never',
    plugin_schedules: 'never',
    plugin_source_files: 'never',
    plugin_storage: PLUGINS,
    plugin_version_files: 'never',
    plugin_versions: 'never',
    plugins: 'never',
    project_changes: 'never',
    projects: DEFINITIONS,
    schema_migrations: 'never',
    secret_keys: 'never',
    shared_links: DEFINITIONS,
    sessions: 'never',
    shard_epochs: 'never',
    subscription_recipients: RECIPIENTS,
    subscriptions: DEFINITIONS,
    unsubscribe_tokens: RECIPIENTS,
    users: 'never',
  },
  jetStream: {
    sluice_spill: 'clean',
    KV_sluice_members: 'never',
    KV_sluice_settings: 'never',
  },
  redis: { 'sluice:decide:': 'clean', 'sluice:epoch': 'never' },
  clickHouse: { events: 'clean', distinct_ids: 'clean' },
  files: { 'first-keys.json': 'never' },
}

/** Beside the Postgres in the data folder of a standalone; none ever has a word of a person. */
export const STANDALONE_FILES = [
  'first-keys.json',
  'operator-token',
  'postgres.lock',
  'postgres.log',
  'secrets.key',
  'server.json',
]

/** Places of a text: `postgres events`, `redis sluice:decide:`, and so on. */
export type Places = { readonly all: readonly string[]; readonly found: readonly string[] }

/** Each table of the product; partitions are a part of theirs. */
export async function searchPostgres(sql: Sql, mark: string): Promise<Places> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    // Bytes print as hex.
    const [row] = await sql.unsafe<{ isThere: boolean }[]>(
      `select exists (
        select from ${name} r where strpos(lower(r::text), $1) > 0
          or strpos(lower(r::text), encode(convert_to($1, 'UTF8'), 'hex')) > 0
      ) as "isThere"`,
      [mark],
    )
    if (row?.isThere === true) found.push(name)
  }
  return { all: tables.map(({ name }) => name), found }
}

/** Each stream, also those behind buckets, message by message. */
export async function searchJetStream(url: string, mark: string): Promise<Places> {
  const nats = await connect({ servers: url, timeout: millis(30_000) })
  try {
    const manager = await nats.jetstreamManager()
    const streams = await manager.streams.list().next()
    const found: string[] = []
    for (const { config, state } of streams) {
      for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
        const message = await manager.streams
          .getMessage(config.name, { seq })
          .catch(() => undefined)
        if (message === undefined) continue // One that was removed.
        const text = `${message.subject} ${Buffer.from(message.data).toString('latin1')}`
        if (text.toLowerCase().includes(mark)) found.push(config.name)
      }
    }
    const all = streams.map(({ config }) => config.name).sort()
    return { all, found: [...new Set(found)] }
  } finally {
    await nats.close()
  }
}

/** Each key with its value. */
export async function searchRedis(
  url: string,
  mark: string,
  prefixes: readonly string[],
): Promise<Places> {
  const redis = createClient({ url })
  await redis.connect()
  try {
    const all = new Set<string>()
    const found = new Set<string>()
    for await (const keys of redis.scanIterator()) {
      for (const key of keys) {
        const prefix = prefixes.find((each) => key.startsWith(each)) ?? key
        all.add(prefix)
        const kind = await redis.type(key)
        const value = kind === 'hash' ? await redis.hGetAll(key) : await redis.get(key)
        if (`${key} ${JSON.stringify(value)}`.toLowerCase().includes(mark)) found.add(prefix)
      }
    }
    return { all: [...all].sort(), found: [...found] }
  } finally {
    redis.destroy()
  }
}

/** Each table of the database. */
export async function searchClickHouse(url: string, mark: string): Promise<Places> {
  const columns = await connectColumns(url)
  try {
    const { database } = columns
    const names = await columns.rows(
      `select name from system.tables where database = '${database}' order by name`,
    )
    const all = names.map(([name]) => String(name))
    const found: string[] = []
    for (const name of all) {
      const [[count] = []] = await columns.rows(
        `select count() from ${database}.${name}
        where position(lower(formatRow('JSONEachRow', *)), '${mark}') > 0`,
      )
      if (Number(count) > 0) found.push(name)
    }
    return { all, found }
  } finally {
    await columns.close()
  }
}

/** Each file of a folder but those of a Postgres, by its path from there. */
export function searchFiles(folder: string, mark: string): Places {
  const all: string[] = []
  const found: string[] = []
  const walk = (path: string) => {
    const whole = join(folder, path)
    if (!statSync(whole).isDirectory()) {
      all.push(path)
      if (readFileSync(whole).toString('latin1').toLowerCase().includes(mark)) found.push(path)
      return
    }
    for (const name of readdirSync(whole)) if (name !== 'postgres') walk(join(path, name))
  }
  if (existsSync(folder)) walk('')
  return { all: all.sort(), found }
}
