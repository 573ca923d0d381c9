/** The HTML of the console's shell as an answer, with its policy. */
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { acceptedCoding } from '../http/accepted-coding.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

const NONCE_BYTES = 16

export const SAFE = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const
export const OWN_ORIGIN = ['cross-origin-resource-policy', 'same-origin'] as const
export const NEVER_KEPT = ['cache-control', 'no-store'] as const

export const NOT_ALLOWED: HttpReply = {
  status: 405,
  headers: [['allow', 'GET, HEAD'], NEVER_KEPT, ...SAFE, OWN_ORIGIN],
  body: '',
}

export type ShellOptions = {
  /** @default 200 */
  readonly status?: number
  /** Further elements of the HTML's head. */
  readonly head?: string
  /** Origins whose pages may frame it. @default none */
  readonly frames?: readonly string[]
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** @param shell the HTML around each place of the nonce. */
export function shellReply(
  request: HttpRequest,
  shell: readonly string[],
  { status = 200, head = '', frames = [], headers = [] }: ShellOptions = {},
): HttpReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const html = shell.join(nonce).replace('</head>', () => `${head}</head>`)
  // Gzip is fast for two kilobytes, and safe: nothing of the request is in it.
  const coding = acceptedCoding(request, ['gzip'])
  return {
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ...(coding === undefined ? [] : [['content-encoding', coding] as const]),
      NEVER_KEPT,
      ['content-security-policy', policyOf(nonce, frames)],
      ['cross-origin-opener-policy', 'same-origin'],
      ...SAFE,
      frames.length === 0 ? OWN_ORIGIN : ['cross-origin-resource-policy', 'cross-origin'],
      ...headers,
    ],
    body: coding === undefined ? html : gzipSync(html),
  }
}

/**
 * Scripts and styles are named by nonce, not by `'self'`: the same origin serves files that are not
 * the console's, such as the frontend modules of plugins.
 */
function policyOf(nonce: string, frames: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
