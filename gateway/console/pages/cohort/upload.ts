/** A file of distinct ids, which the server reads as CSV, sent in pieces. */
import { cut, formatNumber } from '../../data/format.ts'
import { UPLOAD_TEXTS as TEXTS } from './texts.ts'

const FILE_BYTES_MAX = 67_108_864
const FILE_LINES_MAX = 1_000_000
/** Distinct ids of one call. The server takes twice as many. */
const PIECE_LINES = 50_000
/** Characters of one call, well below what a body may have. */
const PIECE_CHARS = 4_194_304
const ID_CHARS_MAX = 400
const ROW_CHARS_MAX = 65_536
const HEADING = 'distinct_id'
const IS_HEADING = /^\s*"?(?:distinct|person)[\s_-]?id"?\s*$/i
const SHOWN = 3
const SHOWN_CHARS = 40
const MB = 1_048_576

export type IdFile = {
  /** Heading of each piece: it names the column of the ids. */
  readonly heading: string
  /** Without a heading and blank lines. */
  readonly lines: readonly string[]
}

/** @throws {Error} with words for the user. */
export async function readIdFile(file: File): Promise<IdFile> {
  if (file.size > FILE_BYTES_MAX) {
    throw new Error(TEXTS.tooLarge(Math.ceil(file.size / MB), FILE_BYTES_MAX / MB))
  }
  return linesOf(textOf(await file.arrayBuffer()))
}

function textOf(bytes: ArrayBuffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Bytes that are no UTF-8 are refused like a text with a NUL.
  }
  throw new Error(TEXTS.noText)
}

/** @throws {Error} with words for the user. */
function linesOf(text: string): IdFile {
  const all = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const filled = all.filter((line) => line.trim() !== '')
  const [first = ''] = filled
  const isTable = hasColumns(first)
  const charsMax = isTable ? ROW_CHARS_MAX : ID_CHARS_MAX
  const long = all.findIndex((line) => line.length > charsMax)
  if (long !== -1) throw new Error(TEXTS.tooLong(long + 1))
  const hasHeading = isTable || IS_HEADING.test(first)
  const lines = hasHeading ? filled.slice(1) : filled
  if (lines.length === 0) throw new Error(TEXTS.empty)
  if (lines.length > FILE_LINES_MAX) {
    throw new Error(TEXTS.tooMany(lines.length, FILE_LINES_MAX))
  }
  return { heading: hasHeading ? first : HEADING, lines }
}

/** The server picks the column, or names the columns where none holds ids. */
function hasColumns(line: string): boolean {
  return /[,;\t]/.test(line.replaceAll(/"[^"]*"/g, ''))
}

/** The file in a sentence. */
export function fileText({ lines }: IdFile): string {
  const first = lines.slice(0, SHOWN).map((line) => cut(line, SHOWN_CHARS))
  const rest = lines.length > SHOWN ? ', …' : ''
  return TEXTS.found(lines.length, first.join(', ') + rest)
}

/** CSV of one call each. The heading keeps an id that looks like one. */
function* piecesOf({ heading, lines }: IdFile, from = 0): Generator<Piece> {
  const pieceOf = (start: number, to: number): Piece => ({
    csv: [heading, ...lines.slice(start, to)].join('\n'),
    to,
  })
  let start = from
  let chars = 0
  for (let at = from; at < lines.length; at++) {
    const size = lines[at]?.length ?? 0
    if (at > start && (at - start >= PIECE_LINES || chars + size > PIECE_CHARS)) {
      yield pieceOf(start, at)
      start = at
      chars = 0
    }
    chars += size + 1
  }
  if (start < lines.length) yield pieceOf(start, lines.length)
}

type Piece = { readonly csv: string; readonly to: number }

export type Progress = {
  readonly done: number
  /** Distinct ids that belong to no person, so far. */
  readonly notFound: number
}

export const NOTHING_DONE: Progress = { done: 0, notFound: 0 }

/**
 * Sends the rest of a file. A call that fails ends it with its error, and it can be called again
 * again with the progress that was reported last.
 * @param add adds the distinct ids of CSV, and answers how many of them nobody has.
 */
export async function sendLines(
  file: IdFile,
  before: Progress,
  add: (csv: string) => Promise<number>,
  onProgress: (progress: Progress) => void,
): Promise<Progress> {
  let progress = before
  for (const { csv, to } of piecesOf(file, before.done)) {
    progress = { done: to, notFound: progress.notFound + (await add(csv)) }
    onProgress(progress)
  }
  return progress
}

export function doneText({ done, notFound }: Progress): string {
  return [TEXTS.done(done), ...(notFound > 0 ? [TEXTS.missing(notFound)] : [])].join(' ')
}

export function progressText({ done }: Progress, { lines }: IdFile): string {
  return `${TEXTS.progress(done, lines.length)} (${formatNumber(Math.floor((done / lines.length) * 100))} %)`
}
