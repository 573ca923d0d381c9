/**
 * A backup, as it is before compression: lines of JSON, each ended by a line feed.
 *
 *   {"format":"sluice backup","version":1, …}   first: what made it, and the schema it is of
 *   {"table":"users","columns":["id", …]}       then each table, so that what it refers to is before
 *   ["1",null, …]                               its rows, each value as Postgres writes it as text
 *   {"sequence":"users_id_seq", …}              after the tables, so that no number is given twice
 *   {"rows":12,"sha256":"…"}                    last: of everything before this line
 */
import { AppError } from '../core/code.ts'

export const BACKUP_FORMAT = 'sluice backup'
export const BACKUP_VERSION = 1

export type BackupMigration = {
  readonly version: number
  readonly name: string
  readonly checksum: string
}

export type BackupHeader = {
  readonly format: typeof BACKUP_FORMAT
  readonly version: typeof BACKUP_VERSION
  /** The version of Sluice that made it. */
  readonly sluice: string
  /** ISO 8601. Everything in the backup was committed before. */
  readonly createdAt: string
  /** The migrations of the schema that its rows fit, in order and without a gap. */
  readonly migrations: readonly BackupMigration[]
}

export type BackupTable = { readonly table: string; readonly columns: readonly string[] }
/** `last` is decimal. */
export type BackupSequence = {
  readonly sequence: string
  readonly last: string
  readonly called: boolean
}
export type BackupEnd = { readonly rows: number; readonly sha256: string }

export type ControlLine = BackupHeader | BackupTable | BackupSequence | BackupEnd

/** @throws {AppError} `failed_precondition` when the text is no such line. */
export function parseControlLine(line: string): ControlLine {
  const fields = parseObject(line)
  if ('format' in fields) return parseHeader(fields)
  if ('table' in fields) {
    const { table, columns } = fields
    if (typeof table === 'string' && isTexts(columns)) return { table, columns }
  }
  if ('sequence' in fields) {
    const { sequence, last, called } = fields
    const isWhole = typeof last === 'string' && /^-?\d{1,19}$/.test(last)
    if (typeof sequence === 'string' && isWhole && typeof called === 'boolean') {
      return { sequence, last, called }
    }
  }
  if ('sha256' in fields) {
    const { rows, sha256 } = fields
    if (typeof rows === 'number' && typeof sha256 === 'string') return { rows, sha256 }
  }
  throw damaged('a line of it cannot be read')
}

function parseHeader(fields: Readonly<Record<string, unknown>>): BackupHeader {
  const { format, version, sluice, createdAt, migrations } = fields
  if (format !== BACKUP_FORMAT) throw notABackup()
  if (version !== BACKUP_VERSION) {
    throw refused(
      `the backup has format ${String(version)}, this Sluice reads format ${BACKUP_VERSION}: ` +
        `restore it with Sluice ${String(sluice)} or later`,
    )
  }
  if (typeof sluice !== 'string' || typeof createdAt !== 'string' || !Array.isArray(migrations)) {
    throw damaged('its first line cannot be read')
  }
  return { format, version, sluice, createdAt, migrations: migrations.map(parseMigration) }
}

function parseMigration(value: unknown, index: number): BackupMigration {
  if (typeof value === 'object' && value !== null && 'version' in value) {
    const { version, name, checksum } = { name: '', checksum: '', ...value }
    const isNext = version === index + 1
    if (isNext && typeof name === 'string' && typeof checksum === 'string') {
      return { version, name, checksum }
    }
  }
  throw damaged('its first line cannot be read')
}

/** The values of a row; null is SQL's null. */
export function parseRow(line: string, columns: number): readonly (string | null)[] {
  const values = parseJson(line)
  const isRow = Array.isArray(values) && values.length === columns && values.every(isValue)
  if (!isRow) throw damaged('a row of it cannot be read')
  return values
}

function isValue(value: unknown): value is string | null {
  return typeof value === 'string' || value === null
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  const value = parseJson(line)
  if (typeof value !== 'object' || value === null) throw damaged('a line of it cannot be read')
  return { ...value }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw damaged('a line of it cannot be read', cause)
  }
}

export function notABackup(): AppError {
  return refused('this is no backup made by sluice backup')
}

export function damaged(what: string, cause?: unknown): AppError {
  return refused(`the backup is damaged: ${what}`, cause)
}

export function refused(message: string, cause?: unknown): AppError {
  return new AppError('failed_precondition', message, cause === undefined ? {} : { cause })
}
