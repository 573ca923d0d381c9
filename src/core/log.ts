import { type DestinationStream, pino } from 'pino'

/** Constant message, then fields. `error` means someone must act now; what heals is `warn`. */
export type Log = {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  child(fields: Fields): Log
}
export type Fields = Readonly<Record<string, unknown>>
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** One JSON object a line on `destination` (standard output unless told). */
export function createLog(
  options: { level?: LogLevel; name?: string },
  destination?: DestinationStream,
): Log {
  const settings = {
    level: options.level ?? 'info',
    base: options.name === undefined ? {} : { name: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: serializeError },
    messageKey: 'message',
  }
  return wrap(destination === undefined ? pino(settings) : pino(settings, destination))
}

export const silentLog: Log = createLog({ level: 'silent' })

function wrap(logger: ReturnType<typeof pino>): Log {
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    child: (fields) => wrap(logger.child(fields)),
  }
}

/**
 * Postgres errors carry the statement's parameters, which hold properties and keys: only name,
 * message, code and stack are written.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) }
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
