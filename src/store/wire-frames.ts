/**
 * As much of Postgres' wire protocol as a guard on the connection needs: one byte of type, four of
 * length, which count themselves. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

export type TransactionStatus = 'I' | 'T' | 'E'

/** Whole messages of one direction. */
export type Frame = { readonly type: string; readonly bytes: Buffer }

const HEADER_BYTES = 5

/**
 * Cuts a stream into runs of whole messages. A message in pieces is held until it is whole: after a
 * half of one, nothing else can be said on the connection.
 */
export type FrameReader = { read(chunk: Buffer): Buffer | undefined }

export function createFrameReader(): FrameReader {
  let parts: Buffer[] = []
  let heldBytes = 0
  let neededBytes = HEADER_BYTES
  return {
    read(chunk) {
      parts.push(chunk)
      heldBytes += chunk.length
      // Joined only when there is a message to cut, so that a large one is not copied per piece.
      if (heldBytes < neededBytes) return undefined
      const joined = parts.length === 1 ? chunk : Buffer.concat(parts)
      let end = 0
      neededBytes = HEADER_BYTES
      while (joined.length - end >= HEADER_BYTES) {
        const frameBytes = frameLength(joined, end)
        if (joined.length - end < frameBytes) {
          neededBytes = frameBytes
          break
        }
        end += frameBytes
      }
      parts = end === joined.length ? [] : [joined.subarray(end)]
      heldBytes = joined.length - end
      return end === 0 ? undefined : joined.subarray(0, end)
    },
  }
}

/** The messages of a run, without copying. A tail that is not whole is left out. */
export function* framesOf(run: Buffer): Generator<Frame> {
  let start = 0
  while (run.length - start >= HEADER_BYTES) {
    const end = start + frameLength(run, start)
    if (end > run.length) return
    yield { type: String.fromCharCode(run[start] ?? 0), bytes: run.subarray(start, end) }
    start = end
  }
}

function frameLength(bytes: Buffer, start: number): number {
  return 1 + Math.max(4, bytes.readUInt32BE(start + 1)) // A length below 4 would never advance.
}

/** Text up to the next zero byte, cut at `bytesMax`: statements may be megabytes. */
export function textAt(bytes: Buffer, start: number, bytesMax = 64): string {
  const end = bytes.indexOf(0, start)
  const stop = Math.min(end === -1 ? bytes.length : end, start + bytesMax)
  return bytes.toString('utf8', start, stop)
}

export function statusOf(readyForQuery: Buffer): TransactionStatus {
  const status = String.fromCharCode(readyForQuery[HEADER_BYTES] ?? 0)
  return status === 'T' || status === 'E' ? status : 'I'
}

/** Whether an ErrorResponse announces the end of its connection. */
export function isFatal(errorResponse: Buffer): boolean {
  return errorResponse.includes('VFATAL\0') || errorResponse.includes('VPANIC\0')
}

/** What an ErrorResponse says; its SQLSTATE is the `code`. */
export function errorOf(errorResponse: Buffer): Error {
  const fields = errorResponse.toString('utf8', HEADER_BYTES).split('\0')
  const field = (tag: string) => fields.find((each) => each.startsWith(tag))?.slice(1)
  return Object.assign(new Error(field('M')), { code: field('C') })
}

export function errorResponse(sqlState: string, message: string): Buffer {
  return frame('E', `SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
}

export function commandComplete(tag: string): Buffer {
  return frame('C', `${tag}\0`)
}

export function readyForQuery(status: TransactionStatus): Buffer {
  return frame('Z', status)
}

function frame(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(body))
  bytes.write(type, 0, 'latin1')
  bytes.writeUInt32BE(bytes.length - 1, 1)
  bytes.write(body, HEADER_BYTES)
  return bytes
}

/**
 * The driver's first bytes may begin with messages of the session before, written as it was lost.
 * Its startup message begins with a zero byte, messages of a session with a letter.
 */
export function withoutStalePrefix(bytes: Buffer): Buffer {
  let start = 0
  for (const frame of framesOf(bytes)) {
    if (frame.type === '\0') break
    start += frame.bytes.length
  }
  return bytes.subarray(start)
}
