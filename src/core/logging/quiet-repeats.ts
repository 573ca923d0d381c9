/** Logs a failure once, not with each call: while a store is away every call fails. */
import type { Clock } from '../clock.ts'
import type { Fields, Log } from '../log.ts'

/** Interval of logging the same failure again, with its number of repeats. */
const QUIET_MS = 60_000
/** Failures remembered; at the bound all are forgotten, so that each is logged once more. */
const FAILURES_MAX = 256

type Told = { readonly at: number; repeats: number }

/** Lines without an `error` pass. Failures are the same by level, message and the error's text. */
export function quietRepeats(log: Log, clock: Pick<Clock, 'monotonic'>): Log {
  return wrap(log, clock, new Map())
}

function wrap(log: Log, clock: Pick<Clock, 'monotonic'>, told: Map<string, Told>): Log {
  /** The fields to log, or undefined when the failure was logged a moment ago. */
  const judge = (level: string, message: string, fields: Fields = {}): Fields | undefined => {
    const error = fields['error']
    if (error === undefined) return fields
    const text = error instanceof Error ? error.message : String(error)
    const key = `${level} ${message} ${text}`
    const now = clock.monotonic()
    const before = told.get(key)
    if (before !== undefined && now - before.at < QUIET_MS) {
      before.repeats++
      return undefined
    }
    if (told.size >= FAILURES_MAX) told.clear()
    told.set(key, { at: now, repeats: 0 })
    return before === undefined || before.repeats === 0
      ? fields
      : { ...fields, repeats: before.repeats }
  }
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => log.info(message, fields),
    warn: (message, fields) => {
      const judged = judge('warn', message, fields)
      if (judged !== undefined) log.warn(message, judged)
    },
    error: (message, fields) => {
      const judged = judge('error', message, fields)
      if (judged !== undefined) log.error(message, judged)
    },
    child: (fields) => wrap(log.child(fields), clock, told),
  }
}
