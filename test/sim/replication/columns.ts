/** Simulated ClickHouse of the copy: rows of blocks, tokens, a comment, and a restorable state. */
import { ClickHouseError } from '@clickhouse/client'
import { type ColumnError, toColumnError } from '../../../src/clickhouse/column-error.ts'
import { readRows } from '../../support/columns/row-binary.ts'
import type { Simulation } from '../simulation.ts'
import { StoreHost } from '../store-line.ts'

const DAY_US = 86_400_000_000
/** Name of events that it refuses. */
export const REFUSED = 'refused'

export type ColumnRow = {
  readonly project: number
  readonly month: string
  readonly day: number
  readonly uuid: string
  readonly block: number
}

export type Bounds = Readonly<Record<string, unknown>>
/** Comment of each table. */
type Comments = ReadonlyMap<string, string>
/** Events and distinct ids. */
const TABLES = 2

type Kept = { readonly rows: readonly ColumnRow[]; readonly comments: Comments }

export class SimColumns extends StoreHost {
  rows: readonly ColumnRow[] = []
  #comments: Comments = new Map()
  #tokens = new Set<string>()
  #kept: Kept | undefined
  /** Called for each insert that stores rows. */
  onInsert: (rows: readonly ColumnRow[]) => void = () => {}

  constructor(sim: Simulation) {
    super(sim, 'ch')
  }

  /**
   * Makes a backup: rows and the comment, and no tokens. None is made before the table has its
   * owner: restored, it would be refused as a foreign table at the next write.
   */
  keep(): void {
    if (this.#comments.size < TABLES) return
    this.#kept = { rows: this.rows, comments: this.#comments }
  }

  restore(): void {
    if (this.#kept === undefined) return
    this.sim.note(() => 'ch goes back to an older state')
    this.rows = this.#kept.rows
    this.#comments = this.#kept.comments
    this.#tokens = new Set()
  }

  forgetTokens(): void {
    this.#tokens = new Set()
  }

  /** @throws {ColumnError} as the server refuses a value. */
  insert(bytes: Buffer, token: string | undefined): void {
    const given = readRows(bytes)
    if (given.some(({ event }) => event === REFUSED)) throw refusal()
    if (token !== undefined && this.#tokens.has(token)) return
    if (token !== undefined) this.#tokens.add(token)
    const rows = given.map(({ projectId: project, month, day, uuid, block }) => {
      return { project, month, day, uuid, block }
    })
    this.rows = [...this.rows, ...rows]
    this.onInsert(rows)
  }

  command(sql: string): void {
    const [, table, comment] = /\.(\w+) modify comment '([^']*)'/.exec(sql) ?? []
    if (table !== undefined && comment !== undefined) {
      this.#comments = new Map([...this.#comments, [table, comment]])
      return
    }
    const matches = matcherOf(sql, {})
    this.rows = this.rows.filter((row) => !matches(row))
  }

  ask(sql: string, bounds: Bounds): unknown[][] {
    if (sql.includes('version()')) return [['26.7']]
    if (sql.includes('from system.columns')) return []
    if (sql.includes('comment from system.tables')) {
      return [[this.#comments.get(String(bounds['table'])) ?? '']]
    }
    if (sql.includes('from system.parts')) return [['0', '0']]
    if (sql.includes('max(block)')) {
      const newest = this.rows.reduce((max, { block }) => Math.max(max, block), 0)
      return [[String(newest), String(this.rows.length)]]
    }
    const found = this.rows.filter(matcherOf(sql, bounds))
    if (sql.startsWith('select count()')) return [[String(found.length)]]
    if (sql.startsWith('select toString(block), toString(count())')) return blocksOf(found)
    if (sql.startsWith('select project_id, day, toString(uuid)')) {
      return found.map(({ project, day, uuid }) => [project, day, uuid])
    }
    if (sql.startsWith('select project_id, toString(uuid), event')) {
      return eventsOf(found, String(bounds['uuids']).split(','))
    }
    if (sql.startsWith('select toString(uuid) as text')) return found.map(({ uuid }) => [uuid])
    if (sql.startsWith('select project_id, day, toString(count())')) return sumsOf(found)
    throw new RangeError(`the simulation knows no question ${sql}`)
  }
}

function blocksOf(rows: readonly ColumnRow[]): unknown[][] {
  const counts = new Map<number, number>()
  for (const { block } of rows) counts.set(block, (counts.get(block) ?? 0) + 1)
  return [...counts].map((pair) => pair.map(String))
}

/** Each once. */
function eventsOf(rows: readonly ColumnRow[], uuids: readonly string[]): unknown[][] {
  const first = new Map([...rows].reverse().map((row) => [row.uuid, row]))
  return uuids.flatMap((uuid) => {
    const row = first.get(uuid)
    if (row === undefined) return []
    const texts = [uuid, 'seen', 'd', String(row.day * DAY_US), '{}', '', '0']
    return [[row.project, ...texts]]
  })
}

function sumsOf(rows: readonly ColumnRow[]): unknown[][] {
  const groups = new Map<string, ColumnRow[]>()
  for (const row of rows) {
    const key = `${row.project} ${row.day}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups].map(([key, all]) => {
    const [project, day] = key.split(' ').map(Number)
    const sum = (from: number) => {
      const halves = all.map(({ uuid }) => uuid.replaceAll('-', '').slice(from, from + 16))
      return BigInt.asUintN(
        64,
        halves.reduce((total, hex) => total + BigInt(`0x${hex}`), 0n),
      )
    }
    return [project, day, String(all.length), `${sum(0)}-${sum(16)}`]
  })
}

/** Reads the conditions that the product's statements have. */
function matcherOf(sql: string, bounds: Bounds): (row: ColumnRow) => boolean {
  const bound = (name: string, literal: RegExp): string | undefined => {
    if (sql.includes(`{${name}:`)) return String(bounds[name])
    return literal.exec(sql)?.[1]
  }
  const month = bound('month', /month = '(\w+)'/)
  const project = bound('project', /project_id = (\d+)/)
  const only = sql.includes('block = {block') || sql.includes('block = {number')
  const number = bound('number', /never/) ?? bound('block', /block <= (\d+)/)
  const snapshotBlock = bound('snapshotBlock', /never/) ?? (only ? undefined : number)
  const day = sql.includes('{day:') ? Number(bounds.day) : undefined
  const keys = /in \((\(.*\))\)/s.exec(sql)?.[1]
  const wanted = keys === undefined ? undefined : new Set(keys.match(/\d+, '[^']+'/g) ?? [])
  const [after, last] = [String(bounds.after ?? ''), String(bounds.last ?? '')]
  return (row) =>
    (month === undefined || row.month === month) &&
    (project === undefined || row.project === Number(project)) &&
    (!only || row.block === Number(number)) &&
    (snapshotBlock === undefined || row.block <= Number(snapshotBlock)) &&
    (day === undefined || row.day === day) &&
    row.block >= Number(bounds.from ?? 0) &&
    row.uuid > after &&
    (last === '' || row.uuid <= last) &&
    (wanted === undefined || wanted.has(`${row.day}, '${row.uuid}'`))
}

function refusal(): ColumnError {
  const [code, type] = ['117', 'INCORRECT_DATA']
  return toColumnError(new ClickHouseError({ message: 'a value is refused', code, type }))
}
