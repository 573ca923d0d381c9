import { keyDigest } from '../../access/keys.ts'
import { createAwayGuard } from '../../core/away-guard.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  REVISIONS_READ_MS,
  SERVICE_KEYS_MAX,
  SNAPSHOT_STALE_MAX_MS,
} from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'

/** A project as internal services name it, by its key. */
export type ServiceProject = { readonly id: ProjectId; readonly anonymizeIps: boolean }

export type ServiceKeys = {
  /**
   * Asks the database each time; while that is away, what it last said of the key holds, for as
   * long as snapshots do.
   * @returns undefined when there is no such key.
   * @throws {AppError} `unavailable`, or what `resolve` throws, when nothing is known of the key.
   */
  find(key: string): Promise<ServiceProject | undefined>
  /** A key was made, changed or removed. */
  forget(): void
}

type Known = { readonly project: ServiceProject; readonly readAt: number }

export function createServiceKeys({
  resolve,
  clock,
  log,
}: {
  /** @param digest SHA-256 of the key, in hex. */
  readonly resolve: (key: string, digest: string) => Promise<ServiceProject | undefined>
  readonly clock: Clock
  readonly log: Log
}): ServiceKeys {
  /** By digest, in the order of the last answers. */
  const known = new Map<string, Known>()
  const guard = createAwayGuard({ clock, log }, { ms: REVISIONS_READ_MS, what: 'keys of services' })
  // Raised by `forget`: what was read before it is used once and not kept.
  let generation = 0

  const keep = (digest: string, project: ServiceProject) => {
    known.delete(digest)
    const oldest = known.size < SERVICE_KEYS_MAX ? undefined : known.keys().next().value
    if (oldest !== undefined) known.delete(oldest)
    known.set(digest, { project, readAt: clock.monotonic() })
  }

  return {
    async find(key) {
      const digest = keyDigest(key).toString('hex')
      const asked = generation
      try {
        const project = await guard.ask(() => resolve(key, digest))
        if (project === undefined) known.delete(digest)
        else if (asked === generation) keep(digest, project)
        return project
      } catch (error) {
        const last = known.get(digest)
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
