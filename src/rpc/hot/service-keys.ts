/** Projects of the keys of internal services, remembered for when the database is away. */

import { keyDigest } from '../../access/keys.ts'
import { createBoundedMap } from '../../core/bounded-map.ts'
import type { Clock } from '../../core/clock.ts'
import type { DatabaseHealth } from '../../core/database-health.ts'
import type { ProjectId } from '../../core/ids.ts'
import { REVISIONS_READ_MS, SNAPSHOT_STALE_MAX_MS } from '../../core/limits/limits.ts'

/** Keys of internal services remembered by one worker, for when the database is away. */
export const SERVICE_KEYS_MAX = 10_000

/** A project as internal services name it, by its key. */
export type ServiceProject = { readonly id: ProjectId; readonly anonymizeIps: boolean }

export type ServiceKeys = {
  /**
   * Reads the key from the database each time; while that is away, its last answer holds, for as
   * long as snapshots do.
   * @returns undefined when there is no such key.
   * @throws {AppError} `unavailable`, or errors of `resolve`, when nothing is known of the key.
   */
  find(key: string): Promise<ServiceProject | undefined>
  /** A key was made, changed or removed. */
  forget(): void
}

type Known = { readonly project: ServiceProject; readonly readAt: number }

export function createServiceKeys({
  resolve,
  health,
  clock,
}: {
  /** @param digest SHA-256 of the key, in hex. */
  readonly resolve: (key: string, digest: string) => Promise<ServiceProject | undefined>
  readonly health: DatabaseHealth
  readonly clock: Clock
}): ServiceKeys {
  /** By digest, in the order of the last answers. */
  const known = createBoundedMap<string, Known>({ entriesMax: SERVICE_KEYS_MAX })
  const keys = health.reads('keys of services', REVISIONS_READ_MS)
  // Raised by `forget`: a read that began before it is used once and not cached.
  let generation = 0

  return {
    async find(key) {
      const digest = keyDigest(key).toString('hex')
      const asked = generation
      try {
        const project = await keys.ask(() => resolve(key, digest))
        if (project === undefined) known.delete(digest)
        else if (asked === generation) known.set(digest, { project, readAt: clock.monotonic() })
        return project
      } catch (error) {
        const last = known.peek(digest)
        if (last === undefined || clock.monotonic() - last.readAt > SNAPSHOT_STALE_MAX_MS) {
          throw error
        }
        return last.project
      }
    },
    forget() {
      generation++
      known.clear()
    },
  }
}
