/**
 * Serves the console: one HTML for all of its pages, which a script fills, and its assets. Neither
 * needs a key: pages load their data from the management interface.
 */
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'
import { acceptedCoding } from '../http/accepted-coding.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { CODINGS, type ConsoleFile, readConsoleFiles } from './console-files.ts'
import { NEVER_KEPT, NOT_ALLOWED, OWN_ORIGIN, SAFE, shellReply } from './shell-reply.ts'

/** Answers one request for a page or an asset of the console; `undefined` for other paths. */
export type ConsoleServer = (request: HttpRequest) => HttpReply | undefined

const ASSETS = '/assets/'
/** Paths of the console's pages. `/project` leads to the last project. */
const PAGE = /^\/(?:$|login\/?$|cluster\/?$|project(?:\/|$))/

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

const PLAIN_TEXT = ['content-type', 'text/plain; charset=utf-8'] as const

/** Never the shell: a script that is gone must fail, not be read as HTML. */
const NO_ASSET: HttpReply = {
  status: 404,
  headers: [PLAIN_TEXT, NEVER_KEPT, ...SAFE, OWN_ORIGIN],
  body: 'There is no such file. Another version of the console may be running: load the page anew.\n',
}

/** Assets have a digest in their name and never change. */
function assetReply(request: HttpRequest, file: ConsoleFile): HttpReply {
  const coding = acceptedCoding(request, CODINGS)
  const headers = [
    ['content-type', file.type] as const,
    ['cache-control', 'public, max-age=31536000, immutable'] as const,
    ['vary', 'Accept-Encoding'] as const,
    ...SAFE,
    OWN_ORIGIN,
    ...(coding === undefined ? [] : [['content-encoding', coding] as const]),
  ]
  return { status: 200, headers, body: coding === undefined ? file.plain : file.coded[coding] }
}
