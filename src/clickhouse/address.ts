/** Keeps the address of a request as short as servers take it. */
import { COLUMN_QUERY_BYTES_MAX } from '../core/limits/limits-replica.ts'

/**
 * Bytes of parameters, which travel in the URL. A byte takes six there at most, and servers refuse
 * more than 128 KiB for one of them, and more than a megabyte for all.
 */
export const COLUMN_ADDRESS_BYTES_MAX = 16_384

export type Parameters = Readonly<Record<string, string | number | readonly (string | number)[]>>
export type Settings = Readonly<Record<string, string | number>>

export type Addressed = {
  readonly query: string
  readonly query_params: Record<string, string | number | (string | number)[]>
  readonly clickhouse_settings: Settings
}

/**
 * Sends parameters in the address. Texts that do not fit there become literals of the statement,
 * which is sent in the body: in hex digits, which need no escaping. A text that occurs several
 * times is written once, as a name.
 * @param sql begins with `select` or `with`.
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
  const more = { max_query_size: COLUMN_QUERY_BYTES_MAX }
  return {
    query: withNames(sql, long),
    query_params: kept,
    clickhouse_settings: { ...more, ...settings },
  }
}

/** `with` of the texts, before those that the statement has by itself. */
function withNames(sql: string, texts: ReadonlyMap<string, string>): string {
  const names = [...texts].map(([name, text]) => `${literal(text)} as long_${name}`).join(', ')
  const named = sql.trimStart().replaceAll(/\{(\w+): String\}/g, (place, name: string) => {
    return texts.has(name) ? `long_${name}` : place
  })
  return /^with\s/.test(named)
    ? `with ${names}, ${named.slice('with '.length)}`
    : `with ${names} ${named}`
}

/** Writes a literal. Lists of numbers need no hex, which would double their length. */
function literal(text: string): string {
  return /^[0-9,;]*$/.test(text) ? `'${text}'` : `unhex('${Buffer.from(text).toString('hex')}')`
}
