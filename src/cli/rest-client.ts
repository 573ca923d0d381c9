/** The REST client of commands that act for a user, with a personal key. */
import { ApiError, type Client, createClient } from '../../gateway/client/runtime.ts'
import { AppError, type Code } from '../core/code.ts'
import { environment } from '../core/config/config.ts'
import { UsageError } from './command-end.ts'

export type ServerOptions = { readonly url: string; readonly key?: string }

const KEY_VARIABLE = 'SLUICE_API_KEY'

/** @throws {UsageError} when the options name no server or no key. */
export function clientOf({ url, key = environment()[KEY_VARIABLE] ?? '' }: ServerOptions): Client {
  const trimmed = key.trim()
  if (trimmed === '') throw new UsageError(`no key: set ${KEY_VARIABLE}, or give --key`)
  // The message of `fetch` about a header that it refuses would show the key.
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new UsageError('the key is not a personal API key')
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (!isUrl) throw new UsageError('--url is not an http or https URL')
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') throw new UsageError('--url may not hold a password')
  return createClient({ baseUrl: url, key: trimmed })
}

/**
 * Words a failure with the server's message and the field that it names.
 * @throws {AppError}
 */
export async function asking<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) {
      const field = error.attr === null ? '' : `${error.attr}: `
      const message = `cannot ${what}: ${field}${error.message} (${error.status})`
      throw new AppError(CODES[error.status] ?? 'failed_precondition', message)
    }
    if (error instanceof AppError || error instanceof UsageError) throw error
    throw new AppError('unavailable', `cannot ${what}: ${wordsOf(error)}`)
  }
}

const CODES: Readonly<Record<number, Code>> = {
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  429: 'resource_exhausted',
}

/** `fetch` puts the reason into the cause. A page of another server is not JSON. */
function wordsOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not one of this service'
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return code === undefined ? 'no answer' : `no answer (${code})`
}
