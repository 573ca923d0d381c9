/** `/mcp`: tools for assistants, over streamable HTTP without sessions (ADR 60). */
import { isObject } from '../../src/core/json.ts'
import { parseExact } from '../../src/core/json-text/exact-numbers.ts'
import { BODY_BYTES_INLINE_MAX } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import {
  bodyTooLargeDetail,
  methodNotAllowedDetail,
  notAuthenticatedDetail,
  permissionDeniedDetail,
} from '../../src/wire/details.ts'
import { failureOf } from '../../src/wire/failure.ts'
import { exceedsStructure } from '../body/json-structure.ts'
import type { HttpHandler, HttpReply, HttpRequest } from '../http/http-server.ts'
import { keyOfHeader } from '../keys/credentials.ts'
import type { ManagementCors } from '../rest/management-cors.ts'
import { failureReply, jsonReply } from '../rest/replies.ts'
import { innerCall } from './inner-request.ts'
import { createOwnPages } from './own-pages.ts'
import type { Call } from './tool.ts'
import { toolsFor } from './tools.ts'

const PATHS: readonly string[] = ['/mcp', '/mcp/']
/** Called with the key of each message: distinguishes a wrong key from one with few scopes. */
const KEY_CHECK = '/api/projects/@current/feature_flags/'

export type McpOptions = {
  readonly version: string
  /** Assistants may change flags, with a key that may. */
  readonly allowsWrites: boolean
  /** Address of this instance; undefined where the operator has not said so. */
  readonly publicUrl: string | undefined
}

/** Answers one request for the endpoint; undefined for other paths. Never rejects. */
export type McpEndpoint = (
  request: HttpRequest,
  body: Buffer,
  handler: HttpHandler,
) => Promise<HttpReply> | undefined

export function createMcpEndpoint(
  { cors, log }: { readonly cors: ManagementCors; readonly log: Log },
  { version, allowsWrites, publicUrl }: McpOptions,
): McpEndpoint {
  const isOwnPage = createOwnPages(publicUrl)
  const tools = toolsFor(allowsWrites)
  const answer = async (request: HttpRequest, body: Buffer, handler: HttpHandler) => {
    try {
      const refused = refusalOf(request, body, (page) => cors.admits(page) || isOwnPage(page))
      if (refused !== undefined) return refused
      const call = innerCall(handler, request)
      const message = messageOf(body)
      if (message === undefined) return PARSE_ERROR
      const wrongKey = await keyRefusal(call)
      if (wrongKey !== undefined) return wrongKey
      const { answerMcp } = await import('./mcp-server.ts')
      return await answerMcp({ version, tools, call }, request, message)
    } catch (error) {
      log.error('a call of an assistant failed', { error })
      return failureReply(failureOf(error))
    }
  }
  return (request, body, handler) => {
    if (!PATHS.includes(request.path)) return undefined
    const preflight = request.method === 'OPTIONS' ? cors.preflight(request) : undefined
    if (preflight !== undefined) return Promise.resolve(preflight)
    return answer(request, body, handler).then((reply) => cors.open(request, reply))
  }
}

/** Refuses a request by its headers and size, before its body is parsed. */
function refusalOf(
  request: HttpRequest,
  body: Buffer,
  admits: (request: HttpRequest) => boolean,
): HttpReply | undefined {
  if (!admits(request)) {
    const detail = 'Pages of this origin may not call: see API_CORS_ORIGINS.'
    return failureReply({ status: 403, detail: { ...permissionDeniedDetail, detail } })
  }
  if (request.method !== 'POST') {
    const detail = methodNotAllowedDetail(request.method)
    return failureReply({ status: 405, detail }, [['allow', 'POST, OPTIONS']])
  }
  if (keyOfHeader(request.header('authorization')) === undefined) {
    return failureReply({ status: 401, detail: notAuthenticatedDetail })
  }
  if (body.length > BODY_BYTES_INLINE_MAX) {
    return failureReply({ status: 413, detail: bodyTooLargeDetail })
  }
  return undefined
}

/** In the form of JSON-RPC, which the client speaks. */
const PARSE_ERROR = jsonReply(400, {
  jsonrpc: '2.0',
  error: { code: -32700, message: 'The body is no JSON that can be read.' },
  id: null,
})

function messageOf(body: Buffer): unknown {
  const text = body.toString('utf8')
  if (exceedsStructure(text)) return undefined
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function keyRefusal(call: Call): Promise<HttpReply | undefined> {
  const { status, json } = await call('GET', KEY_CHECK, { query: { limit: '1' } })
  if (status !== 401 && status < 500) return undefined
  const headers = status === 401 ? ([['www-authenticate', 'Bearer']] as const) : []
  return jsonReply(status, isObject(json) ? json : {}, headers)
}
