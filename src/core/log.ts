import { type DestinationStream, pino } from 'pino'

/**
 * Logs a constant message with fields. `error`: someone must act now. `warn`: it heals by itself.
 */
export type Log = {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  child(fields: Fields): Log
}
export type Fields = Readonly<Record<string, unknown>>
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Writes one JSON object a line to `destination`, by default standard output. */
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

/** Codes of unreachable stores and peers: the message is enough, the stack is the driver's. */
const AWAY = /^(?:unavailable|E[A-Z]{3,}|CONN[A-Z_]+)$/

/**
 * Serialises errors with name, message, code and stack only: Postgres errors also hold the
 * statement's parameters, which include properties and keys.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code: { code?: string } =
    'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) }
  const stack = AWAY.test(code.code ?? '') ? {} : { stack: error.stack }
  return { name: error.name, message: error.message, ...code, ...stack, ...cause }
}
