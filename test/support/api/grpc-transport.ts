/** Runs the API cases over gRPC. */
import { isDeepStrictEqual } from 'node:util'
import { status } from '@grpc/grpc-js'
import { bind } from '../../../gateway/rest/bind.ts'
import { pageLinks } from '../../../gateway/rest/page-links.ts'
import { createRouter, type Endpoint, type Router } from '../../../gateway/rest/rest-router.ts'
import { isObject } from '../../../src/core/json.ts'
import { ok } from '../../../src/core/result.ts'
import { pageOf } from '../../../src/wire/page.ts'
import { stringifyJson } from '../../../src/wire/proto/json-text.ts'
import { type MessageObject, methods } from '../../../src/wire/proto/proto.ts'
import type { ApiCase } from '../../api/support/case.ts'
import type { Call, HttpClient, Reply } from '../http/http-call.ts'
import type { Answer, ContractClient, Detail } from './contract-client.ts'
import { saidInMessage } from './said-in-message.ts'

/** Counts of a transport's calls so far. */
export type Tally = {
  overGrpc: number
  /** Calls over HTTP, by why they cannot be made over gRPC. */
  readonly overHttp: Map<string, number>
  /** Paths of the methods that have answered a success. */
  readonly succeeded: Set<string>
}

export type GrpcTransport = HttpClient & { readonly tally: Tally }

type Deps = { readonly client: ContractClient; readonly http: HttpClient; readonly url: string }

/**
 * Makes calls of the management interface over gRPC and shows answers as REST would. Repeatable
 * calls (reads, and refused ones) are made over HTTP too and must have the same answer; its headers
 * are then those of HTTP, since gRPC has none. Calls that only HTTP can express go over HTTP.
 */
export function createGrpcTransport(deps: Deps): GrpcTransport {
  return transportOf(deps, async (ask, askRest, reads) => {
    const [reply, early] = await Promise.all([ask(), reads ? askRest() : undefined])
    if (reply.status < 400 && !reads) return reply
    const rest = early ?? (await askRest())
    await checkSame({ reply, rest }, ask, askRest)
    return { ...reply, headers: rest.headers }
  })
}

/** Makes the same calls over HTTP; repeatable ones are made over gRPC too. */
export function createComparedHttp(deps: Deps): GrpcTransport {
  return transportOf(deps, async (ask, askRest, reads) => {
    const [rest, early] = await Promise.all([askRest(), reads ? ask() : undefined])
    if (rest.status < 400 && !reads) return rest
    const reply = early ?? (await ask())
    await checkSame({ reply, rest }, ask, askRest)
    return rest
  })
}

type Ask = () => Promise<Reply>

function transportOf(
  { client, http, url }: Deps,
  askBoth: (ask: Ask, askRest: Ask, reads: boolean) => Promise<Reply>,
): GrpcTransport {
  const tally: Tally = { overGrpc: 0, overHttp: new Map(), succeeded: new Set() }
  const askGrpc = async (asked: Asked): Promise<Reply> => {
    const { authorization, endpoint, message } = asked
    const { path } = endpoint.method
    const metadata = authorization === undefined ? undefined : { metadata: { authorization } }
    const answer = await client.call(path, message, metadata)
    tally.overGrpc += 1
    if (answer.kind === 'failure') return refused(asked, answer)
    tally.succeeded.add(path)
    return shown(asked, answer.message, url)
  }
  return {
    tally,
    async call(call) {
      const asked = askedOf(call)
      if (typeof asked !== 'string') {
        return await askBoth(
          () => askGrpc(asked),
          () => http.call(call),
          call.verb === 'GET',
        )
      }
      tally.overHttp.set(asked, (tally.overHttp.get(asked) ?? 0) + 1)
      return await http.call(call)
    },
    close: () => client.close(),
  }
}

/**
 * Data may have changed in between, such as the time of a key's last use: both are asked once more
 * once more then.
 * @throws {Error} that says what the two answer.
 */
async function checkSame(
  { reply, rest }: { readonly reply: Reply; readonly rest: Reply },
  ask: Ask,
  askRest: Ask,
): Promise<void> {
  if (isSame(reply, rest) || isSame(await ask(), await askRest())) return
  throw new Error(`gRPC answers ${brief(reply)}; REST answers ${brief(rest)}`)
}

