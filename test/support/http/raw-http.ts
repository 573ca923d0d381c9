/** HTTP over a raw socket, for malformed requests. */
import { connect, type Socket } from 'node:net'

export type RawResponse = {
  status: number
  headers: ReadonlyMap<string, string>
  body: Buffer
}

/** A request without a body, and one with it; `headers` are whole lines. */
export const get = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n'
export function post(body: string, headers = ''): string {
  return `POST /p HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** A client that sends bytes unchanged, and reads answers one by one. */
export class RawClient {
  readonly socket: Socket
  /** Grows by doubling: a large answer comes in a thousand pieces. */
  #buffer = Buffer.allocUnsafe(65_536)
  #length = 0
  #ended = false
  #wake: (() => void) | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk) => {
      this.#keep(chunk)
      this.#wake?.()
    })
    socket.on('error', () => {
      // A server may refuse by a reset; `close` follows.
    })
    socket.on('close', () => {
      this.#ended = true
      this.#wake?.()
    })
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new RawClient(socket)
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** The next whole answer; `undefined` when the connection ends before it does. */
  async next({ head = false } = {}): Promise<RawResponse | undefined> {
    const seen: Chunks = { ranges: [] }
    for (;;) {
      const parsed = parse(this.#buffer.subarray(0, this.#length), head, seen)
      if (parsed !== undefined) {
        const rest = this.#buffer.subarray(parsed.length, this.#length)
        this.#buffer = Buffer.from(rest)
        this.#length = rest.length
        return parsed.response
      }
      if (this.#ended) return undefined
      await this.#more()
    }
  }

  /** Everything not yet read, once the server has ended the connection. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#more()
    return this.#buffer.toString('latin1', 0, this.#length)
  }

  #keep(chunk: Buffer): void {
    const length = this.#length + chunk.length
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(2 * length)
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** One request on a connection of its own. */
export async function ask(port: number, request: string): Promise<RawResponse | undefined> {
  const client = await RawClient.connect(port)
  client.send(request)
  const response = await client.next({ head: request.startsWith('HEAD ') })
  client.socket.destroy()
  return response
}

/** Body in chunked coding, `size` bytes to a chunk. */
export function chunked(body: Uint8Array, size: number): Buffer {
  const parts: Uint8Array[] = []
  for (let at = 0; at < body.byteLength; at += size) {
    const piece = body.subarray(at, at + size)
    parts.push(Buffer.from(`${piece.byteLength.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

type Parsed = { response: RawResponse; length: number }
/** Chunks parsed so far of an incomplete body, so that a large body is parsed only once. */
type Chunks = { ranges: { start: number; end: number }[] }

function parse(all: Buffer, head: boolean, seen: Chunks): Parsed | undefined {
  const headEnd = all.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = all.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  const start = headEnd + 4
  if (head || status < 200 || status === 204 || status === 304) {
    return { response: { status, headers, body: Buffer.alloc(0) }, length: start }
  }
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = parseChunks(all, start, seen)
    return body && { response: { status, headers, body: body.bytes }, length: body.end }
  }
  const end = start + Number(headers.get('content-length') ?? 0)
  if (all.length < end) return undefined
  return { response: { status, headers, body: all.subarray(start, end) }, length: end }
}

function parseChunks(
  all: Buffer,
  start: number,
  { ranges }: Chunks,
): { bytes: Buffer; end: number } | undefined {
  for (;;) {
    const last = ranges.at(-1)
    const at = last === undefined ? start : last.end + 2
    const lineEnd = all.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(all.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (all.length < end + 2) return undefined
    if (size === 0) {
      const parts = ranges.map((range) => all.subarray(range.start, range.end))
      return { bytes: Buffer.concat(parts), end: end + 2 }
    }
    ranges.push({ start: lineEnd + 2, end })
  }
}
