/** A database as an older release left it. */
import { readdirSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'

const MIGRATIONS = join(packageRoot, 'migrations')

/** A folder with the migrations before the one whose file name has this ending. */
export async function migrationsBefore(t: Test, ending: string): Promise<string> {
  const names = readdirSync(MIGRATIONS)
  const end = names.find((name) => name.endsWith(ending))
  if (end === undefined) throw new Error(`no migration ends with ${ending}`)
  const dir = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  t.teardown(() => rm(dir, { recursive: true }))
  for (const name of names.filter((each) => each < end)) {
    await cp(join(MIGRATIONS, name), join(dir, name))
  }
  return dir
}
