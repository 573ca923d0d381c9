/** A registry client that loses calls, answers or notifications. */
import type { Registry, RegistryEvent } from '../../../cluster/members/registry.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { REGISTRY_OP_MS } from '../../../src/core/limits/limits.ts'

/** Fate of the calls of one client of a registry. */
export type RegistryFault =
  | 'none'
  /** The connection is known to be lost. */
  | 'away'
  /** Nothing arrives, and no error is reported. */
  | 'cut'
  /** Calls take effect, and their answers are lost. */
  | 'answers lost'
  /** Calls are answered; notifications are lost. */
  | 'watch lost'

export type FaultyRegistry = Registry & {
  fault: RegistryFault
  /** Changes that it made, or tried to make. */
  readonly writes: string[]
}

export function createFaultyRegistry(inner: Registry, clock: Clock): FaultyRegistry {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    const { fault } = faulty
    if (fault === 'away') throw unavailable()
    if (fault === 'cut' || fault === 'answers lost') {
      if (fault === 'answers lost') await run().catch(() => undefined)
      await clock.sleep(REGISTRY_OP_MS)
      throw unavailable()
    }
    return await run()
  }
  const write = <T>(what: string, run: () => Promise<T>): Promise<T> => {
    faulty.writes.push(what)
    return call(run)
  }
  const faulty: FaultyRegistry = {
    fault: 'none',
    writes: [],
    create: (key, value) => write(`create ${key}`, () => inner.create(key, value)),
    update: (key, value, revision) =>
      write(`update ${key}`, () => inner.update(key, value, revision)),
    remove: (key, revision) => write(`remove ${key}`, () => inner.remove(key, revision)),
    get: (key) => call(() => inner.get(key)),
    list: () => call(() => inner.list()),
    watch: (listener) =>
      inner.watch((event: RegistryEvent) => {
        if (faulty.fault === 'none' || faulty.fault === 'answers lost') listener(event)
      }),
    connected: () => faulty.fault !== 'away',
    close: () => inner.close(),
  }
  return faulty
}

function unavailable(): AppError {
  return new AppError('unavailable', 'the registry does not answer')
}
