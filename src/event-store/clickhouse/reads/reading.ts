/** One call of the reader: its statements, and the time they share. */

import type { ColumnStore, Row } from '../../../clickhouse/connect.ts'
import { AppError } from '../../../core/code.ts'
import type { ReadCall } from '../../../events/ports.ts'
import { acceptsPattern, limitStatements } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import type { Fragment } from '../../../postgres/fragment.ts'
import { READ_SETTINGS, toStatement } from '../renderer/statement.ts'

export type Stores = {
  readonly columns: ColumnStore
  /** Postgres, for persons: connections for queries alone. */
  readonly sql: Sql
}

export type Reading = {
  /** The table of events, as `e`. */
  readonly events: Fragment
  /** Rows of a statement over it. */
  rows(statement: Fragment): Promise<Row[]>
  /** A short read of Postgres. */
  postgres<T>(read: (db: Db) => Promise<T>): Promise<T>
  /** Whether Postgres takes a pattern that RE2 does. */
  isPatternOfPostgres(pattern: string): Promise<boolean>
}

export function openReading({ columns, sql }: Stores, { signal, time }: ReadCall): Reading {
  return {
    events: { text: [`${columns.database}.events e`], values: [] },
    async rows(statement) {
      const late = AbortSignal.timeout(time.left())
      const text = toStatement(statement)
      try {
        const ends = AbortSignal.any([signal, late])
        return await columns.rows(`${text.sql} ${READ_SETTINGS}`, text.parameters, {
          signal: ends,
        })
      } catch (error) {
        if (signal.aborted) throw new AppError('cancelled', 'the caller of a query has gone')
        if (!late.aborted) throw error
        throw new AppError('deadline_exceeded', 'a statement of ClickHouse was cut')
      }
    },
    async postgres(read) {
      const { value } = await sql.withSignal(signal).begin('read only', async (tx) => {
        await limitStatements(tx, time.left())
        return { value: await read(tx) }
      })
      return value
    },
    isPatternOfPostgres: (pattern) =>
      acceptsPattern(sql.withSignal(signal), pattern, 'of_re2', time.left()),
  }
}
