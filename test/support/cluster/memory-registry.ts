import type { Registry, RegistryEntry, RegistryEvent } from '../../../cluster/members/registry.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'

/** One store of keys in memory with as many clients as there are members in a simulation. */
export type MemoryRegistry = {
  /** A client of its own: watches and `close` are per client. */
  client(): Registry
  /** Forgets everything, revisions included, and tells nobody: a server whose files were lost. */
  wipe(): void
  /** Forgets a key and its marker without telling anybody, as the age limit does. */
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
  const { clock, ttlMs } = options
  const stored = new Map<string, Stored>()
  const watches = new Set<(event: RegistryEvent) => void>()
  let revision = 0

  const look = (key: string): Stored | undefined => {
    const found = stored.get(key)
    if (found === undefined || ttlMs === 0) return found
    if (clock.monotonic() - found.writtenAt < ttlMs) return found
    stored.delete(key)
    return undefined
  }

  const write = (key: string, value: string | undefined): number => {
    revision += 1
    // Last in the order of the map, as in a stream.
    stored.delete(key)
    stored.set(key, { value, revision, writtenAt: clock.monotonic() })
    const event: RegistryEvent =
      value === undefined
        ? { kind: 'removed', key, revision }
        : { kind: 'put', entry: { key, value, revision } }
    for (const tell of [...watches]) tell(event)
    return revision
  }

  const entryOf = (key: string): RegistryEntry | undefined => {
    const found = look(key)
    if (found?.value === undefined) return undefined
    return { key, value: found.value, revision: found.revision }
  }

  /** A marker has a revision too, and is as good as any for a condition. */
  const expectRevision = (key: string, expected: number) => {
    if (look(key)?.revision === expected) return
    throw new AppError('aborted', `key ${key} is not at revision ${expected}`)
  }

  const client = (): Registry => {
    const own = new Set<(event: RegistryEvent) => void>()
    return {
      async create(key, value) {
        if (entryOf(key) === undefined) return write(key, value)
        throw new AppError('already_exists', `key ${key} exists`)
      },
      async update(key, value, expected) {
        expectRevision(key, expected)
        return write(key, value)
      },
      async remove(key, expected) {
        expectRevision(key, expected)
        write(key, undefined)
      },
      get: async (key) => entryOf(key),
      async list() {
        const entries = [...stored.keys()].map(entryOf)
        return entries.filter((entry) => entry !== undefined)
      },
      async watch(listener) {
        const tell = (event: RegistryEvent) => listener(event)
        watches.add(tell)
        own.add(tell)
        return () => {
          watches.delete(tell)
          own.delete(tell)
        }
      },
      connected: () => true,
      async close() {
        for (const tell of own) watches.delete(tell)
        own.clear()
      },
    }
  }

  return {
    client,
    wipe() {
      stored.clear()
      revision = 0
    },
    drop: (key) => void stored.delete(key),
  }
}
