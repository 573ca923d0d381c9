/** Conditions that nothing can meet, of flags that were saved before such were refused. */
import { readCondition } from '../../conditions/read-condition.ts'
import { isObject, type JsonObject, listOf, objectOf, own } from '../../core/json.ts'
import { UTC } from '../../core/time/zone.ts'

const WARNINGS_MAX = 20
const OF_PROPERTIES: readonly unknown[] = [undefined, null, 'person', 'event', 'group']

/** A sentence for each such condition, at most 20 of them. Never throws. */
export function flagWarnings(filters: unknown): readonly string[] {
  const warnings: string[] = []
  for (const [name, set] of setsOf(objectOf(filters))) {
    for (const filter of listOf(own(objectOf(set), 'properties'))) {
      if (!isObject(filter) || !OF_PROPERTIES.includes(own(filter, 'type'))) continue
      const read = readCondition(own(filter, 'operator'), own(filter, 'value'), UTC)
      if (read.ok) continue
      const key = JSON.stringify(own(filter, 'key'))
      warnings.push(`${name} matches nobody: ${key} never holds. ${read.error}`)
      if (warnings.length === WARNINGS_MAX) return warnings
    }
  }
  return warnings
}

/** Condition sets and gates, with their names for users. */
function setsOf(filters: JsonObject): readonly (readonly [name: string, set: unknown])[] {
  const groups = own(filters, 'groups') ?? null
  // Older rows hold a single set, at their top level.
  const sets = groups === null ? [filters] : listOf(groups)
  const named = sets.map((set, place) => [`Condition set ${place + 1}`, set] as const)
  return [
    ...named,
    ['The early access group', listOf(own(filters, 'super_groups'))[0]],
    ['The holdout', listOf(own(filters, 'holdout_groups'))[0]],
  ]
}
