/**
 * The simple changes of a flush: `$set`, `$set_once` and `$unset`, folded for each distinct id. They
 * go with the events in one statement; see ADR 85. Flushes that merge persons or change groups are
 * not simple.
 */
import type { ProjectId } from '../../core/ids.ts'
import { type ChangeTexts, PropertyFold } from '../../persons/property-fold.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

/** What all rows of a distinct id change together. */
export type SimpleChange = ChangeTexts & {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** Rows of the flush with this distinct id: the fold is right when all of them are new. */
  readonly rows: number
  /** Of the person that is made where the distinct id has none; empty when it is known to have one. */
  readonly personUuid: string
  readonly createdAt: string
}

type Folding = {
  readonly projectId: ProjectId
  readonly fold: PropertyFold
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
  for (const { projectId, event } of rows) {
    const { distinctId, person } = event
    if (planned.get(projectId)?.has(distinctId) !== true) continue
    const foldings = projects.get(projectId) ?? new Map<string, Folding>()
    projects.set(projectId, foldings)
    let folding = foldings.get(distinctId)
    if (folding === undefined) {
      folding = { projectId, fold: new PropertyFold(), rows: 0, createdAt: undefined }
      foldings.set(distinctId, folding)
    }
    folding.rows += 1
    if (!person.profile) continue
    folding.createdAt ??= storedTimestamp(event)
    folding.fold.add(person)
  }
  return [...projects.values()].flatMap((foldings) =>
    [...foldings].map(([distinctId, { projectId, fold, rows, createdAt = '' }]) => ({
      ...fold.texts(),
      projectId,
      distinctId,
      rows,
      personUuid: newPersonUuid(projectId, distinctId),
      createdAt,
    })),
  )
}
