/**
 * The live stream of a project. One is open a tab, while the page that follows it is in sight:
 *
 *     closed -> opening -> open -> closed        hidden, or its page was left
 *                  ^---------`-> waiting -'      cut off; tried again as `retry.ts` says
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type JsonObject, type ServerEvent, watchEvents } from '../../client/index.ts'
import { client } from './client.ts'
import { failureOf } from './failure.ts'
import { createRetry } from './retry.ts'
import { tick } from './timers.ts'

export type LiveEvent = {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: JsonObject
  /** Only the first properties fitted. */
  readonly truncated?: boolean
}

export type LiveFilter = {
  readonly where?: readonly string[]
  /** JSON text of filters that have no expression. */
  readonly properties?: string
}

export type LiveListener = {
  readonly onEvent?: (event: LiveEvent) => void
  /** So many events are missing; null where nobody knows. */
  readonly onDropped?: (count: number | null) => void
  /** Flags or settings of the project have changed. */
  readonly onRevision?: () => void
  /** Events may have been missed: the list has what is newer than the newest that is known. */
  readonly onGap?: () => void
}

export type LiveState = 'opening' | 'open' | 'waiting' | 'closed'

/** A stream that was open for this long did not fail; one that a proxy cuts at once did. */
const STEADY_MS = 30_000

/**
 * Follows the stream while the component is there and the tab is in sight.
 * @param filter another one opens another stream.
 */
export function useLive(
  project: number,
  filter: LiveFilter,
  listener: LiveListener,
): { readonly state: LiveState; readonly error: unknown } {
  const [state, setState] = useState<LiveState>('opening')
  const [error, setError] = useState<unknown>()
  const latest = useRef(listener)
  latest.current = listener
  const question = JSON.stringify(filter)
  useEffect(() => {
    let leaving = new AbortController()
    const start = () => {
      leaving.abort()
      leaving = new AbortController()
      if (document.hidden) setState('closed')
      else void follow(project, filter, () => latest.current, leaving.signal, setState, setError)
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      leaving.abort()
    }
    // The question identifies the filter, which is another object each time.
  }, [project, question])
  return { state, error }
}

async function follow(
  project: number,
  filter: LiveFilter,
  listener: () => LiveListener,
  signal: AbortSignal,
  setState: (state: LiveState) => void,
  setError: (error: unknown) => void,
): Promise<void> {
  const retry = createRetry()
  while (!signal.aborted) {
    setState('opening')
    let failure: unknown
    let openedAt = Infinity
    try {
      const input = { project_id: project, ...filter }
      for await (const message of watchEvents(client, input, { signal })) {
        if (signal.aborted) return
        if (message.event === 'open') {
          openedAt = tick()
          setError(undefined)
          setState('open')
          listener().onGap?.()
        } else hear(message, listener())
      }
    } catch (error) {
      failure = error
    }
    if (signal.aborted) return
    if (tick() - openedAt >= STEADY_MS) retry.reset()
    const { kind, isPassing } = failureOf(failure)
    if (failure !== undefined && kind !== 'offline') setError(failure)
    const isTried = isPassing || kind === 'broken'
    setState(isTried ? 'waiting' : 'closed')
    if (!isTried) return
    await new Promise<void>((resolve) => {
      retry.plan(failure, resolve, true)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
  retry.cancel()
}

function hear({ event, data }: ServerEvent, listener: LiveListener): void {
  // The interface says what its messages are.
  if (event === 'event') listener.onEvent?.(data as unknown as LiveEvent)
  else if (event === 'revision') listener.onRevision?.()
  else if (event === 'dropped') {
    listener.onDropped?.(typeof data['dropped'] === 'number' ? data['dropped'] : null)
  }
}
