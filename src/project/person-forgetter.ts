import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { Outages, type OutageWords } from '../core/logging/outages.ts'
import type { PersonsChanged } from '../events/event-batch.ts'
import type { CacheGeneration } from './cache-generation.ts'

/** The shared decide caches, as a worker uses them. */
export type ForgetfulCache = {
  /** Rejects within its own deadline when it is unknown whether all of them were forgotten. */
  forgetPersons(
    project: PersonsChanged['projectId'],
    distinctIds: readonly string[],
  ): Promise<void> | void
}

export type PersonForgetter = {
  /**
   * Resolves when no gateway that knows this worker's generation serves an answer that the changes
   * made wrong: the answers are deleted, or the generation is another one. Never rejects.
   */
  onPersonsChanged(changes: readonly PersonsChanged[]): Promise<void>
}

const WORDS: OutageWords = {
  level: 'warn',
  away: 'changed persons were not deleted: all cached answers are void',
  back: 'changed persons are deleted from the decide cache again',
}

/**
 * @param deps.cache `undefined` when this worker has none. Gateways may have one all the same, so
 * every change raises the generation then.
 */
export function createPersonForgetter({
  cache,
  generation,
  clock,
  log,
}: {
  readonly cache: ForgetfulCache | undefined
  readonly generation: Pick<CacheGeneration, 'raise'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
}): PersonForgetter {
  // While the cache is away, every batch with a changed person leads here.
  const outages = new Outages({ clock, log }, WORDS)

  const forget = async (changes: readonly PersonsChanged[]) => {
    const ids = idsByProject(changes)
    if (ids.size === 0) return
    if (cache === undefined) {
      generation.raise()
      return
    }
    try {
      await Promise.all(
        [...ids].map(async ([project, each]) => cache.forgetPersons(project, [...each])),
      )
      outages.back()
    } catch (error) {
      generation.raise()
      outages.away({ error })
    }
  }
  return { onPersonsChanged: forget }
}

function idsByProject(
  changes: readonly PersonsChanged[],
): ReadonlyMap<PersonsChanged['projectId'], ReadonlySet<string>> {
  const ids = new Map<PersonsChanged['projectId'], Set<string>>()
  for (const { projectId, distinctIds } of changes) {
    if (distinctIds.length === 0) continue
    const known = ids.get(projectId)
    if (known === undefined) ids.set(projectId, new Set(distinctIds))
    else for (const id of distinctIds) known.add(id)
  }
  return ids
}
