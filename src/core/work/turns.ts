/** Long computations in short turns of the event loop, so that whatever else waits goes between. */
import { afterIo } from '../clock.ts'
import { WORK_OF_TURN } from '../limits/limits-flags.ts'

/**
 * A computation in steps: each says how much it was, in units of about a microsecond. A step is as
 * small as it can be, since it is never interrupted.
 */
export type Work<T> = Generator<number, T, void>

/** All of it in this turn. */
export function workAtOnce<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/**
 * Turns of about `WORK_OF_TURN` units. All such computations of the process together have one turn
 * at a time, in the order in which they ask for it: many of them delay others no more than one.
 */
export async function workInTurns<T>(work: Work<T>): Promise<T> {
  let done = 0
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    done += step.value
    if (done < WORK_OF_TURN) continue
    done = 0
    await ownTurn()
  }
}

/** Computations that wait for their next turn. The event loop is one for the process, so is this. */
const waiting: (() => void)[] = []

/**
 * A turn in which no other long computation has one: `othersTurn` would give all that wait the same
 * one. For a step that is large by itself, before it.
 */
export async function ownTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) afterIo(nextTurn)
  })
}

function nextTurn(): void {
  const first = waiting.shift()
  if (waiting.length > 0) afterIo(nextTurn)
  first?.()
}
