/**
 * Port to a small store of keys that all members share: each key has a revision, and changes are
 * conditional on it. Implementations: NATS JetStream KV (`nats/kv-registry.ts`) and memory
 * (`test/support/cluster/memory-registry.ts`); one contract suite runs on both.
 */
export type Registry = {
  /**
   * Adds a key that must not exist.
   * @returns its revision.
   * @throws {AppError} `already_exists`; `unavailable` when the outcome is unknown.
   */
  create(key: string, value: string): Promise<number>
  /**
   * Replaces the value of a key that still has `revision`.
   * @throws {AppError} `aborted` when it has another one or is gone; `unavailable` when the outcome
   * is unknown.
   */
  update(key: string, value: string, revision: number): Promise<number>
  /**
   * Removes a key that still has `revision`. Every watcher is called.
   * @throws {AppError} as `update`.
   */
  remove(key: string, revision: number): Promise<void>
  /** Reads one key. @throws {AppError} `unavailable`. */
  get(key: string): Promise<RegistryEntry | undefined>
  /** Reads every key. @throws {AppError} `unavailable`. */
  list(): Promise<readonly RegistryEntry[]>
  /**
   * Calls `listener` with every change from now on: at least once, in order for each key. A hint
   * only: the expiry of a key is not reported, so readers `list` as well. @returns a function that
   * ends it.
   */
  watch(listener: (event: RegistryEvent) => void): Promise<() => void>
  /** False while the store is known not to answer. */
  connected(): boolean
  close(): Promise<void>
}

export type RegistryEntry = {
  readonly key: string
  readonly value: string
  readonly revision: number
}

export type RegistryEvent =
  | { readonly kind: 'put'; readonly entry: RegistryEntry }
  | { readonly kind: 'removed'; readonly key: string; readonly revision: number }
