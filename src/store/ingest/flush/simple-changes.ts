/**
 * The simple changes of a flush: `$set`, `$set_once` and `$unset`, folded for each distinct id. They
 * go with the events in one statement; see ADR 85. Flushes that merge persons or change groups are
 * not simple.
 */
import type { ProjectId } from '../../../core/ids.ts'
import { type ChangeTexts, PropertyFold } from '../../../persons/property-fold.ts'
import { type PreparedFlush, storedTimestamp } from './prepare-flush.ts'

/** What all rows of a distinct id change together. */
export type SimpleChange = ChangeTexts & {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** Of the first row of the flush that changes something of the distinct id. */
  readonly position: number
  /** The properties of that row hold the change as it is. */
  readonly isStored: boolean
  /** Rows of the flush with this distinct id: the fold is right when all of them are new. */
  readonly rows: number
  /** Of the person that is made where the distinct id has none; empty when it is known to have one. */
  readonly personUuid: string
  readonly createdAt: string
}

type Folding = {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly fold: PropertyFold
  position: number
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
    if (folding.fold.isEmpty) folding.position = position
    folding.fold.add(person)
  }
  return all.map(({ projectId, distinctId, fold, position, rows: count, createdAt = '' }) => {
    const { setOnce, set, unset } = fold.texts()
    const properties = rows[position]?.event.properties ?? ''
    // Member by member: objects made with a spread have each a hidden class of their own.
    return {
      projectId,
      distinctId,
      setOnce,
      set,
      unset,
      position,
      isStored: endsWithChange(properties, set, setOnce),
      rows: count,
      personUuid: newPersonUuid(projectId, distinctId),
      createdAt,
    }
  })
}

const SET = ',"$set":'
const SET_ONCE = ',"$set_once":'

/**
 * True when JSON text of an object ends with these members, as the gateway writes them: then they
 * are what it holds by these names, since the last member of a name counts.
 */
function endsWithChange(properties: string, set: string, setOnce: string): boolean {
  let at = properties.length - 1
  for (const [name, text] of [
    [SET_ONCE, setOnce],
    [SET, set],
  ] as const) {
    if (text === '') continue
    at -= text.length
    if (!properties.startsWith(text, at)) return false
    at -= name.length
    if (!properties.startsWith(name, at)) return false
  }
  return at > 0
}
