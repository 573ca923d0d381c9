/**
 * SQL that reads texts as numbers and times. A failed cast would end the whole query, so a cast
 * gets only what a pattern has admitted, and everything else is null. The patterns list their
 * blanks: depending on the collation, a class such as `[[:space:]]` may have blanks that the cast
 * does not know.
 */

import { EXPRESSION_NUMBER_CHARS_MAX } from '../../../core/limits/limits-query.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import type { Postgres } from './postgres-dialect.ts'

/**
 * A decimal with an exponent of at most two digits, as numeric. `text` occurs once in the
 * statement.
 */
function numberOf(text: Fragment): Fragment {
  // A pattern with counted repeats in place of `left` would be twenty times as slow.
  return fragment`substring(left(${text}, ${String(EXPRESSION_NUMBER_CHARS_MAX)}::integer) from
    '^[ \t\n\r\f\v]*[-+]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]{1,2})?[ \t\n\r\f\v]*$'
    )::numeric`
}

/** ISO 8601 as timestamptz, in UTC unless it names a zone. `text` occurs once in the statement. */
function isoTimeOf(text: Fragment): Fragment {
  return fragment`substring(left(${text}, 64) from ${ISO_TIME})::timestamptz`
}

/** Unix seconds of the years 1 to 9999 as timestamptz. `seconds` occurs once in the statement. */
function unixTimeOf(seconds: Fragment): Fragment {
  return fragment`to_timestamp(jsonb_path_query_first(to_jsonb(round(${seconds}, 6)),
    '$ ? (@ >= -62135596800 && @ < 253402300800)')::float8)`
}

/**
 * ISO 8601 or unix seconds. `text` occurs twice: nested, that would double the statement each time.
 */
function timeOf(text: Fragment): Fragment {
  return fragment`coalesce(${isoTimeOf(text)}, ${unixTimeOf(numberOf(text))})`
}

/**
 * Admits only days that exist, leap years included: the cast of February 30 would end the query.
 */
const ISO_TIME = fragment`(
  '^(?:(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-'
  || '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])'
  || '|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
  || '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)'
  || '(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?'
  || '(?:[Zz]|[-+](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)?)?$'
)`

export const CASTS_SQL = {
  read_number: ([text]) => numberOf(text),
  read_iso_time: ([text]) => isoTimeOf(text),
  read_time: ([text]) => timeOf(text),
  read_condition: ([text]) =>
    fragment`case ${text} when 'true' then true when 'false' then false end`,
  time_of_seconds: ([seconds]) => unixTimeOf(seconds),
  seconds_of_time: ([time]) => fragment`extract(epoch from ${time})::numeric`,
  number_of_condition: ([condition]) => fragment`(${condition})::integer::numeric`,
} satisfies Partial<Postgres>
