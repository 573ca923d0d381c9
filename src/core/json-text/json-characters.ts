/** Characters of JSON text between its strings. */

const COLON = 58
const BACKSLASH = 92

/** True when the next character from `start` on that is no space is a colon. */
export function isBeforeColon(text: string, start: number): boolean {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === COLON
}

export function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9
}

/** Index of the closing quote of the string that opens at `start`, or of the end of the text. */
export function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
