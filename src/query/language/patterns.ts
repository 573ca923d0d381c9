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

/** A text and a pattern, in which `%` is anything and `_` one character. */
export function like(kind: Like): Rule {
  return taking(['String', 'String'], 'Bool', BUILDS[kind])
}

/** A backslash takes the meaning from what follows it; Postgres would refuse one at the end. */
function wellFormed(pattern: Fragment): Fragment {
  return fragment`regexp_replace(${startOfPattern(pattern)}, '^((?:[^\\\\]|\\\\.)*)\\\\$', '\\1\\\\\\\\')`
}
