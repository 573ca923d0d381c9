/** The deliberate faults in keeping the copy that the simulation must find. */
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import type { CopyMutant } from './mutant.ts'

const MANY = String(Number.MAX_SAFE_INTEGER)
const noBound = (sql: string) => sql.replace(/block <= (?:\d+|\{block: UInt64\})/, 'true')

/** Easy mistakes, one at a time. */
export const REPLICA_MUTANTS: readonly CopyMutant[] = [
  {
    name: 'a block that is sent before it is written down',
    found: /settle|not written down|twice|times/,
    firstSeed: 14,
    recordsLate: true,
  },
  {
    name: 'a block that is sent again without a count',
    found: /twice|times/,
    firstSeed: 9,
    store: (store) => ({
      ...store,
      rows: async (sql, ...others) =>
        sql.includes('block = {number: UInt64}') ? [['0']] : await store.rows(sql, ...others),
    }),
  },
  {
    name: 'a block that is sent without its token',
    found: /twice|times|was removed/,
    firstSeed: 1,
    store: (store) => ({
      ...store,
      insert: (sql, data, { insert_deduplication_token: _, ...settings }) =>
        store.insert(sql, data, settings),
    }),
  },
  {
    name: 'a comparison that ignores its snapshot block',
    found: /a comparison finds/,
    firstSeed: 14,
    store: (store) => ({
      ...store,
      rows: (sql, bounds, options) =>
        store.rows(
          sql,
          bounds?.snapshotBlock === undefined ? bounds : { ...bounds, snapshotBlock: MANY },
          options,
        ),
    }),
  },
  {
    name: 'a lease without a fence',
    found: /past lease/,
    firstSeed: 14,
    fenceUnchecked: true,
  },
  {
    name: 'an outbox that is emptied of what only ClickHouse is to hold',
    found: /0 times|differs/,
    firstSeed: 63,
    emptiesLedger: true,
  },
  {
    name: 'a removal without the block that it came with',
    found: /0 times|differs/,
    firstSeed: 34,
    store: (store): ColumnStore => ({
      ...store,
      rows: (sql, ...others) => store.rows(noBound(sql), ...others),
      command: (sql, settings) => store.command(noBound(sql), settings),
    }),
  },
]
