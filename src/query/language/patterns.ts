/** The operators `like` and `ilike`. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { type Rule, taking } from './rules.ts'
import { startOfPattern } from './text-bounds.ts'
import type { Build } from './typed.ts'

type Like = 'like' | 'ilike' | 'notLike' | 'notIlike'

const BUILDS: Readonly<Record<Like, Build>> = {
  like: (text, pattern) => fragment`(${text} like ${wellFormed(pattern)})`,
  ilike: (text, pattern) => fragment`(${text} ilike ${wellFormed(pattern)})`,
  notLike: (text, pattern) => fragment`(${text} not like ${wellFormed(pattern)})`,
  notIlike: (text, pattern) => fragment`(${text} not ilike ${wellFormed(pattern)})`,
}

/** Compares a text with a pattern: `%` matches any text and `_` any character. */
export function like(kind: Like): Rule {
  return taking(['String', 'String'], 'Bool', BUILDS[kind])
}

/**
 * A backslash escapes the character after it. Postgres refuses a pattern that ends in one, so it is
 * doubled.
 */
function wellFormed(pattern: Fragment): Fragment {
  return fragment`regexp_replace(${startOfPattern(pattern)}, '^((?:[^\\\\]|\\\\.)*)\\\\$', '\\1\\\\\\\\')`
}
