import type { Log } from '../core/log.ts'
import type { PersonsChanged } from '../events/event-batch.ts'
import type { CacheGeneration } from './cache-generation.ts'

/** The shared decide caches, as a worker uses them. */
export type ForgetfulCache = {
  /** Rejects within its own deadline when nobody knows whether all of them were forgotten. */
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

/**
 * @param deps.cache `undefined` when this worker has none. Gateways may have one all the same, so
 * every change raises the generation then.
 */
export function createPersonForgetter({
  cache,
  generation,
  log,
}: {
  readonly cache: ForgetfulCache | undefined
  readonly generation: Pick<CacheGeneration, 'raise'>
  readonly log: Log
}): PersonForgetter {
  // Logged once: while the cache is away, every batch with a changed person comes here.
  let failing = false

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
      if (failing) log.info('changed persons are deleted from the decide cache again')
      failing = false
    } catch (error) {
      generation.raise()
      if (!failing)
        log.warn('changed persons were not deleted: all cached answers are void', { error })
      failing = true
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
