/** Turns of the event loop that others have while something works. */

/** `count` is how many there were by now; `end` when it is over. */
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
