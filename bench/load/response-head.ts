/** Reads an HTTP/1.1 head: its status, where the body ends, and whether it has `Retry-After`. */

const LF = 10

/** 0 when the line is not `HTTP/1.x nnn`. */
export function statusOf(head: Buffer, start: number, end: number): number {
  if (end - start < 13 || head[start] !== 72 || head[start + 5] !== 49) return 0
  const hundreds = (head[start + 9] ?? 0) - 48
  const tens = (head[start + 10] ?? 0) - 48
  const ones = (head[start + 11] ?? 0) - 48
  if (hundreds < 1 || hundreds > 9 || tens < 0 || tens > 9 || ones < 0 || ones > 9) return 0
  return hundreds * 100 + tens * 10 + ones
}

type Framing = { keepAlive: boolean; chunked: boolean; length: number; retryAfter: boolean }

/** Reused for every answer: the parser copies it before it reads the next head. */
const framing: Framing = { keepAlive: true, chunked: false, length: -1, retryAfter: false }

/** The framing of `head[start, end)`, or what is wrong with it. Overwritten by the next call. */
export function framingOf(head: Buffer, start: number, end: number): Framing | string {
  framing.keepAlive = head[start + 7] !== 48
  framing.chunked = false
  framing.length = -1
  framing.retryAfter = false
  for (let line = head.indexOf(LF, start) + 1; line > 0 && line < end - 2; ) {
    const nextLine = head.indexOf(LF, line) + 1
    const first = (head[line] ?? 0) | 32
    if (first === 99 || first === 114 || first === 116) {
      const problem = readFramingHeader(head, line, Math.min(nextLine, end) - 2)
      if (problem !== undefined) return problem
    }
    line = nextLine
  }
  return framing
}

function readFramingHeader(head: Buffer, start: number, end: number): string | undefined {
  if (isNamed(head, start, end, 'content-length')) {
    const length = decimal(head, start + 15, end)
    if (length < 0 || (framing.length >= 0 && framing.length !== length)) return 'bad length'
    framing.length = length
  } else if (isNamed(head, start, end, 'connection')) {
    const value = head
      .toString('latin1', start + 11, end)
      .trim()
      .toLowerCase()
    if (value === 'close') framing.keepAlive = false
    else if (value === 'keep-alive') framing.keepAlive = true
  } else if (isNamed(head, start, end, 'transfer-encoding')) {
    const value = head
      .toString('latin1', start + 18, end)
      .trim()
      .toLowerCase()
    if (value !== 'chunked') return `transfer encoding ${value}`
    framing.chunked = true
  } else if (isNamed(head, start, end, 'retry-after')) {
    framing.retryAfter = decimal(head, start + 12, end) >= 0
  }
  return undefined
}

function isNamed(head: Buffer, start: number, end: number, name: string): boolean {
  if (end - start <= name.length || head[start + name.length] !== 58) return false
  for (let index = 0; index < name.length; index++) {
    const byte = head[start + index] ?? 0
    const lower = byte >= 65 && byte <= 90 ? byte | 32 : byte
    if (lower !== name.charCodeAt(index)) return false
  }
  return true
}

/** -1 when the text has anything but digits and blanks. */
function decimal(head: Buffer, start: number, end: number): number {
  let value = -1
  let closed = false
  for (let at = start; at < end; at++) {
    const byte = head[at] ?? 0
    if (byte === 32 || byte === 9) {
      closed = value >= 0
    } else if (byte >= 48 && byte <= 57 && !closed && value < 1e12) {
      value = Math.max(value, 0) * 10 + byte - 48
    } else {
      return -1
    }
  }
  return value
}
