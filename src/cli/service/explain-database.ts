/** Words the failures of the database for operators. */
import { AppError } from '../../core/code.ts'
import type { Connection } from '../../postgres/connect.ts'
import { parseConnectionUrl } from '../../postgres/connection-url.ts'
import { failureCode, toUnavailable } from '../../postgres/failures.ts'

/** SQLSTATEs by which a server refuses the URL itself: its role, password or database. */
const REFUSED = /^(?:28...|3D000|42501)$/

const WORDS: Readonly<Partial<Record<string, string>>> = {
  CONNECT_TIMEOUT: 'no answer in time',
  ETIMEDOUT: 'no answer in time',
}

/**
 * A failure to reach or use the database as one sentence for the operator. Other errors are
 * returned unchanged. The sentence never has the password.
 */
export function explainDatabase(error: unknown, target: Connection | string): unknown {
  const unreadable = typeof target === 'string' ? problemOf(target) : undefined
  if (unreadable !== undefined) {
    return new AppError('failed_precondition', `DATABASE_URL cannot be used: ${unreadable}`)
  }
  const code = failureCode(error)
  if (error instanceof AppError || !(error instanceof Error) || code === undefined) return error
  if (toUnavailable(error) === undefined && !REFUSED.test(code)) return error
  const reason = WORDS[code] ?? error.message
  const message = `cannot use the database at ${nameOf(target)} (DATABASE_URL): ${reason}`
  return new AppError('failed_precondition', message, { cause: error })
}

function problemOf(url: string): string | undefined {
  try {
    parseConnectionUrl(url)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function nameOf(target: Connection | string): string {
  if (typeof target !== 'string') return `${target.host}/${target.database}`
  const { endpoints, database } = parseConnectionUrl(target)
  const places = endpoints.map((each) =>
    each.kind === 'unix' ? each.path : `${each.host}:${each.port}`,
  )
  return `${places.join(',')}/${database}`
}
