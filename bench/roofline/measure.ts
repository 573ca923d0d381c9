/** Measures one insert statement at one batch size and number of connections. */
import { systemClock } from '../../src/core/clock.ts'
import type { BareDriver } from '../load/machine/bare-driver.ts'
import { type ProcessGroup, watchGroups } from '../load/machine/process-usage.ts'
import { createPageRowMaker, createRowMaker, preparePersons, type Row } from './page-rows.ts'
import {
  type Insert,
  prepareReplica,
  type Session,
  STATEMENTS,
  type StatementName,
} from './statements.ts'

export type Cell = {
  readonly statement: StatementName
  readonly batch: number
  readonly connections: number
}

export type Sample = Cell & {
  readonly rowsPerS: number
  /** Median time of one batch, ms. */
  readonly batchMs: number
  /** This process's CPU time for a thousand rows, ms: the writer shares its thread with others. */
  readonly clientMsPerThousand: number
  /** Share of one core; undefined when the server's process is not known. */
  readonly serverCpuPercent: number | undefined
}

/** Batches are made before the measurement and used once, so that all rows are new. */
const PREPARED_ROWS_MAX = { plain: 120_000, pages: 30_000 }
const WARMUP_BATCHES = 10

/** Inserts for `durationMs` on an emptied table, one batch at a time on each connection. */
export async function measureCell(
  sql: BareDriver,
  cell: Cell,
  options: { durationMs: number; seed: number; server: ProcessGroup | undefined },
): Promise<Sample> {
  await sql`truncate events`
  if (cell.statement === 'pages') await preparePersons(sql)
  await sql`checkpoint`
  const insert: Insert = STATEMENTS[cell.statement]
  const sessions = await openSessions(sql, cell.connections)
  try {
    const batches = prepareBatches(cell, options)
    for (const session of sessions) {
      for (let count = 0; count < WARMUP_BATCHES; count++) await insert(session, batches())
    }
    return await timeInserts(sessions, cell, insert, batches, options)
  } finally {
    for (const session of sessions) session.release()
  }
}

async function openSessions(sql: BareDriver, count: number): Promise<Session[]> {
  const sessions: Session[] = []
  for (let index = 0; index < count; index++) {
    const session = await sql.reserve()
    await prepareReplica(session)
    sessions.push(session)
  }
  return sessions
}

/** Makes rows beyond the prepared ones during the measurement, at the client's cost. */
function prepareBatches(cell: Cell, { seed }: { seed: number }): () => Row[] {
  const make = cell.statement === 'pages' ? createPageRowMaker(seed) : createRowMaker(seed, 3)
  const prepared: Row[][] = []
  const rowsMax = PREPARED_ROWS_MAX[cell.statement === 'pages' ? 'pages' : 'plain']
  while (prepared.length * cell.batch < rowsMax) prepared.push(make(cell.batch))
  return () => prepared.pop() ?? make(cell.batch)
}

async function timeInserts(
  sessions: readonly Session[],
  cell: Cell,
  insert: Insert,
  batches: () => Row[],
  options: { durationMs: number; server: ProcessGroup | undefined },
): Promise<Sample> {
  const times: number[] = []
  let rows = 0
  const server = watchGroups(systemClock, options.server === undefined ? [] : [options.server])
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const drive = async (session: Session) => {
    for (let now = performance.now(); now - startedAt < options.durationMs; ) {
      rows += await insert(session, batches())
      const ended = performance.now()
      times.push(ended - now)
      now = ended
    }
  }
  await Promise.all(sessions.map(drive))
  const elapsedMs = performance.now() - startedAt
  const used = process.cpuUsage(cpu)
  const [usage] = await server.stop()
  times.sort((a, b) => a - b)
  return {
    ...cell,
    rowsPerS: (rows / elapsedMs) * 1000,
    batchMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
    clientMsPerThousand: (used.user + used.system) / Math.max(1, rows),
    serverCpuPercent: usage?.cpuPercent,
  }
}
