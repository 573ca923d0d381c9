/**
 * Serves the console: one HTML for all of its pages, which a script fills, and its assets. Neither
 * needs a key: pages load their data from the management interface.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packageRoot } from '../../src/core/package-root.ts'
import { acceptedCoding } from '../http/accepted-coding.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { CODINGS, type ConsoleFile, readConsoleFiles } from './console-files.ts'

/** Answers one request for a page or an asset of the console; `undefined` for other paths. */
export type ConsoleServer = (request: HttpRequest) => HttpReply | undefined

const ASSETS = '/assets/'
/** Paths of the console's pages. `/project` leads to the last project. */
const PAGE = /^\/(?:$|login\/?$|cluster\/?$|project(?:\/|$))/
const NONCE_BYTES = 16

/** @param folder of the built console; where it is missing, no path is the console's. */
export function createConsoleServer(folder = join(packageRoot, 'dist', 'console')): ConsoleServer {
  const files = readConsoleFiles(folder)
  if (files === undefined) return () => undefined
  const { shell, assets } = files
  return (request) => {
    const { path, method } = request
    const isAsset = path.startsWith(ASSETS)
    if (!isAsset && !PAGE.test(path)) return undefined
    if (method !== 'GET' && method !== 'HEAD') return NOT_ALLOWED
    if (!isAsset) return shellReply(request, shell)
    const file = assets.get(path.slice(ASSETS.length))
    return file === undefined ? NO_ASSET : assetReply(request, file)
  }
}

const SAFE = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
] as const
const NEVER_KEPT = ['cache-control', 'no-store'] as const
const PLAIN_TEXT = ['content-type', 'text/plain; charset=utf-8'] as const

const NOT_ALLOWED: HttpReply = {
  status: 405,
  headers: [['allow', 'GET, HEAD'], NEVER_KEPT, ...SAFE],
  body: '',
}
/** Never the shell: a script that is gone must fail, not be read as HTML. */
const NO_ASSET: HttpReply = {
  status: 404,
  headers: [PLAIN_TEXT, NEVER_KEPT, ...SAFE],
  body: 'There is no such file. Another version of the console may be running: load the page anew.\n',
}

function shellReply(request: HttpRequest, shell: readonly string[]): HttpReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const html = shell.join(nonce)
  // Gzip is fast for two kilobytes, and safe: nothing in it comes from others or could be guessed.
  const coding = acceptedCoding(request, ['gzip'])
  return {
    status: 200,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ...(coding === undefined ? [] : [['content-encoding', coding] as const]),
      NEVER_KEPT,
      ['content-security-policy', policyOf(nonce)],
      ['cross-origin-opener-policy', 'same-origin'],
      ...SAFE,
    ],
    body: coding === undefined ? html : gzipSync(html),
  }
}

/**
 * Scripts and styles are named by nonce, not by `'self'`: the same origin serves files that are not
 * the console's, such as the frontend modules of plugins.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** Assets have a digest in their name and never change. */
function assetReply(request: HttpRequest, file: ConsoleFile): HttpReply {
  const coding = acceptedCoding(request, CODINGS)
  const headers = [
    ['content-type', file.type] as const,
    ['cache-control', 'public, max-age=31536000, immutable'] as const,
    ['vary', 'Accept-Encoding'] as const,
    ...SAFE,
    ...(coding === undefined ? [] : [['content-encoding', coding] as const]),
  ]
  return { status: 200, headers, body: coding === undefined ? file.plain : file.coded[coding] }
}
