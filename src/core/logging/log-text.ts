/** Lines of the log as people read them on a terminal. */
import { isObject } from '../json.ts'
import { printable } from './printable.ts'

const COLORS: Readonly<Record<string, number>> = { warn: 33, error: 31, debug: 90 }
const DIM = 90

type Output = { write(text: string): unknown }

/** A destination of a log for a terminal: each JSON line becomes one that people read. */
export function textLines(output: Output, hasColors: boolean): { write(line: string): void } {
  return {
    write: (line) => {
      output.write(logText(line, hasColors))
    },
  }
}

/** Members of a line that have a place of their own, or say nothing on a terminal. */
const PLACED = new Set(['level', 'time', 'message', 'name'])

/**
 * One JSON line of the log as text: the local time, the level unless it is `info`, the message,
 * then the fields. The stack of an error follows on lines of its own only where the line is an
 * `error`: of a failure that heals itself the message is enough. Text that is not such a line is
 * returned as it is.
 */
export function logText(line: string, hasColors: boolean): string {
  const entry = parsed(line)
  if (entry === undefined) return line
  const { level, time, message } = entry
  const paint = (text: string, color: number | undefined) =>
    hasColors && color !== undefined && text !== '' ? `\u001b[${color}m${text}\u001b[0m` : text
  const label = level === 'info' ? '' : String(level)
  const fields = Object.entries(entry).filter(([key]) => !PLACED.has(key))
  const said = fields.map(([key, value]) => `${key}=${valueText(value)}`).join(' ')
  const stacks = level === 'error' ? fields.flatMap(([, value]) => stackOf(value)) : []
  const parts = [
    paint(timeText(time), DIM),
    paint(label, COLORS[label]),
    printable(String(message)),
    paint(said, DIM),
  ]
  return [parts.filter((part) => part !== '').join(' '), ...stacks].join('\n').concat('\n')
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return isObject(entry) && typeof entry['message'] === 'string' ? entry : undefined
  } catch {
    return undefined // Shown as it is.
  }
}

function timeText(time: unknown): string {
  const at = new Date(String(time))
  if (Number.isNaN(at.getTime())) return ''
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

function valueText(value: unknown): string {
  if (isObject(value) && typeof value['message'] === 'string') {
    const code = typeof value['code'] === 'string' ? ` (${value['code']})` : ''
    return printable(JSON.stringify(`${value['message']}${code}`))
  }
  const text = JSON.stringify(value) ?? ''
  return typeof value === 'string' && /^[\w./:@*+-]+$/.test(value) ? value : printable(text)
}

/** Stack frames only: the message is among the fields and may have lines of its own. */
function isFrame(line: string): boolean {
  return /^\s+at /.test(line)
}

function stackOf(value: unknown): readonly string[] {
  if (!isObject(value) || typeof value['stack'] !== 'string') return []
  const own = value['stack'].split('\n').filter(isFrame).map(printable)
  return value['cause'] === undefined ? own : [...own, ...stackOf(value['cause'])]
}
