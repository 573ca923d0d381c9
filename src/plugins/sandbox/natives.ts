/**
 * Functions that a thread computes for its plugins without the server. Each is pure and bounded.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import type { Native, Plain } from './vm/kit.ts'

/** Bytes that a plugin compresses, inflates, hashes or converts in one call. */
const SANDBOX_BYTES_MAX = 8_388_608

/** A plugin may pass any arguments, so each call checks its own. */
export type NativeCall = (...args: readonly Plain[]) => Plain
export type Natives = Record<keyof Native, NativeCall>
type PureName = 'encode' | 'decode' | 'hash' | 'random' | 'uuid' | 'zip' | 'url'

const ENCODINGS: ReadonlyMap<string, BufferEncoding> = new Map([
  ['utf8', 'utf8'],
  ['utf-8', 'utf8'],
  ['hex', 'hex'],
  ['base64', 'base64'],
  ['base64url', 'base64url'],
  ['latin1', 'latin1'],
  ['binary', 'latin1'],
  ['ascii', 'ascii'],
])
const ALGORITHMS: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha512'])
const RANDOM_BYTES_MAX = 65_536
const TOO_LARGE = `more than ${SANDBOX_BYTES_MAX} bytes`
const OPTIONS = { maxOutputLength: SANDBOX_BYTES_MAX }

/** Each function throws an `Error` whose message the plugin may see. */
export const pureNatives: Record<PureName, NativeCall> = {
  encode: (text, encoding) => bytesOf(Buffer.from(readText(text), readEncoding(encoding))),
  decode: (bytes, encoding) => readBytes(bytes).toString(readEncoding(encoding)),
  hash(algorithm, key, data) {
    const name = readText(algorithm)
    if (!ALGORITHMS.has(name)) throw new Error('the algorithm is not known')
    const input = typeof data === 'string' ? readText(data) : readBytes(data)
    const hash = key === undefined ? createHash(name) : createHmac(name, readBytes(key))
    return bytesOf(hash.update(input).digest())
  },
  random(size) {
    if (!Number.isInteger(size) || Number(size) < 0 || Number(size) > RANDOM_BYTES_MAX) {
      throw new RangeError(`from 0 to ${RANDOM_BYTES_MAX} bytes can be asked for`)
    }
    return bytesOf(randomBytes(Number(size)))
  },
  uuid: () => randomUUID(),
  zip(operation, bytes) {
    const input = readBytes(bytes)
    switch (operation) {
      case 'gzip':
        return bytesOf(gzipSync(input, OPTIONS))
      case 'gunzip':
        return bytesOf(gunzipSync(input, OPTIONS))
      case 'deflate':
        return bytesOf(deflateSync(input, OPTIONS))
      case 'inflate':
        return bytesOf(inflateSync(input, OPTIONS))
      default:
        throw new Error('the operation is not known')
    }
  },
  url(input, base, part, value) {
    const from = base === undefined ? undefined : readText(base)
    if (!URL.canParse(readText(input), from)) return undefined
    const url = new URL(readText(input), from)
    changePart(url, readText(part), readText(value))
    const { href, protocol, username, password, host, hostname, port } = url
    const { pathname, search, hash, origin } = url
    const first = { href, protocol, username, password, host, hostname, port }
    return JSON.stringify({ ...first, pathname, search, hash, origin })
  },
}

/** @throws {TypeError} when it is not a text. */
export function readText(value: Plain, charsMax = SANDBOX_BYTES_MAX): string {
  if (typeof value !== 'string') throw new TypeError('a text is expected')
  if (value.length > charsMax) throw new RangeError(TOO_LARGE)
  return value
}

function readBytes(value: Plain): Buffer {
  if (!(value instanceof ArrayBuffer)) throw new TypeError('bytes are expected')
  if (value.byteLength > SANDBOX_BYTES_MAX) throw new RangeError(TOO_LARGE)
  return Buffer.from(value)
}

function readEncoding(value: Plain): BufferEncoding {
  const encoding = ENCODINGS.get(readText(value).toLowerCase())
  if (encoding === undefined) throw new Error('the encoding is not known')
  return encoding
}

function changePart(url: URL, part: string, value: string): void {
  switch (part) {
    case 'href':
    case 'protocol':
    case 'username':
    case 'password':
    case 'host':
    case 'hostname':
    case 'port':
    case 'pathname':
    case 'search':
    case 'hash':
      url[part] = value
  }
}

/** Copies the bytes, because small buffers share their memory with others. */
function bytesOf(buffer: Buffer): ArrayBuffer {
  const bytes = new ArrayBuffer(buffer.length)
  new Uint8Array(bytes).set(buffer)
  return bytes
}
