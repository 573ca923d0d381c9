/** Waits for conditions that only a reported change can make true. */
export type Conditions = {
  /** Resolves once `isTrue` answers true: tried now, and after each change. */
  until(isTrue: () => boolean): Promise<void>
  /** Reports a change: every condition is tried again. */
  changed(): void
}

export function createConditions(): Conditions {
  const waiting = new Set<() => void>()

  return {
    until: (isTrue) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isTrue()) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    changed() {
      for (const check of [...waiting]) check()
    },
  }
}