/** Why a call cannot be made over gRPC, from its shape alone; undefined when it can. */
function httpOnly({ verb, path, headers, body }: Call): string | undefined {
  const [pathname = '', search = ''] = path.split('?', 2)
  const route = knownRouter().find(pathname)?.route
  if (route === undefined) return 'no endpoint of the interface'
  const isWhole = pathname.endsWith('/') || !route.template.endsWith('/')
  if (!isWhole) return 'a path without its slash'
  if (!route.endpoints.has(verb)) return 'a verb that the path has not'
  const query = new URLSearchParams(search)
  const isFile = route.endpoints.get(verb)?.method.rules.file === true
  if (query.has('format') && !isFile) return 'the form of the answer'
  const { authorization, 'content-type': contentType, ...others } = headers
  if (Object.keys(others).length > 0) return 'headers'
  if (body !== undefined && contentType !== 'application/json') return 'another media type'
  const json = body === undefined ? {} : parsed(String(body))
  if (json === undefined) return 'a body that is no JSON'
  const holdsKey = isObject(json) && Object.hasOwn(json, 'personal_api_key')
  const isBearer = /^bearer /i.test(authorization ?? '')
  if (!isBearer && (holdsKey || query.has('personal_api_key'))) return 'the place of the key'
  // HTTP/2 has no such headers.
  if (authorization !== authorization?.trim()) return 'a header with spaces around it'
  return undefined
}

/** A case that only HTTP can express, and on which no later case depends. */
export function isLeftOut({ endpoint, verb, path, headers, body, rawBody, ...rest }: ApiCase) {
  const sent = verb ?? endpoint.split(' ', 1)[0] ?? ''
  const { form, save, expect } = rest
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(sent)
  if (save !== undefined || !(reads || expect.status >= 400)) return false
  if (form !== undefined) return true
  const json = body === undefined ? rawBody : JSON.stringify(body)
  const typed = body === undefined ? {} : { 'content-type': 'application/json' }
  // The key itself is not known here, only that there is one.
  const key = rest.as === 'anonymous' ? {} : { authorization: 'Bearer' }
  const all = { ...typed, ...key, ...headers }
  return (
    path.startsWith('/') && httpOnly({ verb: sent, path, headers: all, body: json }) !== undefined
  )
}

type Asked = {
  readonly endpoint: Endpoint
  readonly path: string
  readonly query: URLSearchParams
  readonly message: MessageObject
  readonly authorization: string | undefined
  /** Body and answer are one item in place of a list. */
  readonly isSingle: boolean
}

/** Request over gRPC, or the reason why there can be none. */
function askedOf(call: Call): Asked | string {
  const reason = httpOnly(call)
  if (reason !== undefined) return reason
  const [path = '', search = ''] = call.path.split('?', 2)
  const match = knownRouter().find(path)
  const endpoint = match?.route.endpoints.get(call.verb)
  if (match === undefined || endpoint === undefined) return 'no endpoint of the interface'
  const query = new URLSearchParams(search)
  const inPath = Object.fromEntries(
    endpoint.parameters.map((name, at) => [name, match.values[at] ?? '']),
  )
  const body = call.body === undefined ? {} : parsed(String(call.body))
  // Coerced values are sent as the gateway would send them; refused ones have no message form.
  const bound = bind(endpoint, inPath, query, ok({ kind: 'json', body }))
  const message =
    saidInMessage(endpoint, inPath, query, body) ??
    (bound.error === undefined ? bound.message : undefined)
  if (message === undefined) return 'a body that no message can hold'
  const isSingle = endpoint.method.rules.single_item && !Array.isArray(body)
  return { endpoint, path, query, message, authorization: call.headers['authorization'], isSingle }
}

let router: Router | undefined

function knownRouter(): Router {
  router ??= createRouter(methods())
  return router
}

function shown({ endpoint, path, query, message, isSingle }: Asked, answer: object, url: string) {
  const { rules } = endpoint.method
  if (rules.file) return replyOf(200, String(Reflect.get(answer, 'content')))
  const whole = endpoint.render(answer)
  if (whole === undefined) return replyOf(rules.success_status || 204, '')
  const body = isSingle && Array.isArray(whole) ? whole[0] : whole
  const isAccepted =
    rules.accepted_field !== '' && Reflect.get(answer, rules.accepted_field) === true
  const status = isAccepted ? 202 : rules.success_status || 200
  if (!rules.paginated) return replyOf(status, stringifyJson(body))
  const page: Record<string, unknown> = { ...Object(body) }
  const links = pageLinks(`${url}${path}`, query, {
    ...pageOf(rules, { limit: message['limit'], offset: message['offset'] }),
    count: Number(page['count']),
    pinnedBefore: 'pinned_before' in answer ? String(answer.pinned_before) : '',
  })
  Object.assign(page, links)
  for (const name of ['pinned_before', ...rules.alternatives]) delete page[name]
  return replyOf(rules.success_status || 200, stringifyJson(page))
}

