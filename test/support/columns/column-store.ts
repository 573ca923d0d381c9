/** A database of ClickHouse for a test, with the table of events. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import type { ColumnEvent } from '../../../src/clickhouse/column-event.ts'
import { type ColumnStore, connectColumns } from '../../../src/clickhouse/connect.ts'
import { ensureSchema } from '../../../src/clickhouse/schema.ts'
import { startEngine } from './engine.ts'
import { jsonbText } from './jsonb-text.ts'

/** The server that `CLICKHOUSE_URL` names, else one of this test's own. */
export async function columnServer(t: Test): Promise<string> {
  const given = process.env['CLICKHOUSE_URL']
  return given ?? (await startEngine(t)).url
}

/** A database of its own, which is dropped when `t` ends. `url` may name the server. */
export async function freshDatabase(t: Test, url: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const store = await connectColumns(url)
  await store.command(`create database ${name}`)
  t.teardown(async () => {
    await store.command(`drop database ${name}`)
    await store.close()
  })
  const named = new URL(url)
  named.pathname = name
  return named.href
}

/** Connects, and closes when `t` ends. */
export async function openColumns(t: Test, url: string): Promise<ColumnStore> {
  const store = await connectColumns(url)
  t.teardown(() => store.close())
  return store
}

/** A fresh database with the table. */
export async function columnStore(t: Test, server: string): Promise<ColumnStore> {
  const store = await openColumns(t, await freshDatabase(t, server))
  await ensureSchema(store)
  return store
}

/** An event, its properties as `jsonb` prints them. */
export function columnEvent(changes: Partial<ColumnEvent> = {}): ColumnEvent {
  const properties = jsonbText(changes.properties ?? '{"$browser": "Firefox"}')
  if (!properties.ok) throw new Error(properties.error)
  return {
    projectId: 1,
    uuid: randomUUID(),
    event: 'seen',
    distinctId: 'someone',
    timestamp: '2026-03-04T05:06:07.123456Z',
    elementsChain: '',
    createdAt: '2026-03-04T05:06:08.000001Z',
    ...changes,
    properties: properties.value,
  }
}

export function columnEvents(count: number, changes: Partial<ColumnEvent> = {}): ColumnEvent[] {
  return Array.from({ length: count }, () => columnEvent(changes))
}

export async function rowsOf(store: ColumnStore): Promise<number> {
  const [[count] = []] = await store.rows(`select count() from ${store.database}.events`)
  return Number(count)
}

/** Kind and message of the failure. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  )
  if (!(error instanceof ColumnError)) throw error
  return `${error.kind}: ${error.message}`
}
