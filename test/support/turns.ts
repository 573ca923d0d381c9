/** Turns of the event loop that others have while something works. */

/** Counts turns; `end` stops counting. */
export function countTurns(): { count(): number; end(): void } {
  let turns = 0
  let isOver = false
  const next = () => {
    turns += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return {
    count: () => turns,
    end() {
      isOver = true
    },
  }
}
