/**
 * Texts read as numbers and times in SQL. A cast that fails ends the whole query, so each is given
 * only what a pattern has let through; all else is null. The patterns name their blanks: a class
 * such as `[[:space:]]` may hold ones that the cast does not know, depending on the collation.
 */
import { EXPRESSION_NUMBER_CHARS_MAX } from '../../core/limits/limits.ts'
import { type Fragment, fragment } from '../../store/pool/fragment.ts'

/** A decimal with at most two digits of exponent, as numeric. `text` is put in once. */
export function numberOf(text: Fragment): Fragment {
  // Counted repeats instead of `left` would make the pattern twenty times as slow.
  return fragment`substring(left(${text}, ${String(EXPRESSION_NUMBER_CHARS_MAX)}::integer) from
    '^[ \t\n\r\f\v]*[-+]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]{1,2})?[ \t\n\r\f\v]*$'
    )::numeric`
}

/** ISO 8601 as timestamptz, in UTC unless it says otherwise. `text` is put in once. */
export function isoTimeOf(text: Fragment): Fragment {
  return fragment`substring(left(${text}, 64) from ${ISO_TIME})::timestamptz`
}

/** Unix seconds as timestamptz, of the years 1 to 9999. `seconds` is put in once. */
export function unixTimeOf(seconds: Fragment): Fragment {
  return fragment`to_timestamp(jsonb_path_query_first(to_jsonb(round(${seconds}, 6)),
    '$ ? (@ >= -62135596800 && @ < 253402300800)')::float8)`
}

/** ISO 8601 or unix seconds. `text` is put in twice: nested, it would double the statement. */
export function timeOf(text: Fragment): Fragment {
  return fragment`coalesce(${isoTimeOf(text)}, ${unixTimeOf(numberOf(text))})`
}

/** Admits days that exist only, leap years included: a cast of February 30 ends the query. */
const ISO_TIME = fragment`(
  '^(?:(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-'
  || '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])'
  || '|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
  || '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)'
  || '(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?'
  || '(?:[Zz]|[-+](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)?)?$'
)`
