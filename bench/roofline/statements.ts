/** The insert statements that the roofline compares. */
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { ReservedSql } from 'postgres'
import { assert } from '../../src/core/code.ts'
import { toColumns } from '../../src/postgres/columns.ts'
import { personColumns, type Row } from './page-rows.ts'

export type Session = ReservedSql<{ bigint: bigint }>

/**
 * `pages` writes page views and their persons, the others plain events. Each inserts a batch, skips
 * rows whose uuid exists, and commits before it resolves.
 */
export const STATEMENTS = {
  unnest: insertUnnest,
  recordset: insertJsonRecordset,
  jsonb_recordset: insertJsonbRecordset,
  copy: insertCopy,
  pages: insertPages,
} as const
export type StatementName = keyof typeof STATEMENTS

/** Resolves with the number of new rows. */
export type Insert = (session: Session, rows: readonly Row[]) => Promise<number>

async function insertUnnest(session: Session, rows: readonly Row[]): Promise<number> {
  const result = await session`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select project_id, day::date, uuid::uuid, timestamp::timestamptz, event, distinct_id,
      properties::jsonb
    from unnest(
      ${rows.map((row) => row.projectId)}::int[],
      ${rows.map((row) => row.day)}::text[],
      ${rows.map((row) => row.uuid)}::text[],
      ${rows.map((row) => row.timestamp)}::text[],
      ${rows.map((row) => row.event)}::text[],
      ${rows.map((row) => row.distinctId)}::text[],
      ${rows.map((row) => row.properties)}::text[]
    ) as r (project_id, day, uuid, timestamp, event, distinct_id, properties)
    on conflict do nothing`
  return result.count
}

/**
 * Page views, the few persons that they change, and new ones: the least that does what the product
 * does. Columns travel as texts that the server splits, because array literals of large texts cost
 * the client most.
 */
async function insertPages(session: Session, rows: readonly Row[]): Promise<number> {
  const { ids, ifAbsent, set, bornIds, bornProperties } = personColumns(rows)
  const known = toColumns([ids, ifAbsent, set])
  const born = toColumns([bornIds, bornProperties])
  const events = toColumns([
    rows.map((row) => row.uuid),
    rows.map((row) => row.timestamp),
    rows.map((row) => row.event),
    rows.map((row) => row.distinctId),
    rows.map((row) => row.properties),
  ])
  const columns = [known, born, events].flatMap(({ texts, separator }) => [separator, ...texts])
  const result = await session.unsafe(INSERT_PAGES, columns, { prepare: true })
  return result.count
}

const INSERT_PAGES = `
  with seen as materialized (
    select p.id, p.properties as before,
      c.if_absent::jsonb || p.properties || c.set::jsonb as after
    from unnest(string_to_array($2, $1), string_to_array($3, $1), string_to_array($4, $1))
      as c (distinct_id, if_absent, set)
    join distinct_ids d on d.project_id = 1 and d.distinct_id = c.distinct_id
    join persons p on p.id = d.person_id
  ), next as materialized (
    select p.id, s.after from seen s join persons p on p.id = s.id where s.after <> s.before
    order by p.id for no key update of p
  ), updated as (
    update persons p set properties = n.after from next n
    where p.id = n.id
  ), born as materialized (
    select nextval(pg_get_serial_sequence('persons', 'id')) as id, b.*
    from unnest(string_to_array($6, $5), string_to_array($7, $5)) as b (distinct_id, properties)
  ), owned as (
    insert into distinct_ids (project_id, distinct_id, person_id)
    select 1, distinct_id, id from born on conflict do nothing
  ), made as (
    insert into persons (id, project_id, uuid, properties, created_at)
    select id, 1, gen_random_uuid(), properties::jsonb, now() from born
  )
  insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
  select 1, (timestamp::timestamptz at time zone 'UTC')::date, uuid::uuid, timestamp::timestamptz,
    event, distinct_id, properties::jsonb
  from unnest(
    string_to_array($9, $8), string_to_array($10, $8), string_to_array($11, $8),
    string_to_array($12, $8), string_to_array($13, $8)
  ) as r (uuid, timestamp, event, distinct_id, properties)
  on conflict do nothing`

async function insertJsonRecordset(session: Session, rows: readonly Row[]): Promise<number> {
  const result = await session`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select p, d, u, t, e, i, j
    from json_to_recordset(${jsonText(rows)}::text::json)
      as r (p int, d date, u uuid, t timestamptz, e text, i text, j jsonb)
    on conflict do nothing`
  return result.count
}

async function insertJsonbRecordset(session: Session, rows: readonly Row[]): Promise<number> {
  const result = await session`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select p, d, u, t, e, i, j
    from jsonb_to_recordset(${jsonText(rows)}::text::jsonb)
      as r (p int, d date, u uuid, t timestamptz, e text, i text, j jsonb)
    on conflict do nothing`
  return result.count
}

/** Short keys; properties are inserted as they are, since they are JSON text already. */
function jsonText(rows: readonly Row[]): string {
  const items = rows.map(
    (row) =>
      `{"p":${row.projectId},"d":"${row.day}","u":"${row.uuid}","t":"${row.timestamp}",` +
      `"e":${JSON.stringify(row.event)},"i":${JSON.stringify(row.distinctId)},` +
      `"j":${row.properties}}`,
  )
  return `[${items.join(',')}]`
}

/** COPY cannot skip duplicates: it fills a temporary table, from which rows are inserted. */
export async function prepareReplica(session: Session): Promise<void> {
  await session`
    create temporary table if not exists staging (
      project_id integer, day date, uuid uuid, timestamp timestamptz, event text,
      distinct_id text, properties jsonb
    ) on commit delete rows`
}

const REPLICA_MS_MAX = 30_000

async function insertCopy(session: Session, rows: readonly Row[]): Promise<number> {
  await session`begin`
  const stream = await session`copy staging from stdin`.writable()
  // The driver leaves a COPY that the server refused pending for ever: only a deadline ends it.
  const signal = AbortSignal.timeout(REPLICA_MS_MAX)
  const finished = once(stream, 'finish', { signal })
  await Promise.all([pipeline([rows.map(copyLine).join('')], stream, { signal }), finished])
  const result = await session`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select project_id, day, uuid, timestamp, event, distinct_id, properties from staging
    on conflict do nothing`
  await session`commit`
  assert(result.count <= rows.length, 'no more rows than were copied')
  return result.count
}

function copyLine(row: Row): string {
  const { projectId, day, uuid, timestamp } = row
  const texts = [row.event, row.distinctId, row.properties].map(escapeCopy).join('\t')
  return `${projectId}\t${day}\t${uuid}\t${timestamp}\t${texts}\n`
}

const REPLICA_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escapeCopy(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (character) => REPLICA_ESCAPES[character] ?? character)
}
