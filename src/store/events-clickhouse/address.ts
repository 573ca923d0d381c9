/** Keeps the address of a request as short as servers take it. */
import {
  COLUMN_ADDRESS_BYTES_MAX,
  COLUMN_QUERY_BYTES_MAX,
} from '../../core/limits/limits-columns.ts'

export type Parameters = Readonly<Record<string, string | number | readonly (string | number)[]>>
export type Settings = Readonly<Record<string, string | number>>

export type Addressed = {
  readonly query: string
  readonly query_params: Record<string, string | number | (string | number)[]>
  readonly clickhouse_settings: Settings
}

/**
 * Parameters travel in the address. Texts that it has no room for become literals of the statement,
 * which travels in the body: in digits of base 16, that nothing in a text ends or escapes.
 */
export function addressed(sql: string, parameters: Parameters, settings: Settings): Addressed {
  const kept: Addressed['query_params'] = {}
  const long = new Map<string, string>()
  let bytes = 0
  for (const [name, value] of Object.entries(parameters)) {
    const size = typeof value === 'string' ? Buffer.byteLength(value) : 0
    if (bytes + size > COLUMN_ADDRESS_BYTES_MAX) {
      long.set(name, String(value))
      continue
    }
    bytes += size
    kept[name] = typeof value === 'object' ? [...value] : value
  }
  if (long.size === 0) return { query: sql, query_params: kept, clickhouse_settings: settings }
  const query = sql.replaceAll(/\{(\w+): String\}/g, (place, name: string) => {
    const text = long.get(name)
    return text === undefined ? place : `unhex('${Buffer.from(text).toString('hex')}')`
  })
  const more = { max_query_size: COLUMN_QUERY_BYTES_MAX }
  return { query, query_params: kept, clickhouse_settings: { ...more, ...settings } }
}
