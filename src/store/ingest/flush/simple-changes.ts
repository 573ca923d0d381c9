/**
 * The simple changes of a flush: persons that are made, and `$set`, `$set_once` and `$unset`, folded
 * for each distinct id. They go with the events in one statement; see ADR 85. Flushes that merge
 * persons or change groups are not simple.
 */
import type { ProjectId } from '../../../core/ids.ts'
import { type ChangeTexts, PropertyFold } from '../../../persons/property-fold.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

/** Combined change of all rows with one distinct id. */
export type SimpleChange = ChangeTexts & {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** The first row of the flush with the distinct id. */
  readonly position: number
  /** Rows of the flush with this distinct id: the fold is right when all of them are new. */
  readonly rows: number
  /** UUID of the new person if the distinct id has none; empty when it is known to have one. */
  readonly personUuid: string
  readonly createdAt: string
}

type Folding = {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly fold: PropertyFold
  readonly position: number
  rows: number
  createdAt: string | undefined
}

/**
 * Folds what the rows of each planned distinct id change.
 * @param newPersonUuid of a distinct id: empty when it is known to have a person.
 * @throws {PropertiesError} when properties cannot be read.
 */
export function foldChanges(
  { rows, planned }: PreparedFlush,
  newPersonUuid: (projectId: ProjectId, distinctId: string) => string,
): SimpleChange[] {
  const projects = new Map<ProjectId, Map<string, Folding>>()
  const all: Folding[] = []
  for (const [position, { projectId, event }] of rows.entries()) {
    const { distinctId, person } = event
    if (planned.get(projectId)?.has(distinctId) !== true) continue
    const foldings = projects.get(projectId) ?? new Map<string, Folding>()
    projects.set(projectId, foldings)
    let folding = foldings.get(distinctId)
    if (folding === undefined) {
      const fold = new PropertyFold()
      folding = { projectId, distinctId, fold, position, rows: 0, createdAt: undefined }
      foldings.set(distinctId, folding)
      all.push(folding)
    }
    folding.rows += 1
    if (!person.profile) continue
    folding.createdAt ??= storedTimestamp(event)
    folding.fold.add(person)
  }
  return all.map(({ projectId, distinctId, fold, position, rows: count, createdAt = '' }) => {
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
      position,
      rows: count,
      personUuid,
      createdAt,
    }
  })
}
