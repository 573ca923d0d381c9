/**
 * `/api/docs/`: the reference of the interface for a browser, rendered by Swagger UI from the
 * OpenAPI document. All of it comes from here, without a key; nothing is read before it is asked
 * for.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packageRoot } from '../../src/core/package-root.ts'
import { acceptsGzip } from '../http/accepted-coding.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { PAGE_SCRIPT, PAGE_STYLE, pageHtml } from './reference-page-text.ts'
import { JSON_TYPE } from './replies.ts'

/** Answers one request for the page or an asset of it; `undefined` for other paths. */
export type ReferencePage = (request: HttpRequest) => HttpReply | Promise<HttpReply> | undefined

type Asset = { readonly type: string; readonly read: () => Promise<Buffer> | Buffer }
type Served = {
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly tag: string
}
/** Everything by the name under which it is served; the page by the empty one. */
type Site = ReadonlyMap<string, Served>

const HOME = '/api/docs'
const DIGEST_LENGTH = 16
const STYLE = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const compress: (content: Uint8Array) => Promise<Buffer> = promisify(gzip)

const SAFE = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['vary', 'Accept-Encoding'],
] as const
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * @param renderer folder of the package `swagger-ui-dist`; where it is missing the page says so and
 * names the OpenAPI document.
 */
export function createReferencePage(
  root: string = packageRoot,
  renderer: string = installedFolder(),
): ReferencePage {
  const file = (...parts: readonly string[]) => ({ read: () => readFile(join(...parts)) })
  const assets: Readonly<Record<string, Asset>> = {
    'swagger-ui.css': { type: STYLE, ...file(renderer, 'swagger-ui.css') },
    'swagger-ui-bundle.js': { type: SCRIPT, ...file(renderer, 'swagger-ui-bundle.js') },
    'page.css': { type: STYLE, read: () => Buffer.from(PAGE_STYLE) },
    'page.js': { type: SCRIPT, read: () => Buffer.from(PAGE_SCRIPT) },
    'openapi.json': { type: JSON_TYPE, ...file(root, 'gateway', 'client', 'openapi.json') },
  }
  let site: Promise<Site> | undefined
  const open = () => {
    site ??= readSite(assets).catch((error: unknown) => {
      site = undefined // The next request looks again.
      throw error
    })
    return site
  }
  return (request) => {
    const { path, method } = request
    if (path === HOME) return { status: 308, headers: [['location', 'docs/'], ...SAFE], body: '' }
    if (!path.startsWith(`${HOME}/`)) return undefined
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, headers: [['allow', 'GET, HEAD'], ...SAFE], body: '' }
    }
    if (renderer === '') return NOT_INSTALLED
    const name = path.slice(HOME.length + 1)
    return open().then((all) => replyOf(request, name, all.get(name)))
  }
}

async function readSite(assets: Readonly<Record<string, Asset>>): Promise<Site> {
  const site = new Map<string, Served>()
  const names = new Map<string, string>()
  for (const [name, { type, read }] of Object.entries(assets)) {
    const served = await servedOf(type, await read())
    const named = name.replace(/\.(?=[^.]*$)/, `.${served.tag}.`)
    names.set(name, named)
    site.set(named, served)
  }
  const html = pageHtml((name) => names.get(name) ?? name)
  return site.set('', await servedOf('text/html; charset=utf-8', Buffer.from(html)))
}

async function servedOf(type: string, plain: Buffer): Promise<Served> {
  const digest = createHash('sha256').update(plain).digest('hex')
  return { type, plain, gzipped: await compress(plain), tag: digest.slice(0, DIGEST_LENGTH) }
}

/** Assets have their digest in their name and never change; the page may at any start. */
function replyOf(request: HttpRequest, name: string, served: Served | undefined): HttpReply {
  if (served === undefined) return { status: 404, headers: [...SAFE, NEVER_KEPT], body: '' }
  const isPage = name === ''
  const isGzip = acceptsGzip(request)
  const keep = isPage ? 'no-cache' : 'public, max-age=31536000, immutable'
  const headers = [
    ['content-type', served.type] as const,
    ['cache-control', keep] as const,
    ...SAFE,
    ...(isPage ? [['content-security-policy', POLICY] as const] : []),
    ...(isGzip ? [['content-encoding', 'gzip'] as const] : []),
  ]
  return { status: 200, headers, body: isGzip ? served.gzipped : served.plain }
}

const NEVER_KEPT = ['cache-control', 'no-store'] as const

const NOT_INSTALLED: HttpReply = {
  status: 404,
  headers: [['content-type', 'text/plain; charset=utf-8'], ...SAFE, NEVER_KEPT],
  body: 'The package swagger-ui-dist is not installed. /api/schema/ has the OpenAPI document.\n',
}

/** Empty when the package is not installed: it is optional. */
function installedFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  } catch {
    return ''
  }
}
