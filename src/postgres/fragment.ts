/** Builder of statements whose shape depends on a request, with every value bound. */

import { assert } from '../core/code.ts'
import type { Db } from './db.ts'

/**
 * Statement whose shape depends on a request. Its text consists of template literals of our own
 * source only; every value is bound, as text that the template casts.
 */
export type Fragment = {
  /** One more than `values`. */
  readonly text: readonly string[]
  readonly values: readonly string[]
}

/** Tag: interpolated texts are bound, fragments are put in. */
export function fragment(
  strings: TemplateStringsArray,
  ...parts: readonly (string | Fragment)[]
): Fragment {
  const text = [strings[0] ?? '']
  const values: string[] = []
  parts.forEach((part, index) => {
    const after = strings[index + 1] ?? ''
    if (typeof part === 'string') {
      values.push(part)
      text.push(after)
      return
    }
    append(text, part.text)
    for (const value of part.values) values.push(value)
    append(text, [after])
  })
  return { text, values }
}

/** The last text of `text` and the first of `more` become one. */
function append(text: string[], more: readonly string[]): void {
  text[text.length - 1] += more[0] ?? ''
  for (let place = 1; place < more.length; place++) text.push(more[place] ?? '')
}

/** `true` for an `and` without parts, `false` for an `or` without parts. */
export function join(parts: readonly Fragment[], operator: 'and' | 'or'): Fragment {
  if (parts.length === 0) return operator === 'and' ? fragment`true` : fragment`false`
  return between(parts, operator === 'and' ? ' and ' : ' or ')
}

/** Joins in one pass: a statement may have thousands of parts. */
function between(parts: readonly Fragment[], sign: string): Fragment {
  const text = ['']
  const values: string[] = []
  for (const [place, part] of parts.entries()) {
    if (place > 0) append(text, [sign])
    append(text, part.text)
    for (const value of part.values) values.push(value)
  }
  return { text, values }
}

/** Replaces each occurrence of `part` in `whole` by `by`, text and values. */
export function replaced(whole: Fragment, part: Fragment, by: Fragment): Fragment {
  const first = part.text[0] ?? ''
  const last = part.text.at(-1) ?? ''
  const count = part.values.length
  const standsAt = (place: number): boolean =>
    whole.text[place]?.endsWith(first) === true &&
    part.values.every((value, nth) => whole.values[place + nth] === value) &&
    part.text.slice(1, -1).every((text, nth) => whole.text[place + 1 + nth] === text) &&
    whole.text[place + count]?.startsWith(last) === true
  for (let place = 0; place + count < whole.text.length; place++) {
    if (count === 0 || !standsAt(place)) continue
    const before = { text: whole.text.slice(0, place + 1), values: whole.values.slice(0, place) }
    const after = {
      text: whole.text.slice(place + count),
      values: whole.values.slice(place + count),
    }
    const head = { ...before, text: [...before.text.slice(0, -1), cutEnd(before.text, first)] }
    const tail = { ...after, text: [cutBegin(after.text, last), ...after.text.slice(1)] }
    return fragment`${head}${by}${replaced(tail, part, by)}`
  }
  return whole
}

function cutEnd(texts: readonly string[], end: string): string {
  const text = texts.at(-1) ?? ''
  return text.slice(0, text.length - end.length)
}

function cutBegin(texts: readonly string[], begin: string): string {
  return (texts[0] ?? '').slice(begin.length)
}

/** Nothing for no parts. */
export function commas(parts: readonly Fragment[]): Fragment {
  return between(parts, ', ')
}

/**
 * The name of one column of many: the number is all of it that is not text of our own source.
 * @throws {InvariantError} when `place` is no index.
 */
export function numbered(
  prefix: 'key' | 'aggregate' | 'sort' | 'part' | 'role' | 'word' | 'cohort' | 'text',
  place: number,
): Fragment {
  assert(Number.isSafeInteger(place) && place >= 0, `${place} is no place of a column`)
  return { text: [`${prefix}_${place}`], values: [] }
}

/**
 * Whole numbers, with commas between them, as a part of the text: so they are literals, of which a
 * statement may have very many.
 * @throws {InvariantError} when one of them is no whole number.
 */
export function wholeNumbers(numbers: readonly (number | bigint | string)[]): Fragment {
  const digits = numbers.map(String)
  for (const each of digits) assert(/^-?[0-9]{1,20}$/.test(each), `${each} is no whole number`)
  return { text: [digits.join(', ')], values: [] }
}

/** Statement text with `$1::text` for the first value and so on. */
export function render({ text, values }: Fragment): { text: string; values: readonly string[] } {
  const whole = text.map((part, index) => (index === 0 ? part : `$${index}::text${part}`)).join('')
  return { text: whole, values }
}

/**
 * `unsafe` is the driver's name for a statement given as text: ours is text of our own source and
 * `$n` only. Shapes that clients choose are not kept as prepared statements, of
 * which each connection would pile up without end.
 */
export async function run<Row extends object>(
  db: Db,
  statement: Fragment,
  isFixedShape: boolean,
): Promise<Row[]> {
  const { text, values } = render(statement)
  return await db.unsafe<Row[]>(text, [...values], { prepare: isFixedShape })
}
