/** Inserts the rows of a backup. */
import { randomBytes } from 'node:crypto'
import { attachPartitions, partitionOf } from '../event-store/months/partitions.ts'
import { toColumns } from '../postgres/columns.ts'
import type { Db } from '../postgres/db.ts'
import type { CatalogColumn, CatalogTable } from './backup-catalog.ts'
import { type BackupTable, parseRow, refused } from './backup-format.ts'

/** Rows of one insert of a restore, and their bytes as JSON text; one row is taken whatever its size. */
const RESTORE_BATCH_ROWS_MAX = 2_000
const RESTORE_BATCH_BYTES_MAX = 1_048_576

/** Loads the rows of one table. */
export type RowLoader = {
  /** @param line JSON text of one row. */
  add(line: Buffer): Promise<void>
  flush(): Promise<void>
}

const EVENTS = 'events'
const EVENTS_DAY = 'day'

/**
 * Inserts rows some hundred at a time. Postgres reads each value from its text. Partitions of
 * events are made for the days that occur.
 * @throws {AppError} `failed_precondition` when the database has no such table, or a row does not
 * fit it; `PostgresError` when a row is refused.
 */
export function createRowLoader(
  tx: Db,
  table: BackupTable,
  catalog: readonly CatalogTable[],
): RowLoader {
  const target = catalog.find(({ name }) => name === table.table)
  if (target === undefined) throw refused(`the backup has a table ${table.table} of its own`)
  const columns = table.columns.map((name) => columnOf(target, name))
  const statement = insertInto(target, columns)
  const day = table.table === EVENTS ? table.columns.indexOf(EVENTS_DAY) : -1
  const partitions = new Set<string>()
  // Stands for null. It is random, so no value of a backup can be equal to it.
  const nothing = `null ${randomBytes(12).toString('hex')}`
  let rows: (readonly (string | null)[])[] = []
  let bytes = 0

  const ensurePartitions = async () => {
    const days = rows.map((row) => row[day] ?? '')
    const wanted = [...new Set(days.map((each) => each.slice(0, 7)))].map(partitionOf)
    const missing = wanted.filter(({ name }) => !partitions.has(name))
    if (missing.length === 0) return
    await attachPartitions(tx, [...new Map(missing.map((each) => [each.name, each])).values()])
    for (const { name } of missing) partitions.add(name)
  }
  const flush = async () => {
    if (rows.length === 0) return
    if (day !== -1) await ensurePartitions()
    const values = columns.map((_, index) => [
      ...rows.map((row) => row[index] ?? nothing),
      '', // The text of one empty value would be that of no value.
    ])
    const { separator, texts } = toColumns(values)
    const parameters = [...texts, separator, nothing, String(rows.length)]
    const { count } = await tx.unsafe(statement, parameters, { prepare: true })
    if (count !== rows.length) throw refused(`rows of ${table.table} were not stored`)
    rows = []
    bytes = 0
  }
  return {
    flush,
    async add(line) {
      rows.push(parseRow(line.toString('utf8'), columns.length))
      bytes += line.length
      if (rows.length >= RESTORE_BATCH_ROWS_MAX || bytes >= RESTORE_BATCH_BYTES_MAX) await flush()
    },
  }
}

function columnOf(target: CatalogTable, name: string): CatalogColumn {
  const column = target.columns.find((each) => each.name === name)
  if (column === undefined) {
    throw refused(`the backup has a column ${target.name}.${name} of its own`)
  }
  return column
}

/** Names and types come from the server's catalog. Every value is bound. */
function insertInto({ quoted }: CatalogTable, columns: readonly CatalogColumn[]): string {
  const [separator, nothing, rows] = [1, 2, 3].map((n) => `$${columns.length + n}::text`)
  const names = columns.map((column) => column.quoted).join(', ')
  const values = columns.map(({ type }, n) => `c${n}::${type}`).join(', ')
  const texts = columns.map((_, n) => `string_to_array($${n + 1}::text, ${separator}, ${nothing})`)
  return `
    insert into ${quoted} (${names}) overriding system value
    select ${values} from unnest(${texts.join(', ')}) with ordinality
      as input (${columns.map((_, n) => `c${n}`).join(', ')}, place)
    where place <= ${rows}::int`
}
