/** Sends one HTTP request of a plugin. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import {
  PLUGIN_FETCH_BYTES_MAX,
  PLUGIN_FETCH_HEADER_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import { type CheckedRequest, FetchFailed } from './fetch-request.ts'
import { AddressRefused, type AllowsAddress } from './public-address.ts'

/** Decodes the bodies that `fetch` of plugins gets. */
type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>

const decodeGzip: Decode = promisify(gunzip)
const decodeZlib: Decode = promisify(inflate)
const decodeBare: Decode = promisify(inflateRaw)
const decodeBrotli: Decode = (bytes, { maxOutputLength }) =>
  promisify(brotliDecompress)(bytes, maxOutputLength === undefined ? {} : { maxOutputLength })

/** The encodings that `decodedBody` reads, as a request header. */
const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

/**
 * The whole body without its content encoding. Another thread inflates it, and stops at the bound.
 * @throws {FetchFailed} when it is larger than `bytesMax`, encoded or decoded, or its encoding is
 * unknown.
 */
async function decodedBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
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

export type Exchanged =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly statusText: string
      readonly headers: readonly (readonly [string, string])[]
      readonly body: Buffer
    }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }

export type ExchangeRules = {
  readonly allows: AllowsAddress
  /** The look-up of this request, which answers allowed addresses only. */
  readonly lookup: LookupFunction
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const DEFAULTS = { accept: '*/*', 'user-agent': 'sluice' }

/**
 * Sends one request on its own connection and reads the answer.
 * @throws {FetchFailed} {AddressRefused} and errors of the connection.
 */
export async function exchange(
  { url, method, headers, body }: CheckedRequest,
  { allows, lookup }: ExchangeRules,
  signal: AbortSignal,
): Promise<Exchanged> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A socket to a literal address makes no look-up, so it is checked here. The URL parser has
  // normalized it.
  if (isIP(host) !== 0 && !allows(host)) throw new AddressRefused('no public address')
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    method,
    agent: false,
    headers: { ...DEFAULTS, 'accept-encoding': ACCEPTED_ENCODINGS },
    lookup,
    maxHeaderSize: PLUGIN_FETCH_HEADER_BYTES_MAX,
    signal,
  })
  try {
    for (const [name] of headers) request.removeHeader(name)
    for (const [name, value] of headers) request.appendHeader(name, value)
    // Node omits the length for methods that rarely have a body, and the server would then ignore
    // the body.
    if (body !== undefined) request.setHeader('content-length', body.length)
    const response = await responseTo(request, body)
    const status = response.statusCode ?? 0
    if (status < 200) throw new FetchFailed('fetch failed: the server changes the protocol')
    const { location } = response.headers
    if (REDIRECTS.has(status) && location !== undefined) {
      return { kind: 'redirect', status, location }
    }
    return {
      kind: 'answer',
      status,
      statusText: response.statusMessage ?? '',
      headers: pairs(response.rawHeaders),
      body: await decodedBody(response, PLUGIN_FETCH_BYTES_MAX),
    }
  } finally {
    request.destroy()
  }
}

function responseTo(request: ClientRequest, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    // Not removed: a destroyed request may fail once more.
    request.on('error', reject)
    request.end(body)
  })
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    headers.push([(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? ''])
  }
  return headers
}
