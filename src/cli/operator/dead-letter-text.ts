/** Dead letters as text for a terminal. */
import type { DeadLetter__Output } from '../../../proto/gen/sluice/v1/DeadLetter.ts'
import { parseExact, withNumbers } from '../../core/json-text/exact-numbers.ts'
import { printable } from '../../core/logging/printable.ts'

const TABLE_HEAD =
  'id        created              project  tries  state  event                     error'
const ERROR_WIDTH = 72

/** One line per dead letter, without its event. */
export function deadLetterTable(letters: readonly DeadLetter__Output[]): string {
  return [TABLE_HEAD, ...letters.map(tableRow)].join('\n')
}

function tableRow(letter: DeadLetter__Output): string {
  return [
    String(letter.id).padEnd(9),
    letter.created_at.slice(0, 19).padEnd(20),
    String(letter.project_id).padEnd(8),
    String(letter.attempts).padEnd(6),
    letter.sqlstate.padEnd(6),
    fitted(letter.event, 25),
    fitted(letter.error, ERROR_WIDTH).trimEnd(),
  ].join(' ')
}

/** Everything of one dead letter, its event at the end. */
export function deadLetterDetails(letter: DeadLetter__Output): string {
  const fields: readonly (readonly [name: string, value: string | number])[] = [
    ['id', letter.id],
    ['created', letter.created_at],
    ['project', letter.project_id],
    ['uuid', letter.uuid],
    ['event', letter.event],
    ['distinct id', letter.distinct_id],
    ['attempts', letter.attempts],
    ['SQLSTATE', letter.sqlstate],
    ['error', letter.error],
  ]
  const lines = fields.map(([name, value]) => `${name.padEnd(12)} ${printable(String(value))}`)
  return [
    ...lines,
    '',
    ...indented(letter.payload ?? '')
      .split('\n')
      .map(printable),
  ].join('\n')
}

/** The kept event with its JSON texts as objects; the text itself when it is no event. */
function indented(payload: string): string {
  try {
    const event: unknown = JSON.parse(payload)
    return withNumbers(JSON.stringify(event, withInnerJson, 2))
  } catch {
    return payload
  }
}

const JSON_TEXTS = new Set(['properties', 'set', 'setOnce'])

function withInnerJson(name: string, value: unknown): unknown {
  if (!JSON_TEXTS.has(name) || typeof value !== 'string' || value === '') return value
  try {
    return parseExact(value)
  } catch {
    return value // The reason, perhaps, why it was refused.
  }
}

function fitted(text: string, width: number): string {
  const points = Array.from(printable(text))
  if (points.length <= width) return points.join('').padEnd(width)
  return `${points.slice(0, width - 1).join('')}…`
}
