/** Rewrites patterns of RE2 for Postgres. */

/** Escapes that Postgres writes in another way, or gives another meaning. */
const ESCAPES: Readonly<Record<string, string>> = { b: '\\y', B: '\\Y', z: '\\Z' }

/**
 * Classes as RE2 defines them. The same classes of Postgres have more members: line breaks, and
 * letters of all languages.
 */
const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_', s: '\\t\\n\\f\\r ' }

/** Members of the classes with a name: of ASCII alone in RE2. */
const NAMED: Readonly<Record<string, string>> = {
  '[:alnum:]': '0-9A-Za-z',
  '[:alpha:]': 'A-Za-z',
  '[:blank:]': '\\t ',
  '[:digit:]': '0-9',
  '[:lower:]': 'a-z',
  '[:punct:]': '!-/:-@\\[-`{-~',
  '[:space:]': '\\t\\n\\v\\f\\r ',
  '[:upper:]': 'A-Z',
  '[:word:]': '0-9A-Za-z_',
  '[:xdigit:]': '0-9A-Fa-f',
}

/** Whether `.`, `\d` and their like mean what Postgres means by them, or just what RE2 does. */
export type Classes = 'of_postgres' | 'of_re2'

/**
 * The pattern in Postgres's syntax. RE2 has no back-references, so Postgres's engine does not
 * backtrack. There are patterns that only Postgres refuses: see `acceptsPattern`.
 * @param pattern that RE2 accepts: see `isPattern`.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the characters of a pattern
export function inPostgres(pattern: string, classes: Classes = 'of_postgres'): string {
  const isExact = classes === 'of_re2'
  let text = ''
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    if (character === '\\') {
      const escaped = pattern.charAt(++at)
      const members = isExact ? CLASSES[escaped.toLowerCase()] : undefined
      if (members !== undefined && escaped !== 'D' && escaped !== 'W' && escaped !== 'S') {
        text += inClass ? members : `[${members}]`
        continue
      }
      if (members !== undefined && !inClass) {
        text += `[^${members}]`
        continue
      }
      text += (inClass ? undefined : ESCAPES[escaped]) ?? `\\${escaped}`
      continue
    }
    if (character === '[' && inClass && isExact) {
      const [name = ''] = /^\[:\w+:\]/.exec(pattern.slice(at)) ?? []
      text += NAMED[name] ?? (name || character)
      at += Math.max(name.length - 1, 0)
      continue
    }
    if (character === '[' && !inClass) inClass = true
    else if (character === ']' && inClass && !opensClass(pattern, at)) inClass = false
    // RE2 has no look-behind, so this begins a named group.
    if (!inClass && (pattern.startsWith('(?P<', at) || pattern.startsWith('(?<', at))) {
      text += '('
      at = pattern.indexOf('>', at)
      continue
    }
    text += isExact && character === '.' && !inClass ? '[^\\n]' : character
  }
  return text
}

/** A `]` right after `[` or `[^` is a member of the class. */
function opensClass(pattern: string, at: number): boolean {
  const before = pattern.charAt(at - 1)
  if (before === '[') return pattern.charAt(at - 2) !== '\\'
  return before === '^' && pattern.charAt(at - 2) === '[' && pattern.charAt(at - 3) !== '\\'
}
