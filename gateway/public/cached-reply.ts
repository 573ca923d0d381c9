/** Answers that browsers and shared caches may store for a limited time. */
import { createHash } from 'node:crypto'
import { namesTag } from '../http/entity-tag.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { corsHeaders, type HeaderList } from './cors.ts'
import { publicError } from './public-errors.ts'

export const SCRIPT_TYPE = 'application/javascript; charset=utf-8'

export type CacheableContent = {
  /** Value of `Content-Type`. */
  readonly type: string
  readonly body: string | Uint8Array
  /** Digest of the content; gzip gets an entity tag of its own. */
  readonly digest: string
  readonly encoding: 'identity' | 'gzip'
  readonly maxAgeS: number
  /** It is for the page that asks, and no shared cache may keep it for others. */
  readonly isOfPage?: boolean
}

const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const

/**
 * Answers 200 with an entity tag and a maximum age, or 304 when `If-None-Match` matches. `Vary:
 * Origin` is always set: a cached answer without CORS headers must not reach a page that needs
 * them.
 */
export function cachedReply(request: HttpRequest, content: CacheableContent): HttpReply {
  const isGzip = content.encoding === 'gzip'
  const tag = `"${content.digest}${isGzip ? '-gzip' : ''}"`
  const cors = corsHeaders(request.header('origin') ?? '', '').filter(([name]) => name !== 'Vary')
  const headers: HeaderList = [
    ...cors,
    ['Vary', content.isOfPage ? 'Origin, Referer, Accept-Encoding' : 'Origin, Accept-Encoding'],
    ['Cache-Control', `${content.isOfPage ? 'private' : 'public'}, max-age=${content.maxAgeS}`],
    ['ETag', tag],
    NO_SNIFF,
  ]
  if (namesTag(request.header('if-none-match'), tag)) return { status: 304, headers, body: '' }
  const encoding: HeaderList = isGzip ? [['Content-Encoding', 'gzip']] : []
  return {
    status: 200,
    headers: [['Content-Type', content.type], ...encoding, ...headers],
    body: content.body,
  }
}

/** Forbids caches to store a failure: the content may exist a moment later. */
export function uncached({ status, headers = [], body }: HttpReply): HttpReply {
  return { status, headers: [...headers, ['Cache-Control', 'no-store'], NO_SNIFF], body }
}

export function notFound(request: HttpRequest): HttpReply {
  return uncached(publicError(request, 'not_found'))
}

export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url')
}
