/**
 * Names a time during which every change of a person was deleted from the shared decide cache
 * before it was acknowledged. Once that is in doubt the worker begins another, and answers kept
 * under the old one are not used again. Gateways hear of it with the news, and with every answer of
 * IngestBatch, so that the one that acknowledges a change never serves an answer older than it.
 */
export type CacheGeneration = {
  current(): string
  /** Something could not be deleted, or nobody knows whether there was something to delete. */
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
