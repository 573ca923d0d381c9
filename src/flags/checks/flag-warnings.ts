/** Conditions that nothing can meet, of flags that were saved before such were refused. */
import { readCondition } from '../../conditions/read-condition.ts'
import { isObject, listOf, objectOf, own } from '../../core/json.ts'
import { UTC } from '../../core/time/zone.ts'

const WARNINGS_MAX = 20
const OF_PROPERTIES: readonly unknown[] = [undefined, null, 'person', 'event', 'group']

/** A sentence for each such condition, at most 20 of them. Never throws. */
export function flagWarnings(filters: unknown): readonly string[] {
  const warnings: string[] = []
  for (const [place, set] of listOf(own(objectOf(filters), 'groups')).entries()) {
    for (const filter of listOf(own(objectOf(set), 'properties'))) {
      if (!isObject(filter) || !OF_PROPERTIES.includes(own(filter, 'type'))) continue
      const read = readCondition(own(filter, 'operator'), own(filter, 'value'), UTC)
      if (read.ok) continue
      const key = JSON.stringify(own(filter, 'key'))
      warnings.push(`Condition set ${place + 1} matches nobody: ${key} never holds. ${read.error}`)
      if (warnings.length === WARNINGS_MAX) return warnings
    }
  }
  return warnings
}
