/**
 * Answers in pieces. The engine makes of each piece an answer of its own: formats with a head repeat
 * it, and those with a frame around all rows cannot be joined.
 */

/** Formats whose pieces are rows and nothing else. */
const PLAIN = new Set([
  'JSONEachRow',
  'JSONCompactEachRow',
  'JSONStringsEachRow',
  'JSONCompactStringsEachRow',
  'TabSeparated',
  'TSV',
  'TabSeparatedRaw',
  'TSVRaw',
  'CSV',
  'RowBinary',
])
/** Formats that begin with lines of names and types. */
const HEADED: ReadonlyMap<string, number> = new Map([
  ...['CSVWithNames', 'TSVWithNames', 'TabSeparatedWithNames'].map((name) => [name, 1] as const),
  ['JSONCompactEachRowWithNames', 1],
  ...['CSVWithNamesAndTypes', 'TSVWithNamesAndTypes'].map((name) => [name, 2] as const),
  ['JSONCompactEachRowWithNamesAndTypes', 2],
])

const NEWLINE = 0x0a
const QUOTE = 0x22

/** Whether pieces of this format can be joined. */
export function isJoinable(format: string): boolean {
  return PLAIN.has(format) || HEADED.has(format)
}

/** Takes the heads off all pieces but the first. */
export function createJoiner(format: string): (piece: Buffer) => Buffer {
  const lines = HEADED.get(format) ?? 0
  let isFirst = true
  return (piece) => {
    const from = isFirst ? 0 : headBytes(piece, lines)
    isFirst = false
    return piece.subarray(from)
  }
}

/** Length of the head. A quoted name may hold a line break. */
function headBytes(piece: Buffer, lines: number): number {
  let left = lines
  let isQuoted = false
  for (let at = 0; at < piece.length && left > 0; at++) {
    if (piece[at] === QUOTE) isQuoted = !isQuoted
    if (piece[at] === NEWLINE && !isQuoted) left -= 1
    if (left === 0) return at + 1
  }
  return 0
}
