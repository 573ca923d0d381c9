/** Replies of the management interface. */
import { createHash } from 'node:crypto'
import type { ExportedFile__Output } from '../../proto/gen/sluice/v1/ExportedFile.ts'
import { asBuffer } from '../../src/core/as-buffer.ts'
import type { ErrorDetail } from '../../src/core/code.ts'
import { PAGE_CHARS_INLINE_MAX } from '../../src/core/limits/limits.ts'
import { ownTurn } from '../../src/core/work/turns.ts'
import type { Failure } from '../../src/wire/failure.ts'
import { stringifyJson } from '../../src/wire/proto/json-text.ts'
import { slicesOf } from '../../src/wire/proto/page-pieces.ts'
import { namesTag } from '../http/entity-tag.ts'
import type { HttpReply } from '../http/http-server.ts'

export const JSON_TYPE = 'application/json'

type Headers = readonly (readonly [name: string, value: string])[]

/** Forbids caches to store answers: they hold data that only the caller may see. */
export const NO_STORE: Headers = [
  ['cache-control', 'no-store'],
  ['vary', 'Accept'],
]

export function jsonReply(status: number, body: unknown, headers: Headers = []): HttpReply {
  return {
    status,
    headers: [['content-type', JSON_TYPE], ...NO_STORE, ...headers],
    body: stringifyJson(body),
  }
}

/**
 * An answer with a weak entity tag (same content, not same bytes): 304 when `ifNoneMatch` matches.
 * Other work runs between the pieces of a large answer.
 */
export async function conditionalReply(
  body: unknown,
  ifNoneMatch: string | undefined,
): Promise<HttpReply> {
  const text = stringifyJson(body)
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  for (const slice of slicesOf(text, PAGE_CHARS_INLINE_MAX)) {
    if (pieces.length > 0) await ownTurn()
    const piece = Buffer.from(slice)
    hash.update(piece)
    pieces.push(piece)
  }
  const tag = `W/"${hash.digest('base64url')}"`
  const headers: Headers = [
    ['cache-control', 'private, must-revalidate'],
    ['vary', 'Accept, Authorization'],
    ['etag', tag],
  ]
  if (namesTag(ifNoneMatch, tag)) return { status: 304, headers, body: '' }
  const whole = pieces.length === 1 ? text : inTurns(pieces)
  return { status: 200, headers: [['content-type', JSON_TYPE], ...headers], body: whole }
}

async function* inTurns(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield piece
    await ownTurn()
  }
}

/**
 * A file of a method with the rule `file`, to be saved and not shown: its texts are of strangers. One
 * without a name is shown.
 */
export function fileReply(answer: object): HttpReply {
  const { content, content_type, file_name } = answer as ExportedFile__Output
  return {
    status: 200,
    headers: [
      ['content-type', content_type],
      ['content-disposition', file_name === '' ? 'inline' : `attachment; filename="${file_name}"`],
      ['x-content-type-options', 'nosniff'],
      ...NO_STORE,
    ],
    body: asBuffer(content),
  }
}

export function emptyReply(status: number): HttpReply {
  return { status, headers: NO_STORE, body: '' }
}

export function failureReply({ status, detail }: Failure, headers: Headers = []): HttpReply {
  const retry: Headers =
    detail.retryAfterS === undefined ? [] : [['retry-after', `${Math.ceil(detail.retryAfterS)}`]]
  const challenge: Headers = status === 401 ? [['www-authenticate', 'Bearer']] : []
  return jsonReply(status, errorBody(detail), [...challenge, ...retry, ...headers])
}

/** `attr` is always present, except where the specification leaves the key out. */
function errorBody({ type, code, detail, attr }: ErrorDetail): object {
  return attr === undefined ? { type, code, detail } : { type, code, detail, attr }
}
