/** History of a page's questions, to undo and redo. */

export type Trail = {
  readonly past: readonly string[]
  readonly now: string
  readonly future: readonly string[]
}

const KEPT_MAX = 100

export function trailFrom(now: string): Trail {
  return { past: [], now, future: [] }
}

/**
 * Trail after the address has changed to `text`. Going back counts the same by the page's button
 * and by the browser's.
 */
export function followed(trail: Trail, text: string): Trail {
  const { past, now, future } = trail
  if (text === now) return trail
  if (past.length > 0 && text === past.at(-1)) {
    return { past: past.slice(0, -1), now: text, future: [now, ...future] }
  }
  if (future.length > 0 && text === future[0]) {
    return { past: [...past, now], now: text, future: future.slice(1) }
  }
  return { past: [...past, now].slice(-KEPT_MAX), now: text, future: [] }
}
