/** Answers as files: CSV, JSON, SVG or PNG. */
import { type Json, type JsonObject, objectOf } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import { answerText } from '../../query/insights/answer-text.ts'
import type { InsightAnswer } from '../../query/insights/count-answers.ts'
import { type CellMode, csvLines } from '../../wire/csv.ts'
import { tableOf } from './answer-table.ts'
import { type PictureSize, pictureOf } from './drawing/picture.ts'
import type { ThemeName } from './drawing/theme.ts'
import type { RenderPng } from './png.ts'
import { drawingOf, rangeTextOf } from './read-drawing.ts'

export const EXPORT_FORMATS = ['csv', 'json', 'svg', 'png'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** Size of a picture unless its request says otherwise. */
export const PICTURE_SIZE: PictureSize = { width: 960, height: 540 }

export type Answered = {
  readonly name: string
  readonly question: Json
  readonly answer: InsightAnswer
}

export type ExportAsked = {
  readonly format: ExportFormat
  readonly size: PictureSize
  readonly theme: ThemeName
  readonly cells: CellMode
}

export type ExportedFile = {
  readonly content: Uint8Array
  readonly contentType: string
}

/** @param answer with exact numbers, see `parseExact`. */
export function svgOf(
  { name, question }: Pick<Answered, 'name' | 'question'>,
  answer: JsonObject,
  size: PictureSize,
  theme: ThemeName,
): string {
  const words = { title: name, subtitle: rangeTextOf(question, answer) }
  return pictureOf(drawingOf(question, answer), words, size, theme)
}

/** @throws {AppError} of the renderer. */
export async function exportAnswer(
  answered: Answered,
  { format, size, theme, cells }: ExportAsked,
  renderPng: RenderPng,
  signal: AbortSignal,
): Promise<ExportedFile> {
  const contentType = CONTENT_TYPES[format]
  const text = answerText(answered.answer)
  if (format === 'json') return { content: Buffer.from(text), contentType }
  const answer = objectOf(parseExact(text))
  if (format === 'csv') {
    const { columns, rows } = tableOf(answered.question, answer)
    return { content: Buffer.from(csvLines([columns, ...rows], cells)), contentType }
  }
  const svg = svgOf(answered, answer, size, theme)
  if (format === 'svg') return { content: Buffer.from(svg), contentType }
  return { content: await renderPng(svg, signal), contentType }
}
