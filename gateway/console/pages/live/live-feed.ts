/** Events of the live page: those shown, and those held back while the user reads. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { listEvents } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { type LiveEvent, type LiveFilter, type LiveState, useLive } from '../../data/live.ts'
import { after } from '../../data/timers.ts'

const SHOWN_MAX = 500
/** Interval in milliseconds in which arriving events are drawn together. */
const DRAW_MS = 150
const LISTED = 100

export type Feed = {
  readonly shown: readonly LiveEvent[]
  /** Number of events that arrived since the list was paused. */
  readonly waiting: number
  readonly missed: number
  readonly state: LiveState
  readonly error: unknown
  /** Shows the waiting events. */
  readonly release: () => void
}

/** The newest first, each id once. */
function merged(
  news: readonly LiveEvent[],
  before: readonly LiveEvent[],
  max = SHOWN_MAX,
): readonly LiveEvent[] {
  const known = new Set<string>()
  const all = [...news, ...before].filter(({ id }) => !known.has(id) && known.add(id))
  return all.slice(0, max)
}

export function useFeed(project: number, filter: LiveFilter, isPaused: boolean): Feed {
  const [shown, setShown] = useState<readonly LiveEvent[]>([])
  const [waiting, setWaiting] = useState<readonly LiveEvent[]>([])
  const [missed, setMissed] = useState(0)
  const buffer = useRef<LiveEvent[]>([])
  const paused = useRef(isPaused)
  paused.current = isPaused
  const drawing = useRef<() => void>()
  const draw = () => {
    drawing.current = undefined
    const news = buffer.current.reverse()
    buffer.current = []
    if (paused.current) setWaiting((before) => merged(news, before))
    else setShown((before) => merged(news, before))
  }
  const add = (event: LiveEvent) => {
    buffer.current.push(event)
    drawing.current ??= after(DRAW_MS, draw)
  }
  const question = JSON.stringify([project, filter])
  const current = useRef(question)
  current.current = question
  useEffect(() => {
    setShown([])
    setWaiting([])
    setMissed(0)
    return () => drawing.current?.()
  }, [question])
  const { state, error } = useLive(project, filter, {
    onEvent: add,
    onDropped: (count) => setMissed((before) => before + (count ?? 1)),
    onGap: () => void fill(),
  })
  /** Loads events from before the stream began, or from a time when it was cut off. */
  const fill = async () => {
    const asked = question
    try {
      const found = await newest(project, filter)
      if (asked === current.current) setShown((before) => byTime(merged(before, found)))
    } catch {
      // The stream continues without them, and the next gap asks again.
    }
  }
  const release = () => {
    setShown((before) => merged(waiting, before))
    setWaiting([])
  }
  useEffect(() => {
    if (!isPaused && waiting.length > 0) release()
  }, [isPaused])
  return { shown, waiting: waiting.length, missed, state, error, release }
}

async function newest(project: number, filter: LiveFilter): Promise<readonly LiveEvent[]> {
  const input = { project_id: project, ...filter, limit: LISTED, shape: 'native' } as const
  const { results } = await listEvents(client, input)
  // The form of a list without a selection.
  return results as unknown as readonly LiveEvent[]
}

function byTime(events: readonly LiveEvent[]): readonly LiveEvent[] {
  return [...events].sort((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp))
}
