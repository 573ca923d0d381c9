/** The registry of members in memory. */
import type { Registry, RegistryEntry, RegistryEvent } from '../../../cluster/members/registry.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'

/** One store of keys in memory with as many clients as there are members in a simulation. */
export type MemoryRegistry = {
  /** A client of its own: watches and `close` are per client. */
  client(): Registry
  /** Forgets everything, revisions too, without notifications: a server whose files were lost. */
  wipe(): void
  /** Forgets a key and its marker without notifications, as the age limit does. */
  drop(key: string): void
}

type Stored = { readonly value: string | undefined; readonly revision: number; writtenAt: number }

/**
 * Behaves as the registry in NATS does: a removed key leaves a marker that has a revision; keys and
 * markers not written for `ttlMs` (0: never) vanish without a word; listeners are told before the
 * change is answered. Answers come at once.
 */
export function createMemoryRegistry(options: {
  readonly clock: Clock
  readonly ttlMs: number
}): MemoryRegistry {
  const keys = new MemoryKeys(options.clock, options.ttlMs)
  return {
    client: () => createClient(keys),
    wipe: () => keys.wipe(),
    drop: (key) => keys.drop(key),
  }
}

class MemoryKeys {
  readonly watches = new Set<(event: RegistryEvent) => void>()
  readonly #stored = new Map<string, Stored>()
  readonly #clock: Clock
  readonly #ttlMs: number
  #revision = 0

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock
    this.#ttlMs = ttlMs
  }

  /** Writes a value, or the marker of a removed key, and notifies watchers. */
  write(key: string, value: string | undefined): number {
    this.#revision += 1
    const revision = this.#revision
    // Last in the order of the map, as in a stream.
    this.#stored.delete(key)
    this.#stored.set(key, { value, revision, writtenAt: this.#clock.monotonic() })
    const event: RegistryEvent =
      value === undefined
        ? { kind: 'removed', key, revision }
        : { kind: 'put', entry: { key, value, revision } }
    for (const tell of [...this.watches]) tell(event)
    return revision
  }

  entryOf(key: string): RegistryEntry | undefined {
    const found = this.#look(key)
    if (found?.value === undefined) return undefined
    return { key, value: found.value, revision: found.revision }
  }

  entries(): RegistryEntry[] {
    const entries = [...this.#stored.keys()].map((key) => this.entryOf(key))
    return entries.filter((entry) => entry !== undefined)
  }

  /** Checks a key's revision. A marker has a revision too, which counts like any other. */
  expectRevision(key: string, expected: number): void {
    if (this.#look(key)?.revision === expected) return
    throw new AppError('aborted', `key ${key} is not at revision ${expected}`)
  }

  wipe(): void {
    this.#stored.clear()
    this.#revision = 0
  }

  drop(key: string): void {
    this.#stored.delete(key)
  }

  #look(key: string): Stored | undefined {
    const found = this.#stored.get(key)
    if (found === undefined || this.#ttlMs === 0) return found
    if (this.#clock.monotonic() - found.writtenAt < this.#ttlMs) return found
    this.#stored.delete(key)
    return undefined
  }
}

function createClient(keys: MemoryKeys): Registry {
  const own = new Set<(event: RegistryEvent) => void>()
  return {
    async create(key, value) {
      if (keys.entryOf(key) === undefined) return keys.write(key, value)
      throw new AppError('already_exists', `key ${key} exists`)
    },
    async update(key, value, expected) {
      keys.expectRevision(key, expected)
      return keys.write(key, value)
    },
    async remove(key, expected) {
      keys.expectRevision(key, expected)
      keys.write(key, undefined)
    },
    get: async (key) => keys.entryOf(key),
    list: async () => keys.entries(),
    async watch(listener) {
      const tell = (event: RegistryEvent) => listener(event)
      keys.watches.add(tell)
      own.add(tell)
      return () => {
        keys.watches.delete(tell)
        own.delete(tell)
      }
    },
    connected: () => true,
    async close() {
      for (const tell of own) keys.watches.delete(tell)
      own.clear()
    },
  }
}
