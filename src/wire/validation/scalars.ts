/** Reads the texts, numbers and booleans of a body. Nothing here throws. */

import { cleanText } from '../../core/clean-text.ts'
import { echo } from '../details.ts'
import type { FieldRules } from '../proto/rules.ts'
import { CHOICE_FORMATS, type ChoiceFormat, FORMATS } from './formats.ts'
import { type FieldOutcome, fail, NULL, typeName, value } from './outcome.ts'

const INT32_MAX = 2_147_483_647
const INT32_MIN = -2_147_483_648
/** Longer texts are no number that anyone means, and slow to read as one. */
const NUMBER_TEXT_LENGTH_MAX = 1_000

const TRUE: ReadonlySet<unknown> = new Set(
  ['t', 'y', 'yes', 'true', 'on', '1'].flatMap(capitalisations),
)
const FALSE: ReadonlySet<unknown> = new Set(
  ['f', 'n', 'no', 'false', 'off', '0'].flatMap(capitalisations),
)
const NULL_TEXTS: ReadonlySet<unknown> = new Set(['', 'null', 'Null', 'NULL'])

export function readText(given: unknown, rules: FieldRules): FieldOutcome {
  const choices = CHOICE_FORMATS[rules.format] ?? choicesOf(rules)
  if (choices !== undefined) return readChoice(given, choices, rules)
  if (typeof given !== 'string' && typeof given !== 'number') return notText()
  if (typeof given === 'number' && !Number.isFinite(given)) return notText()
  const sent = String(given)
  const trimmed = sent.trim()
  if (trimmed === '') {
    if (!rules.blank) return fail('blank', 'This field may not be blank.')
    return value(rules.verbatim ? cleanText(sent) : '')
  }
  const text = rules.verbatim ? sent : trimmed
  if (text.includes('\0')) {
    return fail('null_characters_not_allowed', 'Null characters are not allowed.')
  }
  return checkLength(text, rules) ?? checkFormat(text, rules) ?? value(cleanText(text))
}

export function readBoolean(given: unknown, rules: FieldRules): FieldOutcome {
  if (given === true || given === 1 || TRUE.has(given)) return value(true)
  if (given === false || given === 0 || FALSE.has(given)) return value(false)
  if (rules.nullable && NULL_TEXTS.has(given)) return NULL
  return fail('invalid_input', 'Must be a valid boolean.')
}

export function readInteger(given: unknown, rules: FieldRules): FieldOutcome {
  const number = wholeNumber(given)
  if (number === undefined) return fail('invalid_input', 'A valid integer is required.')
  const bounded = rules.minimum !== 0 || rules.maximum !== 0
  const minimum = bounded ? rules.minimum : INT32_MIN
  // A lower bound alone leaves the upper one at 0, below it.
  const maximum = bounded && rules.maximum >= minimum ? rules.maximum : INT32_MAX
  if (number > maximum) {
    return fail('max_value', `Ensure this value is less than or equal to ${maximum}.`)
  }
  if (number < minimum) {
    return fail('min_value', `Ensure this value is greater than or equal to ${minimum}.`)
  }
  return value(number)
}

/** Rows are named by an integer or its decimal text; whether one exists the worker answers. */
export function readReference(given: unknown): FieldOutcome {
  const isNumber = typeof given === 'number' && Number.isInteger(given)
  const isText = typeof given === 'string' && /^\s*[+-]?\d{1,100}\s*$/.test(given)
  if (!isNumber && !isText) {
    const detail = `Incorrect type. Expected pk value, received ${typeName(given)}.`
    return fail('incorrect_type', detail)
  }
  const number = Number(given)
  if (number > INT32_MAX || number < INT32_MIN) {
    const detail = `Invalid pk "${echo(String(given).trim())}" - object does not exist.`
    return fail('does_not_exist', detail)
  }
  return value(number === 0 ? 0 : number)
}

export function readDouble(given: unknown, rules: FieldRules): FieldOutcome {
  const readable =
    typeof given === 'number' ||
    (typeof given === 'string' &&
      given.length <= NUMBER_TEXT_LENGTH_MAX &&
      /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(given))
  const number = readable ? Number(given) : Number.NaN
  if (!Number.isFinite(number)) return fail('invalid_input', 'A valid number is required.')
  if (rules.minimum === 0 && rules.maximum === 0) return value(number)
  if (number > rules.maximum) {
    return fail('max_value', `Ensure this value is less than or equal to ${rules.maximum}.`)
  }
  if (number < rules.minimum) {
    return fail('min_value', `Ensure this value is greater than or equal to ${rules.minimum}.`)
  }
  return value(number)
}

/** Code points, as the limits count. */
function checkLength(
  text: string,
  { max_length: max, min_length: min }: Pick<FieldRules, 'max_length' | 'min_length'>,
): FieldOutcome | undefined {
  if (max === 0 && min === 0) return undefined
  const length = codePoints(text)
  if (max !== 0 && length > max) {
    return fail('max_length', `Ensure this field has no more than ${max} characters.`)
  }
  if (length < min) {
    return fail('min_length', `Ensure this field has at least ${min} characters.`)
  }
  return undefined
}

function readChoice(given: unknown, choices: ChoiceFormat, rules: FieldRules): FieldOutcome {
  if (given === '' && rules.blank) return value('')
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const choice = typeof given === 'object' ? undefined : choices.read(text)
  if (choice !== undefined) return value(choice)
  const near = choices.suggest(text)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return fail('invalid_choice', `"${echo(text)}" is not a valid choice.${hint}`)
}

const choiceFormats = new WeakMap<FieldRules, ChoiceFormat>()

function choicesOf(rules: FieldRules): ChoiceFormat | undefined {
  if (rules.choices.length === 0) return undefined
  const known = choiceFormats.get(rules)
  if (known !== undefined) return known
  const set = new Set(rules.choices)
  const made: ChoiceFormat = {
    read: (text) => (set.has(text) ? text : undefined),
    suggest: () => undefined,
  }
  choiceFormats.set(rules, made)
  return made
}

function checkFormat(text: string, rules: FieldRules): FieldOutcome | undefined {
  const problem = FORMATS[rules.format]?.(text)
  return problem === undefined ? undefined : fail(problem.code, problem.detail)
}

/** `12`, `"12"`, `12.0` and `"12.0"`; `undefined` for anything that is no whole number. */
function wholeNumber(given: unknown): number | undefined {
  if (typeof given === 'string') {
    const readable = given.length <= NUMBER_TEXT_LENGTH_MAX
    return readable && /^\s*[+-]?\d+(\.0*)?\s*$/.test(given) ? plainZero(Number(given)) : undefined
  }
  return typeof given === 'number' && Number.isInteger(given) ? plainZero(given) : undefined
}

function plainZero(number: number): number {
  return number === 0 ? 0 : number
}

function notText(): FieldOutcome {
  return fail('invalid_input', 'Not a valid string.')
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function capitalisations(word: string): readonly string[] {
  return [word, word.toUpperCase(), `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`]
}
