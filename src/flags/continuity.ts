/**
 * Experience continuity: a person who becomes known keeps the bucket of the anonymous id. The hash
 * key that a person first had is stored for ever, by flag.
 */
import type { FlagSnapshot } from './compile.ts'
import type { FlagRequest } from './subject.ts'

/** The hash key of one person for one flag, as stored; unique by person and flag key. */
export type HashKeyOverride<Person> = {
  readonly person: Person
  readonly flagKey: string
  readonly hashKey: string
}

/**
 * The rows to store for a request that names an anonymous id: one for each owner and each flag with
 * continuity that has none yet. `owners` are the persons of the distinct id and of the anonymous
 * id, `undefined` where there is none: for an unknown person nothing is stored.
 */
export function continuityWrites<Person>(
  snapshot: FlagSnapshot,
  request: FlagRequest,
  owners: readonly (Person | undefined)[],
  existing: readonly HashKeyOverride<Person>[],
): HashKeyOverride<Person>[] {
  const hashKey = request.anonDistinctId
  if (hashKey === undefined || hashKey === '') return []
  const rows: HashKeyOverride<Person>[] = []
  for (const person of new Set(owners)) {
    if (person === undefined) continue
    const stored = new Set(
      existing.filter((row) => row.person === person).map((row) => row.flagKey),
    )
    for (const flagKey of snapshot.continuityKeys) {
      if (!stored.has(flagKey)) rows.push({ person, flagKey, hashKey })
    }
  }
  return rows
}

/**
 * Overrides for `evaluate`, by flag key. Overrides of the distinct id's person win over those of
 * the anonymous one: `owners` has them in that order. `rows` are the stored ones and those just
 * written.
 */
export function hashKeyOverrides<Person>(
  owners: readonly (Person | undefined)[],
  rows: readonly HashKeyOverride<Person>[],
): ReadonlyMap<string, string> {
  const overrides = new Map<string, string>()
  for (const person of owners) {
    if (person === undefined) continue
    for (const row of rows) {
      if (row.person !== person || overrides.has(row.flagKey)) continue
      overrides.set(row.flagKey, row.hashKey)
    }
  }
  return overrides
}
