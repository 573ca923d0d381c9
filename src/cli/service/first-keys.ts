/** Hands the keys of a first start to the operator, and to no log. */
import { access, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bootstrapped } from '../../access/bootstrap.ts'
import type { Log } from '../../core/log.ts'

const FILE = 'first-keys.json'

/**
 * Writes the keys of a first start to `DATA_DIR/first-keys.json`, readable by its owner only, and
 * logs its path. Replaces a file of an earlier database. Does nothing when no first user was made.
 * Never rejects: the instance runs without the file, and the operator makes another key.
 */
export async function keepFirstKeys(
  log: Log,
  dataDir: string,
  made: Bootstrapped | undefined,
): Promise<void> {
  if (made === undefined) return
  const path = join(dataDir, FILE)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 })
    const file = await open(path, 'w', 0o600)
    try {
      // A file that was there keeps its mode.
      await file.chmod(0o600)
      await file.writeFile(`${JSON.stringify(contentsOf(made), null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    log.info('first start: the keys are in a file', { path })
  } catch (error) {
    const advice = 'make DATA_DIR writable, and a key with sluice admin create-key'
    log.error('the first keys could not be written', { path, advice, error })
  }
}

/** The path of the file, where it is still there. */
export async function firstKeysFile(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, FILE)
  return await access(path).then(
    () => path,
    () => undefined,
  )
}

function contentsOf({ email, user, projectApiKey, personalApiKey }: Bootstrapped): object {
  return { email, projectId: user.project?.id ?? null, projectApiKey, personalApiKey }
}
