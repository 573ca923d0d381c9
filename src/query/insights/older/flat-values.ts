/** The values of flat members as a form sends them: texts. */
import { isObject, type Json } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { EVENT_FILTER_CHARS_MAX } from '../../../core/limits/limits-query.ts'

/** Lists and objects. */
const STRUCTURES: ReadonlySet<string> = new Set([
  'events',
  'actions',
  'properties',
  'exclusions',
  'target_entity',
  'returning_entity',
])
const FLAGS: ReadonlySet<string> = new Set([
  'compare',
  'cumulative',
  'filter_test_accounts',
  'refresh',
])
const NUMBERS: ReadonlySet<string> = new Set([
  'breakdown_limit',
  'breakdown_group_type_index',
  'breakdown_attribution_value',
  'funnel_window_interval',
  'funnel_window_days',
  'funnel_from_step',
  'funnel_to_step',
  'total_intervals',
  'aggregation_group_type_index',
])

/** Replaces texts of a flat question by their meanings; unknown texts stay, to be refused. */
export function withoutTexts(asked: Json): Json {
  if (!isObject(asked)) return asked
  return Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [
      name,
      typeof value === 'string' ? meaningOf(name, value) : value,
    ]),
  )
}

function meaningOf(name: string, text: string): Json {
  if (STRUCTURES.has(name)) return structureOf(text)
  if (FLAGS.has(name)) return text === 'true' || (text === 'false' ? false : text)
  return NUMBERS.has(name) && /^\d{1,9}$/.test(text) ? Number(text) : text
}

function structureOf(text: string): Json {
  if (text.length > EVENT_FILTER_CHARS_MAX) return text
  try {
    return parseJson(text)
  } catch {
    // No JSON: the text is refused by who reads the member.
    return text
  }
}
