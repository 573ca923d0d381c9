/**
 * The live stream of a project. One is open a tab, while the page that follows it is in sight:
 *
 *     closed -> opening -> open -> closed        hidden, or its page was left
 *                  ^---------`-> waiting -'      cut off; tried again with a growing pause
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type JsonObject, type ServerEvent, watchEvents } from '../../client/index.ts'
import { client } from './client.ts'
import { pause } from './timers.ts'

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
  readonly event?: string
  readonly distinct_id?: string
  readonly where?: readonly string[]
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

const RETRY_MS = 2_000
const RETRY_MS_MAX = 30_000

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
    // The question stands for the filter, which is another object each time.
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
  let failures = 0
  while (!signal.aborted) {
    setState('opening')
    let waitMs = RETRY_MS
    try {
      for await (const message of watchEvents(
        client,
        { project_id: project, ...filter },
        { signal },
      )) {
        if (signal.aborted) return
        if (message.event === 'open') {
          failures = 0
          setError(undefined)
          setState('open')
          listener().onGap?.()
        } else hear(message, listener())
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError) setError(error)
      // What was asked for is wrong or forbidden: asking again does not help.
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
        setState('closed')
        return
      }
      if (error instanceof ApiError) waitMs = (error.retryAfterS ?? 0) * 1_000 || RETRY_MS
    }
    if (signal.aborted) return
    setState('waiting')
    const grown = Math.min(RETRY_MS_MAX, Math.max(waitMs, RETRY_MS * 2 ** failures))
    failures += 1
    // Many tabs lose their server at one time.
    await pause(grown * (1 + Math.random() / 2), signal)
  }
}

function hear({ event, data }: ServerEvent, listener: LiveListener): void {
  // The interface says what its messages are.
  if (event === 'event') listener.onEvent?.(data as unknown as LiveEvent)
  else if (event === 'revision') listener.onRevision?.()
  else if (event === 'dropped') {
    listener.onDropped?.(typeof data['dropped'] === 'number' ? data['dropped'] : null)
  }
}
