/** Versions by the rules of semver 2.0, as texts that are in the order of the versions. */
import { textOf } from './property-value.ts'

const TEXT_LENGTH_MAX = 256
const DIGITS_MAX = 15
const CORE = /^\d{1,15}(?:\.\d{1,15}){0,2}$/
const PRE_RELEASE = /^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/
const WILDCARD = /^(?:(\d{1,15})\.)?(?:(\d{1,15})\.)?\*(?:\.\*){0,2}$/
/** Suffix of the parts of a release; a pre-release has `PRE` there, which sorts before it. */
const RELEASE = '~'
const PRE = '-'

export type VersionRelation = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'

/**
 * Sortable key of an ASCII version of one to three parts, with or without a leading `v`;
 * `undefined` for any other value. Keys sort as their versions do, and equal versions have equal
 * keys.
 *
 * A key is the parts, 15 digits each, followed by `~` for a release, or by `-` and the identifiers
 * of the pre-release. A numeric identifier is `1`, its number of digits, and the digits; a word is
 * `2` and the word. Each identifier ends with a blank.
 */
export function versionKey(value: unknown): string | undefined {
  const text = versionText(value)
  if (text === undefined) return undefined
  const [version = ''] = text.split('+', 1)
  const dash = version.indexOf('-')
  const core = dash < 0 ? version : version.slice(0, dash)
  if (!CORE.test(core)) return undefined
  const parts = keyOfParts(core.split('.'))
  if (dash < 0) return parts + RELEASE
  const pre = version.slice(dash + 1)
  return PRE_RELEASE.test(pre)
    ? parts + PRE + pre.split('.').map(keyOfIdentifier).join('')
    : undefined
}

export function isRelease(key: string): boolean {
  return key.endsWith(RELEASE)
}

function versionText(value: unknown): string | undefined {
  const text = textOf(value)?.trim()
  if (text === undefined || text.length > TEXT_LENGTH_MAX) return undefined
  return text.startsWith('v') || text.startsWith('V') ? text.slice(1) : text
}

function keyOfParts(parts: readonly (string | number)[]): string {
  return [0, 1, 2].map((at) => keyOfNumber(String(parts[at] ?? 0))).join('')
}

function keyOfNumber(digits: string): string {
  return digits.slice(-DIGITS_MAX).padStart(DIGITS_MAX, '0')
}

function keyOfIdentifier(identifier: string): string {
  if (!/^\d+$/.test(identifier)) return `2${identifier} `
  const digits = identifier.replace(/^0+(?=\d)/, '')
  return `1${String(digits.length).padStart(3, '0')}${digits} `
}

export type Releases = { readonly from: string; readonly below: string | undefined }

/** The releases of a range; pre-releases lie outside of each. Undefined where there is none. */
export function releasesLike(
  how: 'tilde' | 'caret' | 'wildcard',
  value: unknown,
): Releases | undefined {
  if (how === 'wildcard') return wildcard(value)
  const from = versionKey(value)
  if (from === undefined) return undefined
  const [major = 0, minor = 0, patch = 0] = [0, 1, 2].map((at) =>
    Number(from.slice(at * DIGITS_MAX, (at + 1) * DIGITS_MAX)),
  )
  const below = how === 'tilde' ? [major, minor + 1] : caretEnd(major, minor, patch)
  return { from, below: keyBelow(below) }
}

function caretEnd(major: number, minor: number, patch: number): readonly number[] {
  if (major > 0) return [major + 1]
  return minor > 0 ? [0, minor + 1] : [0, 0, patch + 1]
}

/**
 * Sorts before all keys that begin with the parts. A part beyond its digits carries to the one
 * before.
 */
function keyBelow(parts: readonly number[]): string | undefined {
  const last = parts.at(-1) ?? 0
  if (String(last).length <= DIGITS_MAX) return keyOfParts(parts)
  if (parts.length === 1) return undefined
  return keyBelow([...parts.slice(0, -2), (parts.at(-2) ?? 0) + 1])
}

function wildcard(value: unknown): Releases | undefined {
  const text = versionText(value)
  if (text === undefined) return undefined
  const stars = WILDCARD.exec(text)
  // A pattern without a star matches the versions that begin with its parts.
  if (stars === null)
    return CORE.test(text) ? beginningWith(text.split('.').map(Number)) : undefined
  if (text.split('.').length > 3) return undefined
  const [, major, minor] = stars
  if (major === undefined) return { from: keyOfParts([]), below: undefined }
  return beginningWith([major, minor].filter((part) => part !== undefined).map(Number))
}

function beginningWith(parts: readonly number[]): Releases {
  const next = [...parts.slice(0, -1), (parts.at(-1) ?? 0) + 1]
  return { from: keyOfParts(parts), below: keyBelow(next) }
}
