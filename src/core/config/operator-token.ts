/** Finds or makes the token of operator commands. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../code.ts'

type TokenSource = { readonly operatorToken: string | undefined; readonly dataDir: string }

/**
 * The token of the CLI's calls: OPERATOR_TOKEN, or the content of `DATA_DIR/operator-token`, which
 * is made with 256 random bits, readable by its owner only. Processes that start together get the
 * same one: the file appears whole, by a hard link that only the first can make.
 * @throws {AppError} `failed_precondition` when the file cannot be read or made.
 */
export async function operatorToken({
  operatorToken: given,
  dataDir,
}: TokenSource): Promise<string> {
  if (given !== undefined) return given
  const path = join(dataDir, 'operator-token')
  try {
    return (await readToken(path)) ?? (await createToken(path, dataDir))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const detail = `cannot read or make ${path}: set OPERATOR_TOKEN or DATA_DIR`
    throw new AppError('failed_precondition', detail, { cause })
  }
}

/** For the CLI: it must use the worker's token, so it never makes one. */
export async function existingOperatorToken(source: TokenSource): Promise<string | undefined> {
  return source.operatorToken ?? (await readToken(join(source.dataDir, 'operator-token')))
}

async function readToken(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const token = text.trim()
  if (/^[\x21-\x7e]{16,256}$/.test(token)) return token
  throw new AppError('failed_precondition', `${path} holds no token: remove it or write one`)
}

async function createToken(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const token = randomBytes(32).toString('base64url')
  const staging = `${path}.${randomUUID()}`
  try {
    await writeFile(staging, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(staging, path)
    return token
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const winner = await readToken(path)
    if (winner === undefined) throw error
    return winner
  } finally {
    await rm(staging, { force: true })
  }
}
