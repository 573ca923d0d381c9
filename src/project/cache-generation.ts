/**
 * Names a time during which every change of a person was deleted from the shared decide cache
 * before it was acknowledged. When that is in doubt, the worker begins another generation, and
 * answers kept under the old one are not used again. Gateways get it with changes and with every
 * answer of IngestBatch, so that the gateway that acknowledges a change never serves an older
 * answer.
 */
export type CacheGeneration = {
  current(): string
  /** Begins another generation: a deletion failed, or its outcome is unknown. */
  raise(): void
  subscribe(listener: () => void): () => void
}

export function createCacheGeneration(memberId: string): CacheGeneration {
  let count = 0
  const listeners = new Set<() => void>()
  return {
    current: () => `${memberId}.${count}`,
    raise() {
      count++
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
