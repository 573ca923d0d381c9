/** Messages of a Postgres server, for tests that play one. */

const HEADER_BYTES = 5

export function errorMessage(severity: 'ERROR' | 'FATAL', sqlState: string, text: string): Buffer {
  return message('E', `S${severity}\0V${severity}\0C${sqlState}\0M${text}\0\0`)
}

export function commandComplete(tag: string): Buffer {
  return message('C', `${tag}\0`)
}

export function readyForQuery(status: 'I' | 'T' | 'E'): Buffer {
  return message('Z', status)
}

/** One byte of type, four of length, which count themselves. */
export function message(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(body))
  bytes.write(type, 0, 'latin1')
  bytes.writeUInt32BE(bytes.length - 1, 1)
  bytes.write(body, HEADER_BYTES)
  return bytes
}
