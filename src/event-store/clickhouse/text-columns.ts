/**
 * Materialised columns with the text of a property, so that questions need not extract it from the
 * whole document. Each has the very expression by which statements read the property, and replaces
 * that expression alone: a statement with columns means the same as without.
 */
import { createHash } from 'node:crypto'
import type { ColumnStore } from '../../clickhouse/connect.ts'
import { type Fragment, fragment, replaced } from '../../postgres/fragment.ts'
import { memberText } from './renderer/json-member.ts'

const PROPERTIES = fragment`e.properties`
const NAME = /^text_[0-9a-f]{16}$/

/** The name of a property's column: letters and digits, whatever the property is called. */
function columnOf(key: string): string {
  return `text_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
}

/** The properties that have a column. */
export async function listTextColumns(store: ColumnStore): Promise<readonly string[]> {
  const rows = await store.rows(
    `select name, comment from system.columns
    where database = {database: String} and table = 'events' and startsWith(name, 'text_')
    order by name`,
    { database: store.database },
  )
  return rows
    .map(([name, key]) => ({ name: String(name), key: String(key) }))
    .filter(({ name, key }) => NAME.test(name) && name === columnOf(key))
    .map(({ key }) => key)
}

/** Makes the column, and has it filled for what is stored, in the background. */
export async function addTextColumn(store: ColumnStore, key: string): Promise<void> {
  const table = `${store.database}.events`
  await store.command(
    `alter table ${table} add column if not exists ${columnOf(key)} Nullable(String)
    materialized ${definition(key)} comment ${literal(key)} codec(ZSTD(1))`,
  )
  await store.command(`alter table ${table} materialize column ${columnOf(key)}`)
}

export async function dropTextColumn(store: ColumnStore, key: string): Promise<void> {
  await store.command(`alter table ${store.database}.events drop column if exists ${columnOf(key)}`)
}

/** A statement that reads columns where these properties are read. */
export function withTextColumns(statement: Fragment, keys: readonly string[]): Fragment {
  return keys.reduce((whole, key) => {
    const column: Fragment = { text: [`e.${columnOf(key)}`], values: [] }
    return replaced(whole, memberText(PROPERTIES, key), column)
  }, statement)
}

/** Properties whose texts a statement reads, each once. */
export function keysRead({ text, values }: Fragment): readonly string[] {
  const [begin = ''] = memberText(PROPERTIES, '').text
  return [...new Set(values.filter((_, place) => text[place]?.endsWith(begin)))]
}

/** A statement that changes a table takes no parameters. */
function definition(key: string): string {
  const { text, values } = memberText(fragment`properties`, key)
  return text
    .map((part, place) => (place === 0 ? part : literal(values[place - 1] ?? '') + part))
    .join('')
}

function literal(text: string): string {
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, (control) => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `'${escaped}'`
}
