/**
 * Decodes the body of a public request, whatever its media type and compression, into its payload.
 */

import { BODY_BYTES_INLINE_MAX, INFLATE_START_BYTES } from '../../src/core/limits/limits.ts'
import { ok, type Result } from '../../src/core/result.ts'
import { queryValue, unescapeBytes } from '../http/query.ts'
import { type DecodeError, INVALID_PAYLOAD, NO_DATA, TOO_LARGE } from './decode-error.ts'
import { type FormFields, NO_FIELDS, parseMultipart, parseUrlEncoded } from './form.ts'
import { inflate, inflateDeflate, isGzip, suspectStart } from './inflate.ts'
import { exceedsStructure } from './json-structure.ts'
import { parseBodyJson, parseContainer, startsContainer } from './json-text.ts'
import { decompressLz64 } from './lz64.ts'

/** Parts of a request that decide how its body is decoded. Missing headers are empty. */
export type BodyMeta = {
  readonly contentType: string
  readonly contentEncoding: string
  /** Without the question mark, as it came. */
  readonly query: string
}

export type DecodedBody = {
  /** A JSON object or array with something in it. */
  readonly payload: unknown
  readonly form: FormFields
}

type Hint = 'gzip' | 'deflate' | 'lz64' | 'none'
type MediaType = 'json' | 'text' | 'urlencoded' | 'multipart'
type Content = { readonly data: Buffer; readonly form: FormFields }