/** gRPC statuses of each HTTP status; a failure with another one contradicts itself. */
const STATUSES: Readonly<Record<number, readonly status[]>> = {
  400: [status.INVALID_ARGUMENT],
  401: [status.UNAUTHENTICATED],
  403: [status.PERMISSION_DENIED],
  404: [status.NOT_FOUND],
  409: [status.ALREADY_EXISTS, status.FAILED_PRECONDITION],
  429: [status.RESOURCE_EXHAUSTED],
  503: [status.UNAVAILABLE],
}

/** @throws when the failure is not one of the interface. */
function refused(asked: Asked, failure: Extract<Answer, { kind: 'failure' }>): Reply {
  const { status: code, text, detail } = failure
  if (detail === undefined) throw new Error(`gRPC answers ${status[code]}: ${text}`)
  const { http_status: httpStatus } = detail
  if (STATUSES[httpStatus]?.includes(code) !== true || text !== detail.detail) {
    throw new Error(`${status[code]} "${text}" is no ${httpStatus} ${JSON.stringify(detail)}`)
  }
  const body = errorBody({ ...detail, ...attrOf(asked, detail) })
  return replyOf(httpStatus, JSON.stringify(body), detail.retry_after_s)
}

/**
 * Where the body is the value of one field, a message has a name for it and a body has none: what
 * is `invites__4__target_email` in the one is `4__target_email` in the other.
 */
function attrOf({ endpoint, isSingle }: Asked, { attr }: Detail): { attr?: string } {
  const { body } = endpoint.plan
  if (attr === undefined || body.kind !== 'field') return {}
  const [name, ...rest] = attr.split('__')
  if (name !== body.field.name) return {}
  const below = isSingle && rest[0] === '0' ? rest.slice(1) : rest
  return { attr: below.join('__') }
}

/** The error body of REST, from the details alone. */
export function errorBody({ type, code, detail, attr = '', attr_absent }: Detail): object {
  return { type, code, detail, ...(attr_absent ? {} : { attr: attr === '' ? null : attr }) }
}

function replyOf(httpStatus: number, text: string, retryAfterS = 0): Reply {
  const headers: Record<string, string> = {
    // A header of HTTP alone, which every answer there must have.
    'x-content-type-options': 'nosniff',
    ...(retryAfterS > 0 ? { 'retry-after': `${retryAfterS}` } : {}),
  }
  return { status: httpStatus, headers, text, body: parsed(text) }
}

function isSame(reply: Reply, rest: Reply): boolean {
  const isRefused = reply.status >= 400
  return (
    reply.status === rest.status &&
    isDeepStrictEqual(comparable(reply.body), comparable(rest.body)) &&
    (reply.body !== undefined || reply.text === rest.text) &&
    (!isRefused || reply.headers['retry-after'] === rest.headers['retry-after'])
  )
}

/** Figures of the cluster that change without calls, such as rates. */
const MOVING = new Set([
  'events_per_second',
  'decides_per_second',
  'oldest_wait_ms',
  'activations',
  'dropped',
  'refused_keys',
  'warned_flags',
  'warned_cohorts',
])

/** A list of events that names no `before` takes the time of the call for it. */
function comparable(body: unknown): unknown {
  if (!isObject(body)) return body
  const linked = Object.entries(body).map(([name, value]) => {
    const isLink = (name === 'next' || name === 'previous') && typeof value === 'string'
    return [name, isLink ? value.replace(/([?&])before=[^&]*&?/, '$1') : value]
  })
  const isCluster = 'cluster_name' in body && 'members' in body
  return isCluster ? withoutMoving(body) : Object.fromEntries(linked)
}

function withoutMoving(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoving)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !MOVING.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutMoving(each)]))
}

function brief({ status: httpStatus, text }: Reply): string {
  return `${httpStatus} ${text.slice(0, 2_000)}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON: the caller says what that means.
  }
}
