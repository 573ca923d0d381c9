/** The insert statements that the roofline compares. */
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { ReservedSql } from 'postgres'
import { assert } from '../../src/core/code.ts'
import type { Row } from './rows.ts'

export type Session = ReservedSql<{ bigint: bigint }>

/** Each inserts a batch, skips rows whose uuid exists, and commits before it resolves. */
export const STATEMENTS = {
  unnest: insertUnnest,
  recordset: insertJsonRecordset,
  jsonb_recordset: insertJsonbRecordset,
  copy: insertCopy,
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
export async function prepareCopy(session: Session): Promise<void> {
  await session`
    create temporary table if not exists staging (
      project_id integer, day date, uuid uuid, timestamp timestamptz, event text,
      distinct_id text, properties jsonb
    ) on commit delete rows`
}

const COPY_MS_MAX = 30_000

async function insertCopy(session: Session, rows: readonly Row[]): Promise<number> {
  await session`begin`
  const stream = await session`copy staging from stdin`.writable()
  // The driver leaves a COPY that the server refused pending for ever: only a deadline ends it.
  const signal = AbortSignal.timeout(COPY_MS_MAX)
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

const COPY_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escapeCopy(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (character) => COPY_ESCAPES[character] ?? character)
}
