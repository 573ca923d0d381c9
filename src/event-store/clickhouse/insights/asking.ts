/** How a question reads both stores: its events in ClickHouse, persons and groups in Postgres. */
import { setMaxListeners } from 'node:events'
import type { ColumnStore, Row } from '../../../clickhouse/connect.ts'
import type { NumberLists } from '../../../clickhouse/number-lists.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { reachesInto } from '../../../events/time/partition-month.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { readWithin } from '../../../postgres/bounded-reads.ts'
import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { BreakdownSource, EventRole } from '../../insight-events.ts'
import { away } from '../no-answer.ts'
import { type AskPostgres, keyOf, typeOf } from '../reads/groups-passing.ts'
import type { Resolved } from '../renderer/filter.ts'
import { keysRead, withTextColumns } from '../text-columns.ts'
import { askBreakdown, type BreakdownColumn } from './breakdown-column.ts'
import { fromSelection } from './column-fragments.ts'
import { readNumberLists, readRows } from './read-statement.ts'
import { personsPassing, resolveInPostgres } from './resolve-in-postgres.ts'

export type Asking = {
  /**
   * Events of a selection, and what is asked of them beside.
   * @throws {ColumnError} `not_here` when some of them are missing, and where `resolveInPostgres` does.
   */
  prepare(selection: EventSelection, beside?: Beside): Promise<Prepared>
  /** Rows of ClickHouse. */
  rows(statement: Fragment): Promise<readonly Row[]>
  /** Rows of one column `Array(Float64)`: of many lists these are the sooner. */
  numberLists(statement: Fragment): Promise<NumberLists>
}

type Beside = {
  readonly roles?: readonly EventRole[]
  readonly breakdown?: BreakdownSource | undefined
  /** Whether the statement reads the actors of the events. */
  readonly readsActors?: boolean
  /** Index of a type of groups that it reads. */
  readonly groups?: number | undefined
}

export type Prepared = {
  /** `from events e … where …` */
  readonly from: Fragment
  readonly resolved: Resolved
  readonly breakdown: BreakdownColumn | undefined
  /** The key of the event's group of the type that was asked for; null for none. */
  readonly group: Fragment
}

export type ColumnsRead = {
  readonly store: ColumnStore
  /** Reads only blocks up to this one; undefined for all. */
  readonly snapshotBlock?: number | undefined
  /** Months of which it lacks events: see `reachesInto`. */
  readonly lacks?: readonly string[]
  /** Properties that have columns of their own. */
  readonly keys?: readonly string[]
  /** Called with the properties whose texts a statement reads. */
  readonly onKeys?: (keys: readonly string[]) => void
}

/**
 * Several questions of a page ask the same of persons: that is read once, as all is one snapshot.
 * @param leftMs see `OpenInsightEvents`, also for `signal`.
 */
export function createAsking(
  { store, snapshotBlock, lacks = [], keys = [], onKeys }: ColumnsRead,
  db: Db,
  leftMs: () => number,
  signal: AbortSignal,
): Asking {
  // Each statement that runs listens.
  const ending = AbortSignal.any([signal])
  setMaxListeners(0, ending)
  let awake: Promise<unknown> | undefined
  /** The snapshot in Postgres waits while ClickHouse counts. */
  const stayAwake = () => {
    awake ??= db`select set_config('idle_in_transaction_session_timeout',
      ${String(leftMs())}, true)`
    return awake
  }
  const asked = new Map<string, Promise<object[]>>()
  const ask: AskPostgres = async <Found extends object>(statement: Fragment) => {
    const key = JSON.stringify(statement)
    const rows = asked.get(key) ?? read<Found>(statement)
    asked.set(key, rows)
    return (await rows) as Found[]
  }
  const withColumns = (statement: Fragment) => {
    onKeys?.(keysRead(statement))
    return withTextColumns(statement, keys)
  }
  const time = () => ({ timeoutMs: leftMs(), signal: ending })
  const read = async <Found extends object>(statement: Fragment) => {
    const asking = () => run<Found>(db, statement, false)
    return await readWithin(db, leftMs, asking, { joinsMany: true })
  }
  return {
    async prepare(selection, beside = {}) {
      const { roles = [], breakdown: source, readsActors = false, groups } = beside
      const lacking = lacks.find((month) => reachesInto(selection, month))
      if (lacking !== undefined) throw away(`it lacks events of ${lacking}`)
      await stayAwake()
      const { project, where, persons = { passing: undefined, tolerant: undefined } } = selection
      const trees = [where, ...roles.map((role) => role.where)].filter(isAsked)
      const resolved = await resolveInPostgres(ask, project, trees)
      const tests: Fragment[] = []
      for (const [node, isTolerant] of [
        [persons.passing, false],
        [persons.tolerant, true],
      ] as const) {
        if (node !== undefined) tests.push(await personsPassing(ask, project, node, isTolerant))
      }
      const breakdown = source && (await askBreakdown(ask, project, source))
      const readsPersons = readsActors || roles.some(({ needsPerson }) => needsPerson)
      const parts = { resolved, persons: tests, breakdown, readsPersons, snapshotBlock }
      const group = groups === undefined ? NO_GROUP : await groupColumn(ask, project, groups)
      return { from: fromSelection(selection, parts), resolved, breakdown, group }
    },
    rows: (statement) => readRows(store, withColumns(statement), time()),
    numberLists: (statement) => readNumberLists(store, withColumns(statement), time()),
  }
}

const NO_GROUP = fragment`CAST(null, 'Nullable(String)')`

async function groupColumn(ask: AskPostgres, project: ProjectId, index: number): Promise<Fragment> {
  const [own] = await ask<{ type: string | null }>(
    fragment`select ${typeOf(project, index)} as type`,
  )
  return own === undefined || own.type === null
    ? NO_GROUP
    : fragment`nullIf(${keyOf(own.type)}, '')`
}

function isAsked(node: FilterNode | undefined): node is FilterNode {
  return node !== undefined
}
