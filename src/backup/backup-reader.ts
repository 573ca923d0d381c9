/** Reads a backup part by part. */
import { createHash } from 'node:crypto'
import { BACKUP_LINE_BYTES_MAX } from '../core/limits/limits.ts'
import {
  type BackupHeader,
  type BackupSequence,
  type BackupTable,
  damaged,
  notABackup,
  parseControlLine,
} from './backup-format.ts'

/** Reads the same backup from its beginning at each call, decompressed. */
export type BackupSource = () => AsyncIterable<Buffer>

/** Parts of a backup in order: one header, then tables with their rows, then sequences. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: BackupTable }
  /** The JSON text of a row of the newest table. */
  | { readonly kind: 'row'; readonly line: Buffer }
  | { readonly kind: 'sequence'; readonly sequence: BackupSequence }

/**
 * Reads a backup to its end, some parts at a time. The end tells whether the parts before it are
 * undamaged.
 * @throws {AppError} `failed_precondition` when it is cut short, damaged or no backup; what the
 * source throws.
 */
export async function* readBackup(source: BackupSource): AsyncGenerator<readonly BackupPart[]> {
  const reader = new Reader()
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of source()) {
    let start = 0
    const parts: BackupPart[] = []
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const piece = chunk.subarray(start, end + 1)
      const line = heldBytes === 0 ? piece : Buffer.concat([...held, piece])
      held = []
      heldBytes = 0
      start = end + 1
      const part = reader.read(line)
      if (part !== undefined) parts.push(part)
    }
    const rest = chunk.subarray(start)
    if (rest.length > 0) held.push(rest)
    heldBytes += rest.length
    if (heldBytes > BACKUP_LINE_BYTES_MAX) throw damaged('a line of it is too long')
    if (parts.length > 0) yield parts
  }
  reader.finish(heldBytes)
}

export type BackupContents = {
  readonly header: BackupHeader
  readonly tables: number
  readonly rows: number
}

/** Reads a backup to its end without storing anything. Throws as `readBackup`. */
export async function verifyBackup(source: BackupSource): Promise<BackupContents> {
  let header: BackupHeader | undefined
  let tables = 0
  let rows = 0
  for await (const parts of readBackup(source)) {
    for (const part of parts) {
      if (part.kind === 'header') header = part.header
      if (part.kind === 'table') tables += 1
      if (part.kind === 'row') rows += 1
    }
  }
  if (header === undefined) throw notABackup()
  return { header, tables, rows }
}

const LINE_FEED = 10
const OPENS_ROW = 91 // [

/** Sections that may come next: `start`, then `tables`, then `sequences`, then `end`. */
type Place = 'start' | 'tables' | 'sequences' | 'end'

class Reader {
  readonly #hash = createHash('sha256')
  #place: Place = 'start'
  #hasTable = false
  #rows = 0

  /** @param line with its line feed. */
  read(line: Buffer): BackupPart | undefined {
    if (this.#place === 'end') throw damaged('something follows its end')
    if (line[0] === OPENS_ROW) {
      if (this.#place !== 'tables' || !this.#hasTable) throw this.#misplaced()
      this.#hash.update(line)
      this.#rows += 1
      return { kind: 'row', line }
    }
    if (this.#place === 'start' && line[0] !== 123) throw notABackup() // {
    const control = parseControlLine(line.toString('utf8'))
    if ('sha256' in control) {
      if (this.#place === 'start') throw this.#misplaced()
      this.#place = 'end'
      const isWhole = control.rows === this.#rows && control.sha256 === this.#hash.digest('hex')
      if (!isWhole) throw damaged('its checksum is another')
      return undefined
    }
    this.#hash.update(line)
    if ('format' in control) {
      if (this.#place !== 'start') throw this.#misplaced()
      this.#place = 'tables'
      return { kind: 'header', header: control }
    }
    if (this.#place === 'start') throw this.#misplaced()
    if ('table' in control) {
      if (this.#place !== 'tables') throw this.#misplaced()
      this.#hasTable = true
      return { kind: 'table', table: control }
    }
    this.#place = 'sequences'
    return { kind: 'sequence', sequence: control }
  }

  /** @param restBytes bytes after the last line feed. */
  finish(restBytes: number): void {
    if (this.#place === 'start' && restBytes === 0) throw notABackup()
    if (this.#place !== 'end' || restBytes > 0) throw damaged('it is cut short')
  }

  #misplaced(): Error {
    return this.#place === 'start' ? notABackup() : damaged('its lines are in no order')
  }
}
