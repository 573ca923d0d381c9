/** SQL of changes to the properties of persons and groups, and of how large they may become. */

import { PROPERTIES_BYTES_MAX } from '../../../core/limits/limits.ts'

/**
 * Upper bound in bytes of properties in the server that are surely within the bound as text too: a
 * number takes 12 bytes there, and up to 326 as text (`5e-324`), and no other value grows more.
 */
const SMALL_BYTES_MAX = Math.floor(PROPERTIES_BYTES_MAX / 32)
/** Characters of the names to unset up to which each is looked for among all properties. */
const FEW_NAMES_CHARS_MAX = 1_000

/**
 * True when properties may become `after`: within the bound, or smaller than the `before` that is
 * beyond it, which was stored when there was none.
 */
export function fits(after: string, before: string): string {
  return `case when pg_column_size(${after}) <= ${SMALL_BYTES_MAX} then true
    when octet_length(${after}::text) <= ${PROPERTIES_BYTES_MAX} then true
    else octet_length(${after}::text) < octet_length(${before}::text) end`
}

/** Columns of the change `c` out of texts, of which empty ones are none. */
export function changeObjects(once: string, volatile: string, set: string): string {
  const objectOf = (text: string, name: string) => `nullif(${text}, '')::jsonb as ${name}`
  return `${objectOf(once, 'once')}, ${objectOf(volatile, 'volatile')}, ${objectOf(set, 'set')}`
}

/**
 * True when `base` has all names of the change `c` that are set once or volatile, and the rest
 * changes nothing: then `base` stays. Lazy: nulls are not evaluated.
 */
export function isQuiet(base: string): string {
  const has = (object: string) =>
    `(${object} is null or ${base} ?& array(select jsonb_object_keys(${object})))`
  return `(${has('c.once')} and ${has('c.volatile')}
    and (c.set is null or (${base} || c.set) = ${base})
    and (coalesce(c.unset, '') = ''
      or not ${base} ?| array(select jsonb_array_elements_text(c.unset::jsonb))))`
}

/**
 * `base` with the change `c` on top: the SQL side of `PropertyFold`. `once`, `volatile` and `set`
 * are objects or null, `unset` is text. Joining two objects sorts all their names anew, so `once` is
 * only joined where one of its names is missing, which is rare. The operator that removes names
 * compares each with each; many names are looked up in a hash.
 */
export function changed(base: string): string {
  const once = `case when c.once is null then ${base}
      when ${base} ?& array(select jsonb_object_keys(c.once)) then ${base}
      else c.once || ${base} end`
  const moment = `(case when c.volatile is null then ${once} else (${once}) || c.volatile end)`
  const overlaid = `(case when c.set is null then ${moment} else ${moment} || c.set end)`
  return `case when c.volatile is not null and ${isQuiet(base)} then ${base}
      when coalesce(c.unset, '') = '' then ${overlaid}
      when length(c.unset) <= ${FEW_NAMES_CHARS_MAX}
      then (${overlaid}) - array(select jsonb_array_elements_text(c.unset::jsonb))
      else (
        select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(${overlaid}) e
        where e.key not in (select jsonb_array_elements_text(c.unset::jsonb))
      ) end`
}
