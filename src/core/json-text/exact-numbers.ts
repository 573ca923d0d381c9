/**
 * Numbers with all their digits. `JSON.parse` reads the nearest double: 9007199254740993 becomes
 * 9007199254740992, and an integer of 400 digits becomes infinite. A number that its double does
 * not reproduce is therefore kept as an *exact number*: a text of NUL and its digits, which becomes
 * that number again in JSON text. No store holds NUL, so code that does not know exact numbers
 * cleans them like any other text. A client that sends NUL and such digits as a text has sent that
 * number.
 */
import { cleanText } from '../clean-text.ts'
import type { Json } from '../json.ts'
import { isSpace, stringEnd } from './json-characters.ts'
import { jsonbNumber } from './jsonb-number.ts'
import { parseJson } from './parse-json.ts'

/** Characters of a number that keeps its digits; `numeric` of Postgres takes 16,383 behind the point. */
const NUMBER_LENGTH_MAX = 10_000

const MARK = '\0'
/** A double keeps 15 digits of any number: one that loses some has more, and perhaps a point. */
const RUN_LENGTH_MIN = 16
const RUN_HALF = RUN_LENGTH_MIN / 2
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Exact numbers in `JSON.stringify` text: not after an escape, and not names before a colon. */
const MARKED = /(?<!\\)"\\u0000(-?\d[\d.]*)"(?!:)/g

/**
 * As `JSON.parse`, with exact numbers where digits would be lost. Their text is the one that `jsonb`
 * has, without zeros at the end of a fraction. As ever, a number with an exponent beyond doubles is
 * infinite or 0, and one of more than `NUMBER_LENGTH_MAX` characters the nearest double.
 * @throws {SyntaxError} when the text is no JSON.
 */
export function parseExact(text: string): Json {
  return parseJson(withMarks(text))
}

/** `JSON.stringify` with exact numbers as numbers. */
export function exactJson(value: unknown): string {
  return withNumbers(JSON.stringify(value))
}

/**
 * JSON text of `JSON.stringify`, in which exact numbers become numbers.
 * @param write the digits of one; as they are unless told.
 */
export function withNumbers(json: string, write = (digits: string) => digits): string {
  if (!json.includes('\\u0000')) return json
  return json.replace(MARKED, (text, digits: string) => (isExact(digits) ? write(digits) : text))
}

/** The digits of an exact number; undefined for any other text. */
export function exactDigits(text: string): string | undefined {
  if (text.charCodeAt(0) !== 0) return undefined
  const digits = text.slice(MARK.length)
  return isExact(digits) ? digits : undefined
}

/** The double next to a number, be it exact; undefined for any other value. */
export function doubleOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const digits = typeof value === 'string' ? exactDigits(value) : undefined
  return digits === undefined ? undefined : Number(digits)
}

/** `cleanText` that keeps exact numbers. */
export function cleanExact(text: string): string {
  return exactDigits(text) === undefined ? cleanText(text) : text
}

/** JSON text in which exact numbers are texts. Invalid JSON stays invalid. */
export function withMarks(text: string): string {
  let number = nextExact(text, 0)
  if (number === undefined) return text
  const parts: string[] = []
  let kept = 0
  let quote = text.indexOf('"')
  while (number !== undefined) {
    const { start, end, digits }: Found = number
    let after = end
    while (quote !== -1 && quote < start) {
      after = stringEnd(text, quote) + 1
      quote = text.indexOf('"', after)
    }
    const isWithinText = after > end
    if (!isWithinText) {
      parts.push(text.slice(kept, start), `"\\u0000${digits}"`)
      kept = end
    }
    number = nextExact(text, isWithinText ? after : end)
  }
  parts.push(text.slice(kept))
  return parts.join('')
}

type Found = { readonly start: number; readonly end: number; readonly digits: string }

/**
 * Finds the next run of digits that a double would lose; it may be within a string. Probes every
 * 16th character, and the eighth before and behind it: a run of 16 digits has one of each.
 */
function nextExact(text: string, from: number): Found | undefined {
  const { length } = text
  for (let at = from + RUN_LENGTH_MIN - 1; at < length; at += RUN_LENGTH_MIN) {
    if (!isDigit(text.charCodeAt(at))) continue
    const isRun = isDigit(text.charCodeAt(at - RUN_HALF)) || isDigit(text.charCodeAt(at + RUN_HALF))
    if (!isRun) continue
    let start = at
    while (start > from && isDigit(text.charCodeAt(start - 1))) start -= 1
    while (at < length && isDigit(text.charCodeAt(at))) at += 1
    const run = at - start
    if (run < RUN_LENGTH_MIN || run > NUMBER_LENGTH_MAX) continue
    const found = exactAt(text, start, at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Counts points and slashes as digits, which no number has, and any unit beyond the text. */
function isDigit(unit: number): boolean {
  return (unit - 46) >>> 0 < 12
}

/** @param end of the digits at `start`; an exponent may follow. */
function exactAt(text: string, start: number, end: number): Found | undefined {
  const first = text.charAt(start - 1) === '-' ? start - 1 : start
  if (!isBetween(text, first - 1, ':[,')) return undefined
  NUMBER.lastIndex = first
  const [sent = ''] = NUMBER.exec(text) ?? []
  const last = first + sent.length
  if (last < end || !isBetween(text, last, ',]}')) return undefined
  const digits = digitsOf(sent)
  return digits === undefined ? undefined : { start: first, end: last, digits }
}

function isBetween(text: string, at: number, characters: string): boolean {
  const unit = text.charCodeAt(at)
  return Number.isNaN(unit) || isSpace(unit) || characters.includes(text.charAt(at))
}

function isExact(digits: string): boolean {
  return digits.length <= NUMBER_LENGTH_MAX && isNumber(digits) && digitsOf(digits) === digits
}

function isNumber(text: string): boolean {
  NUMBER.lastIndex = 0
  return NUMBER.exec(text)?.[0] === text
}

/** Undefined for a number that its double reproduces, or whose exponent no double has. */
function digitsOf(sent: string): string | undefined {
  const double = Number(sent)
  const written = String(double)
  if (written === sent) return undefined
  const isBeyond = double === 0 || !Number.isFinite(double)
  if (isBeyond && /e/i.test(sent)) return undefined
  const digits = withoutEndingZeros(jsonbNumber(sent) ?? written)
  return digits === written || digits.length > NUMBER_LENGTH_MAX ? undefined : digits
}

function withoutEndingZeros(digits: string): string {
  if (!digits.includes('.')) return digits
  let end = digits.length
  while (digits.charAt(end - 1) === '0') end -= 1
  return digits.slice(0, digits.charAt(end - 1) === '.' ? end - 1 : end)
}
