/**
 * Conditions that the text of a stored property decides as the store gives it, so that most events
 * need no reading of their own: that text differs from `textOf` for numbers, lists, objects and null.
 */
import type { ValueTest } from './condition.ts'

const ASCII = /^[\0-\x7f]*$/
/** Begins as numbers, lists and objects do, or is the text of null. */
const OF_OTHERS = /^(?:[-+0-9[{]|null$)/
/** Text with a letter that no number has, and without characters that JSON has between values. */
const WITHIN_TEXT = /^[^\s:,[\]{}"\\]*[a-df-z_@$/][^\s:,[\]{}"\\]*$/

type TextTest = Extract<ValueTest, { kind: 'one_of' | 'text' }>

/** How the case of the property's text has to be folded. Undefined where its own reading is needed. */
export type Plainly =
  /** Folded as ASCII: no text beyond it has these folded texts. */
  | 'ascii'
  /** As ASCII after the sign of the kelvin, which is the one character whose lower case is ASCII. */
  | 'kelvin'
  /** All of it: texts of ASCII have none of these folded texts. */
  | 'unicode'

export function plainly(test: TextTest): Plainly | undefined {
  const texts = test.kind === 'one_of' ? test.texts : test.parts
  const isPlain =
    test.kind === 'one_of'
      ? texts.every((text) => !OF_OTHERS.test(text))
      : texts.every((text) => WITHIN_TEXT.test(text) && !'null'.includes(text))
  if (!isPlain) return undefined
  if (texts.every((text) => ASCII.test(text))) {
    return texts.some((text) => text.includes('k')) ? 'kelvin' : 'ascii'
  }
  return texts.some((text) => ASCII.test(text)) ? undefined : 'unicode'
}

const INTEGER = /^-?(?:0|[1-9]\d{0,14})$/

/** The one text, where it is that of an integer: no other number has it but one of the same value. */
export function integerOf({ texts }: Extract<ValueTest, { kind: 'one_of' }>): string | undefined {
  const [only, ...others] = texts
  return only !== undefined && others.length === 0 && INTEGER.test(only) ? only : undefined
}
