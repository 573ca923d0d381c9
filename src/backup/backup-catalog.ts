/** Reads from the server's catalog what a backup copies. No table is listed by hand. */

import type { Db } from '../postgres/db.ts'
import { refused } from './backup-format.ts'

export type CatalogColumn = {
  readonly name: string
  /** Quoted for a statement. */
  readonly quoted: string
  readonly type: string
  /** True when its length varies, so that a value may be large. */
  readonly varies: boolean
}

export type CatalogTable = {
  readonly name: string
  readonly quoted: string
  readonly columns: readonly CatalogColumn[]
  /** The tables that have its rows: its partitions, or itself. */
  readonly parts: readonly string[]
}

/**
 * Tables that a backup leaves out. Rows of the first one, the migrator's, go into the header of the
 * backup. The second one says which events only ClickHouse holds: a backup has the events
 * themselves.
 */
const MIGRATIONS_TABLE = 'schema_migrations'
const LEFT_OUT = [MIGRATIONS_TABLE, 'event_ledger']

/** Tables and sequences of the schema that belong to no extension and must not be lost. */
const OURS = `
  n.nspname = current_schema() and c.relpersistence = 'p' and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
      and d.deptype = 'e')`

/**
 * Every table of the database except the migrator's. A table comes after those that it refers to.
 * @throws {AppError} `failed_precondition` when tables refer to each other in a circle.
 */
export async function readTables(db: Db): Promise<readonly CatalogTable[]> {
  const tables = await db.unsafe<{ name: string; quoted: string; parts: string[] | null }[]>(
    `
    select c.relname::text as name, c.oid::regclass::text as quoted, (
      select array_agg(p.relid::regclass::text order by p.relid::regclass::text)
      from pg_partition_tree(c.oid) p where p.isleaf and c.relkind = 'p') as parts
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and ${OURS}
      and c.relname <> all ($1::text[])
    order by 1`,
    [LEFT_OUT],
  )
  const columns = await db.unsafe<(CatalogColumn & { table: string })[]>(`
    select c.oid::regclass::text as table, a.attname::text as name,
      quote_ident(a.attname) as quoted, format_type(a.atttypid, a.atttypmod) as type,
      a.attlen = -1 as varies
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and ${OURS}
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum`)
  const references = await db.unsafe<{ from: string; to: string }[]>(`
    select conrelid::regclass::text as from, confrelid::regclass::text as to
    from pg_constraint where contype = 'f' and conrelid <> confrelid`)
  const found = tables.map(({ name, quoted, parts }) => ({
    name,
    quoted,
    columns: columns.filter(({ table }) => table === quoted),
    parts: parts ?? [quoted],
  }))
  return inOrder(found, references)
}

function inOrder(
  tables: readonly CatalogTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): readonly CatalogTable[] {
  const sorted: CatalogTable[] = []
  let left = tables
  while (left.length > 0) {
    const names = new Set(left.map(({ quoted }) => quoted))
    const isFree = ({ quoted }: CatalogTable) =>
      !references.some(({ from, to }) => from === quoted && names.has(to))
    const free = left.filter(isFree)
    if (free.length === 0) {
      throw refused(`tables refer to each other in a circle: ${[...names].join(', ')}`)
    }
    sorted.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return sorted
}

export type CatalogSequence = { readonly name: string; readonly quoted: string }

export async function readSequences(db: Db): Promise<readonly CatalogSequence[]> {
  return await db.unsafe<CatalogSequence[]>(`
    select c.relname::text as name, c.oid::regclass::text as quoted
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${OURS} order by 1`)
}

/** Names of our tables and whether this database has been migrated at all. */
export async function hasSchema(db: Db): Promise<boolean> {
  const [row] = await db<{ present: boolean }[]>`
    select to_regclass(${MIGRATIONS_TABLE}) is not null as present`
  return row?.present === true
}

export type AppliedMigration = {
  readonly version: number
  readonly name: string
  readonly checksum: string
}

/** The applied migrations of this database in order. The database must have a schema. */
export async function readApplied(db: Db): Promise<readonly AppliedMigration[]> {
  return await db<AppliedMigration[]>`
    select version, name, checksum from schema_migrations order by version`
}
