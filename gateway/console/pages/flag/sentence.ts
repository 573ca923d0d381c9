/** Conditions in plain sentences. */

import { labelOf } from '../../../../src/core/charts/label.ts'
import type { Json } from '../../../client/index.ts'
import type { JsonRecord } from '../../data/json.ts'
import { propertiesOf, rolloutOf, setsOf, shownOf, textOf, variantsOf } from './model.ts'
import { OPERATORS } from './texts.ts'

/** Names of the flags and cohorts that conditions refer to by id. */
export type Names = {
  readonly flags: ReadonlyMap<string, string>
  readonly cohorts: Names['flags']
}

const NO_NAMES: Names = { flags: new Map(), cohorts: new Map() }

/** `plan is pro`. */
export function conditionText(condition: JsonRecord, names: Names = NO_NAMES): string {
  const { type, key, value, operator } = condition
  if (key === '') return 'new condition'
  const wanted = shownOf(value)
  const name = shownOf(typeof key === 'string' ? labelOf(key) : key)
  if (type === 'cohort') {
    const where = operator === 'not_in' ? 'not in cohort' : 'in cohort'
    return `${where} ${shownOf(names.cohorts.get(textOf(value)) ?? value)}`
  }
  if (type === 'flag') {
    const state = value === true ? 'on' : value === false ? 'off' : wanted
    return `flag ${shownOf(names.flags.get(textOf(key)) ?? key)} is ${state}`
  }
  const how = typeof operator === 'string' ? operator : 'exact'
  const words = OPERATORS[how] ?? how
  return /^is_(?:not_)?set$/.test(how) ? `${name} ${words}` : `${name} ${words} ${wanted}`
}

/** `plan is pro and age > 30 → 25 % of them → split between variants`. */
export function setText(filters: Json, set: JsonRecord, names?: Names): string {
  const conditions = propertiesOf(set).map((each) => conditionText(each, names))
  const who = conditions.length === 0 ? 'everyone' : conditions.join(' and ')
  const rollout = rolloutOf(set)
  const share = rollout >= 100 ? 'all of them' : `${rollout} % of them`
  const { variant } = set
  const fixed = typeof variant === 'string' ? `variant ${shownOf(variant)}` : undefined
  const value = fixed ?? (variantsOf(filters).length > 0 ? 'split between variants' : 'on')
  return `${who} → ${share} → ${value}`
}

/** Short summary of a flag's conditions, for a list. */
export function shortText(filters: Json, names?: Names): string {
  const sets = setsOf(filters)
  const [first] = sets
  if (first === undefined) return 'Nobody'
  const rollout = rolloutOf(first)
  const conditions = propertiesOf(first).map((each) => conditionText(each, names))
  const where = conditions.join(' and ')
  const share = rollout >= 100 ? 'Everyone' : `${rollout} %`
  const who =
    where === '' ? (rollout >= 100 ? share : `${share} of all`) : `${share} where ${where}`
  return sets.length === 1 ? who : `${who}, and ${sets.length - 1} more`
}
