/**
 * The simple changes of a flush: persons that are made, and `$set`, `$set_once` and `$unset`, folded
 * for each distinct id. They go with the events in one statement; see ADR 128. Flushes that merge
 * persons or change groups are not simple.
 */
import type { ProjectId } from '../../../core/ids.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import { type ChangeTexts, PropertyFold } from '../../../persons/property-fold.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

/** Combined change of all rows with one distinct id. */
export type SimpleChange = ChangeTexts & {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** UUID of the new person if the distinct id has none; empty when it is known to have one. */
  readonly personUuid: string
  readonly createdAt: string
}

type Folding = {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly fold: PropertyFold
  createdAt: string | undefined
}

/**
 * Folds the changes of the rows of each of these distinct ids.
 * @param newPersonUuid of a distinct id: empty when it is known to have a person.
 * @throws {PropertiesError} when properties cannot be read.
 */
export function foldChanges(
  rows: readonly FlushRow[],
  distinctIds: PreparedFlush['planned'],
  newPersonUuid: (projectId: ProjectId, distinctId: string) => string,
): SimpleChange[] {
  const projects = new Map<ProjectId, Map<string, Folding>>()
  const all: Folding[] = []
  for (const { projectId, event } of rows) {
    const { distinctId, person } = event
    if (distinctIds.get(projectId)?.has(distinctId) !== true) continue
    const foldings = projects.get(projectId) ?? new Map<string, Folding>()
    projects.set(projectId, foldings)
    let folding = foldings.get(distinctId)
    if (folding === undefined) {
      const fold = new PropertyFold()
      folding = { projectId, distinctId, fold, createdAt: undefined }
      foldings.set(distinctId, folding)
      all.push(folding)
    }
    if (!person.profile) continue
    folding.createdAt ??= storedTimestamp(event)
    folding.fold.add(person)
  }
  return all.map(({ projectId, distinctId, fold, createdAt = '' }) => {
    const { setOnce, volatile, set, unset } = fold.texts()
    const personUuid = newPersonUuid(projectId, distinctId)
    // Member by member: objects made with a spread have each a hidden class of their own.
    return {
      projectId,
      distinctId,
      setOnce,
      volatile,
      set,
      unset,
      personUuid,
      createdAt,
    }
  })
}
