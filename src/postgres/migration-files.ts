/** Reads the files of `migrations/` and checks their rules. */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../core/code.ts'

/** One file of `migrations/`: `0001_initial.sql`. */
export type Migration = {
  readonly version: number
  /** File name without `.sql`. */
  readonly name: string
  /** True if the previous version of Sluice can run beside it, as during a rolling upgrade. */
  readonly compatible: boolean
  /** SHA-256 of the text with line ends as LF, in hex. */
  readonly checksum: string
  readonly text: string
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const FIRST_LINE = /^-- (breaking|compatible): \S/

/**
 * Reads the migrations of a folder in order: numbered from 1 without a gap, each saying in its
 * first line whether it is `-- breaking: why` or `-- compatible: why`.
 * @throws {AppError} `failed_precondition` naming the file that breaks a rule.
 */
export async function readMigrations(dir: string): Promise<readonly Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const name of names) {
    const version = Number(FILE_NAME.exec(name)?.[1])
    if (version !== migrations.length + 1) {
      throw broken(
        name,
        `must be named ${String(migrations.length + 1).padStart(4, '0')}_words.sql`,
      )
    }
    migrations.push(await readMigration(dir, name, version))
  }
  return migrations
}

async function readMigration(dir: string, file: string, version: number): Promise<Migration> {
  const text = (await readFile(join(dir, file), 'utf8')).replaceAll('\r\n', '\n')
  const kind = FIRST_LINE.exec(text)?.[1]
  if (kind === undefined)
    throw broken(file, 'must begin with "-- breaking: why" or "-- compatible: why"')
  // It would end the transaction that undoes a failed migration.
  if (/^\s*(begin|commit|rollback)\s*;/im.test(text))
    throw broken(file, 'must not hold transactions')
  return {
    version,
    name: file.slice(0, -'.sql'.length),
    compatible: kind === 'compatible',
    checksum: createHash('sha256').update(text).digest('hex'),
    text,
  }
}

function broken(file: string, rule: string): AppError {
  return new AppError('failed_precondition', `migration ${file} ${rule}`)
}
