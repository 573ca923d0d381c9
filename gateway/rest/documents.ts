/** Serves the documents of the API without a key: OpenAPI, `.proto` files, the fetch client. */
import { createHash } from 'node:crypto'
import { accessSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'
import { namesTag } from '../http/entity-tag.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { JSON_TYPE } from './replies.ts'

export type Documents = {
  /** `undefined` for other paths. */
  answer(request: HttpRequest): HttpReply | undefined
}

type Document = { readonly type: string; readonly text: string; readonly tag: string }

const TEXT = 'text/plain; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

/**
 * Lists the documents, and reads each when it is first asked for: `/api/schema/` (OpenAPI 3.1), `/api/proto/` with the `.proto` files
 * under it as they import one another, `/api/client/` with the fetch client's files under it, in
 * TypeScript and, where the product was built, as modules that a browser can import.
 * @throws when the first is missing: a broken installation, found at start.
 */
export function createDocuments(root: string = packageRoot): Documents {
  const documents = new Map<string, () => Document>()
  const add = (path: string, type: string, read: () => string) => {
    let known: Document | undefined
    documents.set(path, () => {
      known ??= documentOf(type, read())
      return known
    })
  }
  const addFile = (path: string, type: string, file: string) =>
    add(path, type, () => readFileSync(file, 'utf8'))
  const schema = join(root, 'gateway/client/openapi.json')
  accessSync(schema)
  addFile('/api/schema', JSON_TYPE, schema)
  const folders = [
    { at: '/api/proto', from: join(root, 'proto'), ending: '.proto', type: TEXT },
    { at: '/api/client', from: join(root, 'gateway/client'), ending: '.ts', type: TEXT },
    { at: '/api/client', from: join(root, 'dist/gateway/client'), ending: '.js', type: SCRIPT },
  ]
  const listed = new Map<string, string[]>()
  for (const { at, from, ending, type } of folders) {
    const names = filesBelow(from).filter((name) => name.endsWith(ending))
    for (const name of names) addFile(`${at}/${name}`, type, join(from, name))
    listed.set(at, [...(listed.get(at) ?? []), ...names])
  }
  for (const [at, names] of listed) {
    add(at, JSON_TYPE, () => JSON.stringify({ files: names.sort() }))
  }
  return {
    answer(request) {
      const document = documents.get(request.path.replace(/\/$/, ''))
      return document === undefined ? undefined : reply(document(), request)
    },
  }
}

function documentOf(type: string, text: string): Document {
  return { type, text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}

/** Headers that let any page read the documents. */
const OPEN = [
  ['access-control-allow-origin', '*'],
  ['cache-control', 'public, max-age=300'],
  ['x-content-type-options', 'nosniff'],
] as const

function reply({ type, text, tag }: Document, request: HttpRequest): HttpReply {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') {
    const allow = [...OPEN, ['allow', 'GET, HEAD'] as const]
    return { status: method === 'OPTIONS' ? 204 : 405, headers: allow, body: '' }
  }
  const headers = [...OPEN, ['etag', tag] as const]
  if (namesTag(request.header('if-none-match'), tag)) return { status: 304, headers, body: '' }
  return { status: 200, headers: [['content-type', type], ...headers], body: text }
}

/** Relative paths with forward slashes; empty for a missing folder, before a build. */
function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
