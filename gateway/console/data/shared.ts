/** A value that parts of the console share. Components read it by `useShared`. */
export type Shared<Value> = {
  value: Value
  /** @returns a function that removes the listener. */
  subscribe(listener: (value: Value) => void): () => void
}

export function shared<Value>(first: Value): Shared<Value> {
  const listeners = new Set<(value: Value) => void>()
  let current = first
  return {
    get value() {
      return current
    },
    set value(next) {
      current = next
      for (const listener of listeners) listener(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
