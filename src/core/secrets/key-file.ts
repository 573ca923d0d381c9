/** Finds or makes the keys that secrets are sealed with. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../code.ts'
import { createKeyRing, type KeyRing, parseKeys } from './key-ring.ts'

export type KeySource = { readonly secretsKey: string | undefined; readonly dataDir: string }

const KEY_BYTES = 32
/** Anyone but the owner. */
const OTHERS = 0o077

/**
 * The keys of SECRETS_KEY, else those of `DATA_DIR/secrets.key`, one a line. Processes that make
 * the file together get the same key.
 * @param makes whether a missing file is made, readable by its owner only. Otherwise the ring is
 * empty: members of a cluster need one key, which no member can choose for the others, and a
 * database with sealed secrets needs the key that sealed them.
 * @throws {AppError} `failed_precondition` when the file cannot be read or made, holds no key, or
 * others may read it.
 */
export async function openKeyRing(
  { secretsKey, dataDir }: KeySource,
  { makes }: { readonly makes: boolean },
): Promise<KeyRing> {
  if (secretsKey !== undefined) return ringOf('SECRETS_KEY', secretsKey)
  const path = join(dataDir, 'secrets.key')
  try {
    const text = (await readKeys(path)) ?? (makes ? await makeKeys(path, dataDir) : undefined)
    return text === undefined ? createKeyRing([]) : ringOf(path, text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const detail = `cannot read or make ${path}: set SECRETS_KEY or DATA_DIR`
    throw new AppError('failed_precondition', detail, { cause })
  }
}

function ringOf(where: string, text: string): KeyRing {
  const keys = parseKeys(text)
  if (keys.ok) return createKeyRing(keys.value)
  throw new AppError('failed_precondition', `${where} ${keys.error}`)
}

async function readKeys(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { mode } = await stat(path)
  if ((mode & OTHERS) === 0) return text
  throw new AppError('failed_precondition', `others may read ${path}: chmod 600 it`)
}

async function makeKeys(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`
  const staging = `${path}.${randomUUID()}`
  try {
    await writeFile(staging, text, { mode: 0o600, flag: 'wx', flush: true })
    await link(staging, path)
    return text
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const winner = await readKeys(path)
    if (winner === undefined) throw error
    return winner
  } finally {
    await rm(staging, { force: true })
  }
}
