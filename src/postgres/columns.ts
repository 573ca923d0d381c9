/** Parameters of statements that take many rows: a text or an array literal for each column. */

import { randomBytes } from 'node:crypto'
import type { Db } from './db.ts'
import { type Fragment, fragment } from './fragment.ts'

const SEPARATORS = ['\u001e', '\u001f', '\u001d', '\u001c']

/**
 * Rows for `string_to_array`, a text per column: the server splits them several times faster than
 * it parses an array literal or a JSON document, and no value needs escaping. JSON text never holds
 * a control character; ids may, so the separator is one that no value holds.
 */
export type Columns = { readonly separator: string; readonly texts: readonly string[] }

export function toColumns(columns: readonly (readonly string[])[]): Columns {
  const rows = columns[0]?.length ?? 0
  for (const separator of SEPARATORS) {
    const texts = columns.map((values) => values.join(separator))
    if (texts.every((text) => separatorsIn(text, separator) === Math.max(rows - 1, 0))) {
      return { separator, texts }
    }
  }
  // Someone sends them all: then one that cannot be guessed.
  const separator = `\u001e${randomBytes(12).toString('hex')}\u001e`
  return { separator, texts: columns.map((values) => values.join(separator)) }
}

/**
 * List of texts, split by the server into what it plans by, unlike an array literal or JSON. Of an
 * empty text `string_to_array` makes no item, so a list of that alone is written out.
 */
export function textArray(texts: readonly string[]): Fragment {
  if (texts.length === 0) return fragment`'{}'::text[]`
  if (texts.length === 1 && texts[0] === '') return fragment`'{""}'::text[]`
  const { separator, texts: columns } = toColumns([texts])
  return fragment`string_to_array(${columns[0] ?? ''}, ${separator})`
}

function separatorsIn(text: string, separator: string): number {
  let count = 0
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) count += 1
  return count
}

/** An array literal; numbers need no quotes. */
export function intArray(values: readonly (number | bigint)[]): string {
  return `{${values.join(',')}}`
}

/**
 * Text of a time in a statement: ISO 8601, microseconds, `Z`.
 * @param column of our own, with the alias of its table.
 */
export function timeText(db: Db, column: string) {
  return db`to_char(${db.unsafe(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
