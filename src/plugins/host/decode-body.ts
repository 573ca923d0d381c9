/** Decodes the bodies that `fetch` of plugins gets. */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { FetchFailed } from './fetch-request.ts'

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>

const decodeGzip: Decode = promisify(gunzip)
const decodeZlib: Decode = promisify(inflate)
const decodeBare: Decode = promisify(inflateRaw)
const decodeBrotli: Decode = (bytes, { maxOutputLength }) =>
  promisify(brotliDecompress)(bytes, maxOutputLength === undefined ? {} : { maxOutputLength })

/** The encodings that `decodedBody` reads, as a request header. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

/**
 * The whole body without its content encoding. Another thread inflates it, and stops at the bound.
 * @throws {FetchFailed} when it is larger than `bytesMax`, encoded or decoded, or its encoding is
 * unknown.
 */
export async function decodedBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const bytes = await read(response, bytesMax)
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes
  const decode = decoderOf(coding, bytes)
  if (decode === undefined) {
    throw new FetchFailed('fetch failed: the answer has an encoding that is not supported')
  }
  try {
    return await decode(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax)
    throw new FetchFailed('fetch failed: the answer cannot be decoded', { cause: error })
  }
}

async function read(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > bytesMax) throw tooLarge(bytesMax)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function decoderOf(coding: string, bytes: Buffer): Decode | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return decodeGzip
    case 'deflate':
      return isZlib(bytes) ? decodeZlib : decodeBare
    case 'br':
      return decodeBrotli
    default:
      return undefined
  }
}

/** The header of zlib's format is a multiple of 31, and 8 is the only method. */
function isZlib(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function tooLarge(bytesMax: number): FetchFailed {
  return new FetchFailed(`fetch failed: the answer is larger than ${bytesMax} bytes`)
}
