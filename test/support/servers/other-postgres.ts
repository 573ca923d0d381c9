/**
 * Postgres of another version than the embedded one, with its own defaults: `SLUICE_TEST_POSTGRES`
 * names the folder of its programs, as `npm run test:versions` sets it.
 */
import { execFile } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from '../../../src/embedded/binaries.ts'
import { type DataFolder, POSTGRES_USER } from '../../../src/embedded/data-folder.ts'
import { runAs } from '../../../src/embedded/run.ts'
import { POSTGRES_SETTINGS } from '../../../src/embedded/server-settings.ts'

/** `undefined`: the embedded one. */
export async function otherBinaries(): Promise<PostgresBinaries | undefined> {
  const folder = process.env['SLUICE_TEST_POSTGRES'] ?? ''
  if (folder === '') return undefined
  const postgres = join(folder, 'postgres')
  const { stdout } = await promisify(execFile)(postgres, ['-V'])
  const major = Number(/\s(\d+)/.exec(stdout)?.[1])
  return { postgres, initdb: join(folder, 'initdb'), major }
}

/** Makes a data folder as an operator of that version would: sorted by code point, in UTF-8. */
export async function makeOtherFolder(data: DataFolder, args: readonly string[]): Promise<void> {
  const { account, binaries, folder } = data
  await mkdir(folder, { mode: 0o700 })
  if (account !== undefined) await chown(folder, account.uid, account.gid)
  const result = await runAs(
    account,
    binaries.initdb,
    [
      '-D',
      folder,
      `--username=${POSTGRES_USER}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--auth-local=trust',
      '--auth-host=reject',
      '--no-instructions',
      ...args,
    ],
    folder,
  )
  if (result.kind === 'failed') throw new Error(`initdb failed: ${result.output}`)
}

/** Settings of the product are for its own Postgres: another one has its defaults, as an operator finds them. */
export function settingsFor(other: PostgresBinaries | undefined): Readonly<Record<string, string>> {
  return other === undefined ? POSTGRES_SETTINGS : {}
}
