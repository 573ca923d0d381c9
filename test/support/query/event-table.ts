/** Reads tables of events directly, without the management pipeline. */

import type { Clock } from '../../../src/core/clock.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { listEventTable } from '../../../src/manage/events/event-table-message.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { anyScans } from './any-scans.ts'

const NOW = '2024-03-10T12:00:00Z'
export const fixedClock: Clock = { ...systemClock, now: () => Date.parse(NOW) }

export type TableAsked = {
  readonly where?: readonly string[]
  readonly orderBy?: readonly string[]
  readonly limit?: number
  readonly offset?: number
  /** Further parameters of the list. */
  readonly before?: string
  readonly after?: string
  readonly event?: string
  readonly distinctId?: string
  readonly properties?: string
}

/** Long enough for a busy machine: these tests ask what a table holds. */
const TIMEOUT_MS = 120_000

/** Reads tables of one project past the management pipeline, rows as JSON. */
export function tablesOf(sql: Sql, project: number) {
  const deps = {
    sql,
    events: createPostgresEvents(sql),
    clock: fixedClock,
    scans: anyScans(),
    timeoutMs: TIMEOUT_MS,
  }
  const list = async (select: readonly string[], asked: TableAsked = {}) => {
    const { where = [], orderBy, limit = 100, offset = 0, after = '', before = '' } = asked
    const request = {
      select,
      where,
      after,
      before,
      event: asked.event,
      distinctId: asked.distinctId,
      personId: undefined,
      properties: asked.properties ?? '',
      orderBy: orderBy === undefined ? '' : JSON.stringify(orderBy),
    }
    const { signal } = new AbortController()
    const page = { limit, offset }
    const answer = await listEventTable(deps, projectId(project), request, page, signal)
    return { ...answer.table, pinned_before: answer.pinned_before }
  }
  return {
    list,
    rows: async (select: readonly string[], asked: TableAsked = {}): Promise<unknown[][]> =>
      JSON.parse(String((await list(select, asked)).results)),
  }
}
