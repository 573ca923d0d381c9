import type { ISql } from 'postgres'

/** A pool or a transaction: what a statement runs on. */
export type Db = ISql<{ bigint: bigint }>

/** JSON text for a `json` column; `null` stays SQL's NULL. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
