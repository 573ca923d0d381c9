/** Runs equal concurrent work of several callers once. */
import { AppError } from '../../../core/code.ts'

export type Flights<T> = {
  /**
   * Runs `work`, at most one at a time for each key, and answers its result. Calls that arrive
   * while one runs share the next run, because the current one may have read data from before
   * something that these callers know. A run that no caller waits for any more is aborted.
   * @throws {AppError} `cancelled` when `signal` aborts; errors of `work`.
   */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

type Flight<T> = {
  readonly abort: AbortController
  readonly outcome: Promise<T>
  waiting: number
}
/** Current run of a key, and the one that starts after it. */
type Lane<T> = { current: Flight<T>; next: Flight<T> | undefined }

export function createFlights<T>(): Flights<T> {
  const lanes = new Map<string, Lane<T>>()

  const begin = (start: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const abort = new AbortController()
    return { abort, outcome: start(abort.signal), waiting: 0 }
  }

  const ended = (key: string, flight: Flight<T>) => {
    const lane = lanes.get(key)
    if (lane?.current === flight && lane.next === undefined) lanes.delete(key)
  }

  const follow = (key: string, lane: Lane<T>, work: (signal: AbortSignal) => Promise<T>) => {
    const flight = begin(async (signal) => {
      await settled(lane.current)
      if (signal.aborted) {
        ended(key, lane.current)
        throw leftBy(signal)
      }
      lane.current = flight
      lane.next = undefined
      return await work(signal)
    })
    lane.next = flight
    return flight
  }

  const flightOf = (key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const lane = lanes.get(key)
    if (lane?.next !== undefined) return lane.next
    const flight = lane === undefined ? begin(work) : follow(key, lane, work)
    if (lane === undefined) lanes.set(key, { current: flight, next: undefined })
    void settled(flight).then(() => ended(key, flight))
    return flight
  }

  const leave = (key: string, flight: Flight<T>, reason: unknown) => {
    flight.waiting -= 1
    if (flight.waiting > 0) return
    const lane = lanes.get(key)
    if (lane?.next === flight) lane.next = undefined
    flight.abort.abort(reason)
  }

  return {
    async run(key, signal, work) {
      if (signal.aborted) throw leftBy(signal)
      const flight = flightOf(key, work)
      flight.waiting += 1
      let onAbort = () => {}
      const left = new Promise<never>((_, reject) => {
        onAbort = () => reject(leftBy(signal))
      })
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        return await Promise.race([flight.outcome, left])
      } finally {
        signal.removeEventListener('abort', onAbort)
        leave(key, flight, signal.reason)
      }
    },
  }
}

/** Resolves when the flight has ended, whichever way. */
async function settled({ outcome }: Flight<unknown>): Promise<void> {
  await Promise.allSettled([outcome])
}

function leftBy(signal: AbortSignal): AppError {
  if (signal.reason instanceof AppError) return signal.reason
  return new AppError('cancelled', 'the caller has gone', { cause: signal.reason })
}
