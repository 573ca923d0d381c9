/** What parsers of JSON text look for between its strings. */

const COLON = 58

/** True when the next character from `start` on that is no space is a colon. */
export function isBeforeColon(text: string, start: number): boolean {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === COLON
}

export function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9
}
