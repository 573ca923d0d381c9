import { textOf } from './property-value.ts'

const TEXT_LENGTH_MAX = 256
const CORE = /^\d{1,15}(?:\.\d{1,15}){0,2}$/
const PRE_RELEASE = /^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/
const WILDCARD = /^(?:(\d{1,15})\.)?(?:(\d{1,15})\.)?\*(?:\.\*){0,2}$/

export type Version = {
  /** Major, minor, patch. */
  readonly core: readonly [number, number, number]
  /** Identifiers after the dash; empty for a release. */
  readonly pre: readonly string[]
}

export type SemverOperator =
  | 'semver_eq'
  | 'semver_neq'
  | 'semver_gt'
  | 'semver_gte'
  | 'semver_lt'
  | 'semver_lte'
  | 'semver_tilde'
  | 'semver_caret'
  | 'semver_wildcard'

/** A version of one to three parts, with or without a leading `v`; else `undefined`. */
function parseVersion(value: unknown): Version | undefined {
  const text = versionText(value)
  if (text === undefined) return undefined
  const [version = ''] = text.split('+', 1)
  const dash = version.indexOf('-')
  const core = dash < 0 ? version : version.slice(0, dash)
  if (!CORE.test(core)) return undefined
  const pre = dash < 0 ? '' : version.slice(dash + 1)
  if (dash >= 0 && !PRE_RELEASE.test(pre)) return undefined
  const [major = 0, minor = 0, patch = 0] = core.split('.').map(Number)
  return { core: [major, minor, patch], pre: pre === '' ? [] : pre.split('.') }
}

function versionText(value: unknown): string | undefined {
  const text = textOf(value)?.trim()
  if (text === undefined || text.length > TEXT_LENGTH_MAX) return undefined
  return text.startsWith('v') || text.startsWith('V') ? text.slice(1) : text
}

/** Negative when `a` comes first, 0 when equal, by the precedence rules of semver 2.0. */
function compareVersions(a: Version, b: Version): number {
  const core = compareCores(a.core, b.core)
  if (core !== 0) return core
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length
  for (let at = 0; at < Math.min(a.pre.length, b.pre.length); at++) {
    const order = compareIdentifiers(a.pre[at] ?? '', b.pre[at] ?? '')
    if (order !== 0) return order
  }
  return a.pre.length - b.pre.length
}

function compareCores(a: Version['core'], b: Version['core']): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** Numbers come before words and are compared as numbers, which may exceed the safe integers. */
function compareIdentifiers(a: string, b: string): number {
  const aNumeric = /^\d+$/.test(a)
  const bNumeric = /^\d+$/.test(b)
  if (aNumeric !== bNumeric) return aNumeric ? -1 : 1
  if (aNumeric) {
    const difference = BigInt(a) - BigInt(b)
    return difference < 0n ? -1 : Number(difference > 0n)
  }
  return a < b ? -1 : Number(a > b)
}

/** The test of a property under `operator`, or `undefined` when the filter value is no version. */
export function compileVersionTest(
  operator: SemverOperator,
  filterValue: unknown,
): ((value: unknown) => boolean) | undefined {
  if (operator === 'semver_wildcard') return within(wildcardRange(filterValue))
  const wanted = parseVersion(filterValue)
  if (wanted === undefined) return undefined
  switch (operator) {
    case 'semver_eq':
      return comparing(wanted, (order) => order === 0)
    case 'semver_neq':
      return comparing(wanted, (order) => order !== 0)
    case 'semver_gt':
      return comparing(wanted, (order) => order > 0)
    case 'semver_gte':
      return comparing(wanted, (order) => order >= 0)
    case 'semver_lt':
      return comparing(wanted, (order) => order < 0)
    case 'semver_lte':
      return comparing(wanted, (order) => order <= 0)
    case 'semver_tilde':
      return within({ from: wanted, below: [wanted.core[0], wanted.core[1] + 1, 0] })
    case 'semver_caret':
      return within({ from: wanted, below: caretEnd(wanted.core) })
    default:
      return operator satisfies never
  }
}

function comparing(wanted: Version, holds: (order: number) => boolean) {
  return (value: unknown) => {
    const version = parseVersion(value)
    return version !== undefined && holds(compareVersions(version, wanted))
  }
}

type Range = { readonly from: Version; readonly below: Version['core'] | undefined }

/** Pre-releases lie outside every range. */
function within(range: Range | undefined) {
  if (range === undefined) return undefined
  return (value: unknown) => {
    const version = parseVersion(value)
    if (version === undefined || version.pre.length > 0) return false
    if (compareVersions(version, range.from) < 0) return false
    return range.below === undefined || compareCores(version.core, range.below) < 0
  }
}

function caretEnd([major, minor, patch]: Version['core']): Version['core'] {
  if (major > 0) return [major + 1, 0, 0]
  if (minor > 0) return [0, minor + 1, 0]
  return [0, 0, patch + 1]
}

function wildcardRange(filterValue: unknown): Range | undefined {
  const text = versionText(filterValue)
  if (text === undefined) return undefined
  const stars = WILDCARD.exec(text)
  if (stars === null) return fixedRange(text)
  const [major, minor] = [stars[1], stars[2]]
  if (text.split('.').length > 3) return undefined
  if (major === undefined) return { from: { core: [0, 0, 0], pre: [] }, below: undefined }
  return rangeOfParts(minor === undefined ? [Number(major)] : [Number(major), Number(minor)])
}

/** A pattern without a star stands for the versions that begin with its parts. */
function fixedRange(text: string): Range | undefined {
  return CORE.test(text) ? rangeOfParts(text.split('.').map(Number)) : undefined
}

function rangeOfParts(parts: readonly number[]): Range {
  const [major = 0, minor = 0, patch = 0] = parts
  const from: Version = { core: [major, minor, patch], pre: [] }
  if (parts.length === 1) return { from, below: [major + 1, 0, 0] }
  if (parts.length === 2) return { from, below: [major, minor + 1, 0] }
  return { from, below: [major, minor, patch + 1] }
}
