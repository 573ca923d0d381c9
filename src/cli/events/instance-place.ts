/** Address and keys of the instance for the commands about events. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '../../../gateway/client/runtime.ts'
import { AppError } from '../../core/code.ts'
import type { Config } from '../../core/config/config.ts'
import { objectOf } from '../../core/json.ts'
import { parseExact, withNumbers } from '../../core/json-text/exact-numbers.ts'
import { UsageError } from '../command-end.ts'

/** The key of a name that was given, or of the first start of an instance on this machine. */
export type KeyName = 'projectApiKey' | 'personalApiKey'

const OPTIONS: Readonly<Record<KeyName, string>> = {
  projectApiKey: '--api-key or SLUICE_PROJECT_API_KEY (sluice admin show prints it)',
  personalApiKey: '--key or SLUICE_API_KEY (sluice admin create-key makes one)',
}

/** @throws {UsageError} for an invalid URL, or a password that the list of processes would show. */
export function urlOf(given: string | undefined, { http }: Config): string {
  if (given === undefined) return localUrl(http)
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new UsageError('--url is not an http or https URL')
  }
  const { username, password } = new URL(given)
  if (username !== '' || password !== '') throw new UsageError('--url may not hold a password')
  return given.replace(/\/+$/, '')
}

function localUrl({ host, port }: Config['http']): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * The key that was given, else the one in `DATA_DIR/first-keys.json`.
 * @throws {UsageError} when there is none. The message never has a key.
 */
export async function keyOf(
  name: KeyName,
  given: string | undefined,
  { dataDir }: Config,
): Promise<string> {
  const key = (given ?? (await firstKeys(dataDir))[name] ?? '').trim()
  if (key === '') throw new UsageError(`no key: give ${OPTIONS[name]}`)
  // The message of `fetch` about a header that it refuses would show the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('the key has characters that no key has')
  return key
}

async function firstKeys(dataDir: string): Promise<Partial<Record<KeyName, string>>> {
  try {
    const keys = objectOf(JSON.parse(await readFile(join(dataDir, 'first-keys.json'), 'utf8')))
    const { projectApiKey, personalApiKey } = keys
    return {
      ...(typeof projectApiKey === 'string' ? { projectApiKey } : {}),
      ...(typeof personalApiKey === 'string' ? { personalApiKey } : {}),
    }
  } catch {
    return {} // Missing, or of another user: the caller says how to give a key.
  }
}

/** Client that sends and reads numbers beyond doubles as exact numbers. */
export function clientAt(url: string, key: string): Client {
  const fetchExactly: typeof fetch = (input, init) =>
    fetch(input, typeof init?.body === 'string' ? { ...init, body: withNumbers(init.body) } : init)
  return createClient({ baseUrl: url, key, fetch: fetchExactly, parse: parseExact })
}

/** A failure of `fetch` as a sentence. It puts the reason into the cause. */
export function unreachable(url: string, error: unknown): AppError {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new AppError('unavailable', `no answer from ${url}${code}`)
}
