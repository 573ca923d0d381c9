/** Keeps the volumes of event definitions current for projects that are being looked at. */
import { createBoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Sql } from '../postgres/connect.ts'
import { failureCode } from '../postgres/failures.ts'
import { QUERY_CANCELED } from '../postgres/sqlstate.ts'
import { refreshVolumesOf } from '../store/definitions/definitions-sql.ts'

/** Interval of adding up the event volumes of a project that is being looked at. */
const VOLUMES_EVERY_MS = 1_000
/** The time for one such sum. */
const VOLUMES_MS_MAX = 1_000
/** Projects of which a worker remembers when their volumes were summed up. */
const LOOKED_PROJECTS_MAX = 10_000

/** Resolves when the stored volumes of the project are at most a second or so old. */
export type LookAtVolumes = (project: ProjectId) => Promise<void>

/** Slow sums of a project are repeated less often: they take a tenth of its time. */
const REST_FACTOR = 10

type Look = { running: Promise<void> | undefined; nextAt: number }

/**
 * A look sums up the counters of its project, unless that was done within `VOLUMES_EVERY_MS`; looks
 * at the same time share one. A sum of more than `VOLUMES_MS_MAX` is given up: such a project has
 * the volumes that the worker's loop finds.
 */
export function createLookedVolumes({
  sql,
  clock,
  flushAsked,
}: {
  readonly sql: Sql
  readonly clock: Pick<Clock, 'monotonic'>
  /** Writes the counts of lists, from which `query_usage_30_day` is made. */
  readonly flushAsked: () => Promise<void>
}): LookAtVolumes {
  const looks = createBoundedMap<ProjectId, Look>({ entriesMax: LOOKED_PROJECTS_MAX })

  const sumUp = async (project: ProjectId, look: Look) => {
    const startedAt = clock.monotonic()
    try {
      await flushAsked()
      await refreshVolumesOf(sql, project, VOLUMES_MS_MAX)
    } catch (error) {
      if (failureCode(error) !== QUERY_CANCELED) throw error
    } finally {
      const tookMs = clock.monotonic() - startedAt
      look.nextAt = startedAt + Math.max(VOLUMES_EVERY_MS, REST_FACTOR * tookMs)
      look.running = undefined
    }
  }

  return async (project) => {
    const look = looks.get(project) ?? { running: undefined, nextAt: Number.NEGATIVE_INFINITY }
    looks.set(project, look)
    if (look.running === undefined && clock.monotonic() < look.nextAt) return
    look.running ??= sumUp(project, look)
    await look.running
  }
}
