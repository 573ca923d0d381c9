/**
 * Rewrites patterns of filters for ClickHouse, which takes RE2, to mean what the other store means
 * by them: letters and blanks of all languages, and `.` for any character.
 */

/** Members of classes. A negated class within a class has no equivalent, and stays as it is. */
const WORD = '\\p{L}\\p{M}\\p{Nl}0-9_'
const SPACE = '\\t-\\r \\x{85}\\p{Z}'
const MEMBERS: Readonly<Record<string, string>> = { w: WORD, s: SPACE }
const NEGATED: Readonly<Record<string, string>> = { W: WORD, S: SPACE }
const NAMED: Readonly<Record<string, string>> = {
  '[:alpha:]': '\\p{L}\\p{M}\\p{Nl}',
  '[:alnum:]': '\\p{L}\\p{M}\\p{Nl}0-9',
  '[:word:]': WORD,
  '[:space:]': SPACE,
  '[:lower:]': '\\p{Ll}',
  '[:upper:]': '\\p{Lu}',
}

/** @param pattern that RE2 accepts: see `isPattern`. */
export function inClickHouse(pattern: string): string {
  // Postgres refuses quoted stretches, so there is no behaviour to match.
  if (pattern.includes('\\Q')) return pattern
  let text = ''
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    if (character === '\\') {
      const escaped = pattern.charAt(++at)
      text += escapeOf(escaped, inClass)
      continue
    }
    if (character === '[' && !inClass) {
      inClass = true
      // A bracket right after the first one is a member.
      const [opening = '['] = /^\[\^?\]?/.exec(pattern.slice(at)) ?? []
      text += opening
      at += opening.length - 1
      continue
    }
    if (character === '[') {
      const [name = ''] = /^\[:\w+:\]/.exec(pattern.slice(at)) ?? []
      text += NAMED[name] ?? (name || character)
      at += Math.max(name.length - 1, 0)
      continue
    }
    if (character === ']') inClass = false
    text += character
  }
  // ClickHouse lets `.` take a line break too.
  return text
}

function escapeOf(escaped: string, inClass: boolean): string {
  const members = MEMBERS[escaped]
  if (members !== undefined) return inClass ? members : `[${members}]`
  const others = inClass ? undefined : NEGATED[escaped]
  return others === undefined ? `\\${escaped}` : `[^${others}]`
}
