/** Runs a computation in steps without turns; the product always takes turns. */
import type { Work } from '../../src/core/work/turns.ts'

export function workAtOnce<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
