/** Type of the connection that statements run on, and conversion of JSON to parameters. */
export type { Db } from '../core/sql.ts'

/** JSON text for a `json` column; `null` stays SQL's NULL. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
