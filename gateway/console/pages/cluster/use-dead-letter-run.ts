/**
 * Replays or discards dead letters, a page at a time:
 *
 *     running -> done
 *        `-> stopped -> running        an answer was missing; it resumes where it was
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  type DeadLetterCause,
  type DeadLettersDone,
  discardDeadLetters,
  replayDeadLetters,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'

export type What = 'replay' | 'discard'

export type Run = {
  readonly what: What
  readonly cause: DeadLetterCause
  /** All pages so far; its cursor is where the next one begins. */
  readonly done: DeadLettersDone
  /** Number of dead letters at the start: later ones are not processed. */
  readonly goal: number
  readonly state: 'running' | 'done' | 'stopped'
  /** Why it stopped. */
  readonly detail: string
}

const PER_CALL = 500
const NOTHING: DeadLettersDone = { matched: 0, stored: 0, refused: 0, discarded: 0, cursor: 0 }
const CALLS = { replay: replayDeadLetters, discard: discardDeadLetters } as const

/** @param onDone called once nothing is left to do. */
export function useDeadLetterRun(onDone: () => void) {
  const [run, setRun] = useState<Run>()
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  const start = (what: What, cause: DeadLetterCause, before?: Run) => {
    const first: Run = {
      what,
      cause,
      done: before?.done ?? NOTHING,
      goal: before?.goal ?? cause.count,
      state: 'running',
      detail: '',
    }
    void follow(first, leaving.current.signal, setRun).then((isOver) => isOver && onDone())
  }
  return { run, start }
}

/** @returns whether it is over: not when it was stopped or its page was left. */
async function follow(first: Run, signal: AbortSignal, show: (run: Run) => void): Promise<boolean> {
  let run = first
  show(run)
  try {
    while (run.done.matched < run.goal) {
      const { what, cause, done, goal } = run
      const limit = Math.min(PER_CALL, goal - done.matched)
      const asked = { reason: cause.sqlstate, cursor: done.cursor, limit }
      const page = await CALLS[what](client, asked, { signal })
      run = { ...run, done: sum(done, page) }
      show(run)
      if (page.cursor === 0) break
    }
  } catch (error) {
    if (!signal.aborted) show({ ...run, state: 'stopped', detail: failureOf(error).detail })
    return false
  }
  show({ ...run, state: 'done' })
  return true
}

function sum(one: DeadLettersDone, other: DeadLettersDone): DeadLettersDone {
  return {
    matched: one.matched + other.matched,
    stored: one.stored + other.stored,
    refused: one.refused + other.refused,
    discarded: one.discarded + other.discarded,
    cursor: other.cursor,
  }
}