const HINTS: ReadonlyMap<string, Hint> = new Map([
  ['gzip', 'gzip'],
  ['gzip-js', 'gzip'],
  ['deflate', 'deflate'],
  ['lz64', 'lz64'],
  ['lz-string', 'lz64'],
])
/** JSON in a form's media type is recognised by its bracket, after at most this many spaces. */
const JSON_INDENT_MAX = 64
const DATA_FIELD = Buffer.from('data=')
/** JSON scalars are "no data"; text that starts otherwise cannot be one. */
const SCALAR_START = /^\s*["\-\dtfnNI]/

/**
 * Decodes and parses a body, in the order of the public API's steps: size, media type, compression,
 * base64, JSON. Never throws. Compressed bodies are inflated once, whatever number of hints they
 * carry, and no further than `bytesMax`. Blocks for as long as that takes: see `decodeInline`.
 */
export function decodeBody(
  body: Buffer,
  meta: BodyMeta,
  bytesMax: number,
): Result<DecodedBody, DecodeError> {
  if (body.length > bytesMax) return TOO_LARGE
  const isInflated = isGzip(body)
  if (isInflated && bytesMax > INFLATE_START_BYTES && startsTooCrowded(body)) return INVALID_PAYLOAD
  const plain = isInflated ? inflate(body, bytesMax) : ok(body)
  if (!plain.ok) return plain
  const content = readContent(plain.value, meta)
  return content.ok ? decodeContent(content.value, isInflated, meta, bytesMax) : content
}

/**
 * `decodeBody` for the event loop. Undefined when the body, or what it inflates to, is larger than
 * `BODY_BYTES_INLINE_MAX`: then it is work for a body thread.
 */
export function decodeInline(
  body: Buffer,
  meta: BodyMeta,
): Result<DecodedBody, DecodeError> | undefined {
  const decoded = decodeBody(body, meta, BODY_BYTES_INLINE_MAX)
  return !decoded.ok && decoded.error.status === 413 ? undefined : decoded
}

/**
 * Decodes the payload that a GET on a capture route has in `?data=`. Undefined without one: such a
 * GET is not allowed. A query is bounded by the server's limit on headers.
 */
export function decodeQueryData(query: string): Result<DecodedBody, DecodeError> | undefined {
  const data = queryValue(query, 'data')
  if (data === undefined) return undefined
  const meta = { contentType: '', contentEncoding: '', query }
  const content = { data: Buffer.from(data, 'utf8'), form: NO_FIELDS }
  return decodeContent(content, false, meta, BODY_BYTES_INLINE_MAX)
}

/** Judges only the start: small gzip may hold megabytes of members, and a start costs a tenth. */
function startsTooCrowded(body: Buffer): boolean {
  const start = suspectStart(body)?.toString('latin1')
  return start !== undefined && startsContainer(start) && exceedsStructure(start)
}

function readContent(body: Buffer, meta: BodyMeta): Result<Content, DecodeError> {
  if (body.length === 0) return NO_DATA
  switch (mediaType(meta.contentType)) {
    case 'urlencoded':
      // The default of curl and axios: RudderStack's library sends its JSON by that name.
      return startsContainer(body.toString('latin1', 0, JSON_INDENT_MAX))
        ? ok({ data: body, form: NO_FIELDS })
        : toContent(parseUrlEncoded(body))
    case 'multipart':
      return toContent(parseMultipart(body, meta.contentType))
    case 'text':
      // A beacon may not choose its media type: Mixpanel's sends its form as plain text.
      if (body.subarray(0, DATA_FIELD.length).equals(DATA_FIELD)) {
        return toContent(parseUrlEncoded(body))
      }
      return ok({ data: body, form: NO_FIELDS })
    default:
      return ok({ data: body, form: NO_FIELDS })
  }
}

function toContent(form: ReturnType<typeof parseUrlEncoded>): Result<Content, DecodeError> {
  return form.ok ? ok({ data: form.value.data, form: form.value.fields }) : form
}

function mediaType(contentType: string): MediaType {
  if (contentType === 'application/json') return 'json'
  const end = contentType.indexOf(';')
  switch ((end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return 'urlencoded'
    case 'multipart/form-data':
      return 'multipart'
    case 'text/plain':
    case '':
      return 'text'
    default:
      return 'json'
  }
}

function hintOf(form: FormFields, meta: BodyMeta): Hint {
  const fromQuery = meta.query === '' ? undefined : queryValue(meta.query, 'compression')
  const name = fromQuery ?? form.compression ?? meta.contentEncoding
  return name === '' ? 'none' : (HINTS.get(name.trim().toLowerCase()) ?? 'none')
}

function decodeContent(
  { data, form }: Content,
  isInflated: boolean,
  meta: BodyMeta,
  bytesMax: number,
): Result<DecodedBody, DecodeError> {
  const hint = hintOf(form, meta)
  const inflated = isInflated ? ok(data) : inflateContent(data, hint, bytesMax)
  if (!inflated.ok) return inflated
  let text = textOf(inflated.value)
  if (hint === 'lz64' && !startsContainer(text)) {
    const plain = decompressLz64(text.trim().replaceAll(' ', '+'), bytesMax)
    if (!plain.ok) return plain
    if (Buffer.byteLength(plain.value) > bytesMax) return TOO_LARGE
    text = plain.value
  }
  const payload = parsePayload(text)
  return payload.ok ? ok({ payload: payload.value, form }) : payload
}

function inflateContent(data: Buffer, hint: Hint, bytesMax: number): Result<Buffer, DecodeError> {
  if (hint === 'gzip' || isGzip(data)) return inflateField(data, bytesMax)
  return hint === 'deflate' ? inflateDeflate(data, bytesMax) : ok(data)
}

/** Gzip as it is, or as base64: a form field cannot hold binary unless it is escaped. */
function inflateField(data: Buffer, bytesMax: number): Result<Buffer, DecodeError> {
  if (isGzip(data)) return inflate(data, bytesMax)
  const bytes = bytesOfBase64(data.toString('latin1'))
  return isGzip(bytes) ? inflate(bytes, bytesMax) : INVALID_PAYLOAD
}

/** JSON as it is, else out of base64, which may have been percent-encoded once too often. */
function parsePayload(text: string): Result<unknown, DecodeError> {
  if (startsContainer(text)) return parseContainer(text)
  if (text.trim() === '') return NO_DATA
  if (SCALAR_START.test(text) && parseBodyJson(text) !== undefined) return NO_DATA
  const bare = text.includes('%') ? textOf(unescapeBytes(Buffer.from(text, 'utf8'))) : text
  if (startsContainer(bare)) return parseContainer(bare)
  return parseContainer(textOf(bytesOfBase64(bare)))
}

/**
 * Node takes unpadded and url-safe base64 as well, and skips what is none of its characters. Spaces
 * were `+` before a form decoder saw them, but not at the ends: JSON never begins or ends with one.
 */
function bytesOfBase64(text: string): Buffer {
  return Buffer.from(text.trim().replaceAll(' ', '+'), 'base64')
}

const BYTE_ORDER_MARK = 0xfeff

/**
 * UTF-8 text of a body, without its byte order mark. Some clients encode emoji as two surrogates of
 * three bytes each (CESU-8), which UTF-8 forbids: those are put together again, and a lone one is
 * left for the text clean-up. Other broken bytes become U+FFFD.
 */
function textOf(bytes: Buffer): string {
  const text = encodedSurrogateAt(bytes, 0) === -1 ? bytes.toString('utf8') : lenientText(bytes)
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}

function lenientText(bytes: Buffer): string {
  const parts: string[] = []
  let start = 0
  for (let at = encodedSurrogateAt(bytes, 0); at !== -1; at = encodedSurrogateAt(bytes, start)) {
    if (at > start) parts.push(bytes.toString('utf8', start, at))
    const unit = 0xd000 | (((bytes[at + 1] ?? 0) & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f)
    parts.push(String.fromCharCode(unit))
    start = at + 3
  }
  parts.push(bytes.toString('utf8', start))
  return parts.join('')
}

/** Index of the next surrogate encoded as three bytes, or -1. */
function encodedSurrogateAt(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xed, start); at !== -1; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] ?? 0
    const third = bytes[at + 2] ?? 0
    if (second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf) return at
  }
  return -1
}
