/** Whether a session passes filters by its properties. */
import { compileValue } from '../../../conditions/decide.ts'
import type { Session } from '../../../events/sessions/fold-sessions.ts'
import {
  type MemberName,
  type SessionFilter,
  type SessionPropertyName,
  type SessionTexts,
  sessionProperty,
} from './session-properties.ts'

/** Members of first events, and pages, that properties are read from. */
export function neededBy(names: readonly SessionPropertyName[]): {
  readonly members: readonly MemberName[]
  readonly hasPages: boolean
} {
  const properties = names.map(sessionProperty)
  return {
    members: properties.flatMap(({ members }) => members),
    hasPages: properties.some(({ hasPages = false }) => hasPages),
  }
}

/** Whether a session passes all filters. */
export function compileFilters(
  filters: readonly SessionFilter[],
  texts: SessionTexts,
  nowMs: number,
): (session: Session) => boolean {
  const tests = filters.map(({ property, condition }) => {
    const read = sessionProperty(property)
    const test = compileValue(condition.value)
    return (session: Session) => {
      const value = read.valueOf(session, texts)
      // The work of patterns is bounded by the length of the texts, and by the time of the question.
      const meter = { now: nowMs, regexWork: 0, timeDependent: false }
      return value === undefined ? condition.whenMissing : test(value, meter)
    }
  })
  if (tests.length === 0) return () => true
  return (session) => tests.every((passes) => passes(session))
}
