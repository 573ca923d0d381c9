/** Cohorts with conditions that nothing can meet, saved before such were refused. */
import { readCondition } from '../../conditions/read-condition.ts'
import { own } from '../../core/json.ts'
import { UTC } from '../../core/time/zone.ts'
import { type Rule, readDefinition } from '../cohorts.ts'

/** Whether a part of the stored definition is such a condition, or cannot be read. Never throws. */
export function isWarnedCohort(filters: unknown): boolean {
  const waiting = [readDefinition(filters)]
  for (let rule = waiting.pop(); rule !== undefined; rule = waiting.pop()) {
    if (isNever(rule)) return true
    if (rule.kind === 'every' || rule.kind === 'some')
      for (const part of rule.rules) waiting.push(part)
  }
  return false
}

function isNever(rule: Rule): boolean {
  if (rule.kind !== 'person') return rule.kind === 'never'
  return !readCondition(own(rule.leaf, 'operator'), own(rule.leaf, 'value'), UTC).ok
}
