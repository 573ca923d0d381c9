/** Long computations in short turns of the event loop, so that other work runs in between. */
import { afterIo } from '../clock.ts'

/** Units of a long computation in one turn of the event loop, as its steps count them: some ms. */
export const WORK_OF_TURN = 1_000

/**
 * A computation in steps: each yields its cost, in units of about a microsecond. Steps should be
 * small, since a step is never interrupted.
 */
export type Work<T> = Generator<number, T, void>

/**
 * Runs it in turns of about `WORK_OF_TURN` units. All such computations of the process together
 * have one turn at a time, first come, first served: many of them delay others no more than one.
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
 * Waits for a turn in which no other long computation runs: `yieldToEventLoop` would resolve for all
 * waiting ones in the same turn. Use it before a step that is large by itself.
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
