/**
 * Data of a page, with the states of its request:
 *
 *     nothing yet -> data -> data that is stale, with another request under way -> data
 *          `-> failed, with the data that were there before, if any
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isAbort } from './failure.ts'
import { createRetry } from './retry.ts'
import { now } from './timers.ts'

/** The type of a method, which is bivariant: readers of a resource accept any data of its kind. */
type Change<Data> = { from(before: Data): Data }['from']

export type Resource<Data> = {
  readonly data: Data | undefined
  /** Error of the last try; undefined while one runs and after a success. */
  readonly error: unknown
  /** Time of the automatic retry, on the clock of `tick`. */
  readonly retryAt: number | undefined
  readonly isLoading: boolean
  /** The data answer an earlier question, or the newest try has not ended well. */
  readonly isStale: boolean
  /** The data answer an earlier question. */
  readonly isEarlier: boolean
  /** Arrival of the data, in milliseconds since the epoch. */
  readonly at: number | undefined
  readonly reload: () => void
  /**
   * Puts data in place that the page knows better, such as the answer to a change; or makes them of
   * those that are there by then, which may be newer than those that the change began with.
   */
  set(data: Data | Change<Data>): void
}

type State = {
  data?: unknown
  question?: string
  at?: number
  error?: unknown
  retryAt?: number | undefined
  isLoading: boolean
}

const KEPT_MAX = 40
/** Answers by their questions, so that the back button finds them. */
const known = new Map<string, { readonly data: unknown; readonly at: number }>()

function remember(question: string, data: unknown): number {
  const at = now()
  known.delete(question)
  known.set(question, { data, at })
  const [oldest] = known.keys()
  if (known.size > KEPT_MAX && oldest !== undefined) known.delete(oldest)
  return at
}

/** Forgets all data: another user, or another instance, must not see them. */
export function forgetResources(): void {
  known.clear()
}

/**
 * Asks whenever `question` changes, and gives up the question before.
 * @param question says what is asked, and for whom: two pages with one question share the answer.
 *   Undefined asks nothing.
 */
export function useResource<Data>(
  question: string | undefined,
  load: (signal: AbortSignal) => Promise<Data>,
): Resource<Data> {
  const [state, setState] = useState<State>(() => startOf(question))
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const retry = useMemo(() => createRetry(), [question])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  // A new round asks again.
  useEffect(() => {
    if (question === undefined) return
    const leaving = new AbortController()
    setState((before) => ({ ...withKnown(before, question), error: undefined, isLoading: true }))
    latest.current(leaving.signal).then(
      (data) => {
        const at = remember(question, data)
        if (leaving.signal.aborted) return
        retry.reset()
        setState({ data, question, at, isLoading: false })
      },
      (error: unknown) => {
        if (leaving.signal.aborted || isAbort(error)) return
        const retryAt = retry.plan(error, reload)
        setState((before) => ({ ...before, error, retryAt, isLoading: false }))
      },
    )
    return () => {
      leaving.abort()
      retry.cancel()
    }
  }, [question, round])
  const set = useCallback(
    (next: Data | Change<Data>) => {
      if (question === undefined) return
      setState((before) => {
        if (typeof next === 'function' && before.data === undefined) return before
        // Data are never functions, and only `load` and `set` of this type store data here.
        const data = typeof next === 'function' ? (next as Change<Data>)(before.data as Data) : next
        return { data, question, at: remember(question, data), isLoading: false }
      })
    },
    [question],
  )
  return {
    // Only `load` and `set` of this question's type put data there.
    data: state.data as Data | undefined,
    error: state.error,
    retryAt: state.retryAt,
    isLoading: state.isLoading,
    isStale: state.isLoading || state.error !== undefined || state.question !== question,
    isEarlier: state.question !== question,
    at: state.at,
    reload,
    set,
  }
}

function startOf(question: string | undefined): State {
  return { ...withKnown({ isLoading: false }, question), isLoading: question !== undefined }
}

function withKnown(before: State, question: string | undefined): State {
  const found = question === undefined ? undefined : known.get(question)
  if (question === undefined || found === undefined) return before
  return { ...before, data: found.data, at: found.at, question }
}
