import { RE2JS } from 're2js'
import {
  FLAG_REGEX_PROGRAM_MAX,
  FLAG_SUBJECT_LENGTH_MAX,
  PATTERNS_KEPT_MAX,
} from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { remembered } from '../../core/work/remembered.ts'
import { compileLookAround } from './look-around.ts'

/** Feature flags. Characters of a regular expression in a filter; longer is refused at save. */
const FLAG_REGEX_LENGTH_MAX = 1_000
/** Instructions times characters of one match: about 5 ms. A longer subject does not match. */
const FLAG_REGEX_WORK_MAX = 200_000

/** A regular expression that runs in time linear in its subject. */
export type Pattern = {
  /** Steps a character may take: the instructions, twice where our own engine runs them. */
  readonly cost: number
  /** Longest subject, in UTF-16 units, that keeps a match within `FLAG_REGEX_WORK_MAX`. */
  readonly subjectLengthMax: number
  /** Unanchored, case-sensitive; `$` is the end of the text only. */
  test(subject: string): boolean
}

const LOOK_AHEAD = /\(\?[=!]/

/**
 * Compiles with RE2's engine. That one has no look-ahead, which real flags use, so such patterns go
 * to `look-around.ts`, linear too. Back-references have no linear engine and are refused.
 */
export function compilePattern(source: string): Result<Pattern, string> {
  if (source.length > FLAG_REGEX_LENGTH_MAX) return tooLong()
  const kept = compiledOnce(source)
  if (!kept.ok) return kept
  const known = kept.value.compiled.deref()
  if (known !== undefined) return ok(known)
  const again = compile(source)
  if (again.ok) kept.value.compiled = new WeakRef(again.value)
  return again
}

/** Checks a pattern as `compilePattern` does, where nothing is to be matched. */
export function inspectPattern(
  source: string,
): Result<{ readonly subjectLengthMax: number }, string> {
  return source.length > FLAG_REGEX_LENGTH_MAX ? tooLong() : compiledOnce(source)
}

function tooLong(): { readonly ok: false; readonly error: string } {
  return err(`longer than ${FLAG_REGEX_LENGTH_MAX} characters`)
}

/** The snapshots that use a pattern hold it, and share one; here it is only referenced weakly. */
type Compiled = { readonly subjectLengthMax: number; compiled: WeakRef<Pattern> }

const compiledOnce = remembered(PATTERNS_KEPT_MAX, (source): Result<Compiled, string> => {
  const pattern = compile(source)
  if (!pattern.ok) return pattern
  const { subjectLengthMax } = pattern.value
  return ok({ subjectLengthMax, compiled: new WeakRef(pattern.value) })
})

function compile(source: string): Result<Pattern, string> {
  const lookAhead = LOOK_AHEAD.test(source)
  const engine = lookAhead ? compileLookAround(source) : compileRe2(source)
  if (engine === undefined) return err('not a regular expression of the supported syntax and size')
  if (engine.size > FLAG_REGEX_PROGRAM_MAX) return err('too large once its repeats are written out')
  const cost = engine.size * (lookAhead ? 2 : 1)
  const subjectLengthMax = Math.min(FLAG_SUBJECT_LENGTH_MAX, Math.floor(FLAG_REGEX_WORK_MAX / cost))
  return ok({ cost, subjectLengthMax, test: engine.test })
}

type Engine = { readonly size: number; readonly test: (subject: string) => boolean }

function compileRe2(source: string): Engine | undefined {
  try {
    const compiled = RE2JS.compile(source, RE2JS.LOOKBEHINDS)
    return { size: compiled.programSize(), test: (subject) => compiled.test(subject) }
  } catch {
    // The parser's way to say no; its text names only the pattern, which the caller has.
    return undefined
  }
}
