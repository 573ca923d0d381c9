/** Patterns of stored conditions, compiled in turns before something reads them all at once. */
import { isObject } from '../../core/json.ts'
import type { Work } from '../../core/work/turns.ts'
import { textOf } from '../property-value.ts'
import { inspectPattern } from './regex.ts'

/** Cost of compiling a pattern beside its characters: short ones may have long repeats. */
export const PATTERN_WORK = 50

/**
 * Calls `learn` with each pattern of the conditions in a value, of flags or of cohorts.
 * @param learn caches its result, so that later callers get it at once.
 */
export function* learnPatterns(
  conditions: unknown,
  learn: (pattern: string) => unknown = inspectPattern,
): Work<void> {
  const waiting: unknown[] = [conditions]
  while (waiting.length > 0) {
    const value = waiting.pop()
    yield 1
    if (Array.isArray(value)) for (const item of value) waiting.push(item)
    if (!isObject(value)) continue
    const { operator } = value
    const pattern = operator === 'regex' || operator === 'not_regex' ? textOf(value['value']) : ''
    if (pattern !== undefined && pattern !== '') {
      learn(pattern)
      yield PATTERN_WORK + pattern.length
    }
    for (const name of Object.keys(value)) waiting.push(value[name])
  }
}
