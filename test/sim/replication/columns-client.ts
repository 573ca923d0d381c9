/** The connection of one process to ClickHouse. */

import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import { COLUMN_STATEMENT_MS, type ColumnStore } from '../../../src/clickhouse/connect.ts'
import type { Network } from '../network.ts'
import type { SimProcess } from '../simulation.ts'
import { StoreLine } from '../store-line.ts'
import type { SimColumns } from './columns.ts'

const FAILURES = {
  broken: () => new ColumnError('unreachable', 'connection reset'),
  late: () => new ColumnError('unreachable', 'no answer'),
}

/** Data that a step sends: none, a part of a block, or a removal. */
export type Sends = false | 'block' | 'removal'

/** @param onStep called before each statement, with what it sends. */
export function createColumnsClient(
  process: SimProcess,
  server: SimColumns,
  network: Network,
  onStep: (sends: Sends) => void,
): ColumnStore {
  const line = new StoreLine(process, server, network)
  const cuts = new Set<() => void>()
  let isClosed = false
  const ask = <T>(work: () => T, ms: number, sends: Sends = false): Promise<T> => {
    onStep(sends)
    if (isClosed) return Promise.reject(FAILURES.broken())
    // No connection outlives the server that it was made to.
    const { incarnation } = server
    return new Promise((resolve, reject) => {
      const cut = () => reject(FAILURES.broken())
      cuts.add(cut)
      const send = () =>
        line.ask<T>(COLUMN_STATEMENT_MS, FAILURES, (reply) =>
          server.work(ms, () => {
            if (server.incarnation !== incarnation) return reply.fail(FAILURES.broken())
            try {
              reply.ok(work())
            } catch (error) {
              if (!(error instanceof ColumnError)) server.sim.fail(String(error))
              reply.fail(error instanceof Error ? error : new Error(String(error)))
            }
          }),
        )
      // An event of its own: a process that is frozen at this step has not sent it.
      process.io(0, () => {
        if (isClosed) return
        void send()
          .finally(() => cuts.delete(cut))
          .then(resolve, reject)
      })
    })
  }
  const { random } = server.sim
  const rows: ColumnStore['rows'] = async (sql, parameters = {}) =>
    await ask(() => server.ask(sql.trim(), parameters), random.between(1, 8))

  return {
    database: 'default',
    rows,
    command: (sql) =>
      ask(
        () => server.command(sql),
        random.between(2, 60),
        /^delete/.test(sql.trim()) ? 'removal' : 'block',
      ),
    bytes: () => Promise.reject(new Error('no question is asked here')),
    async *stream(sql, parameters) {
      yield* await rows(sql, parameters)
    },
    insert(_sql, data, settings) {
      const pieces: Buffer[] = []
      for (let piece = data.read(); piece !== null; piece = data.read()) pieces.push(piece)
      const token = settings.insert_deduplication_token
      const work = () =>
        server.insert(Buffer.concat(pieces), token === undefined ? undefined : String(token))
      return ask(work, random.between(2, 60), 'block')
    },
    async close() {
      isClosed = true
      for (const cut of cuts) cut()
      cuts.clear()
    },
  }
}
