import { type ProjectId, projectId } from '../../src/core/ids.ts'
import { isObject, type JsonObject } from '../../src/core/json.ts'
import { CREDENTIAL_LENGTH_MAX } from '../../src/core/limits/limits.ts'
import type { Dialect } from '../../src/events/parse-event.ts'
import { queryValue } from '../http/query.ts'
import { keyOfHeader } from './credentials.ts'

/** Fields of a form beside its data that name a key or a project; absent ones are undefined. */
export type KeyFields = {
  readonly apiKey: string | undefined
  readonly token: string | undefined
  readonly projectId: string | undefined
}

/** Where a request may carry its key. */
export type TokenSource = {
  readonly method: string
  readonly query: string
  readonly form: KeyFields
  readonly payload: unknown
  /** The `Authorization` header. Empty when missing, and where `thirdParty` is `never`. */
  readonly authorization: string
  readonly thirdParty: ThirdPartyKey
}

/**
 * Precedence of the key that Segment's and RudderStack's libraries send (HTTP Basic user name, then
 * a query's `writeKey`, then the body's; a key before the body is judged before it): `first` on
 * their own routes, `last` on other routes that accept their events too, after all other keys.
 */
export type ThirdPartyKey = 'first' | 'last' | 'never'

/** Precedence on a capture route. */
export function thirdPartyKeyOf({ kind }: Dialect): ThirdPartyKey {
  if (kind === 'segment') return 'first'
  return kind === 'posthog' ? 'last' : 'never'
}

/** Why the key is refused without a look-up, for counters and tests. */
export type TokenRefusal = 'missing' | 'not_string' | 'too_long' | 'not_ascii' | 'conflicting'

/**
 * The project named beside a personal key; it says nothing beside a project key. `absent` is then
 * the only project that the key reaches, `invalid` is `invalid_project`, and `unknown` (an integer
 * that no project can have) is `invalid_personal_api_key`, as is an id without access.
 */
export type ProjectChoice =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'id'; readonly id: ProjectId }

export type TokenAnswer =
  | {
      readonly kind: 'candidate'
      readonly token: string
      /** The token has the prefix of personal keys: no project has it. */
      readonly isPersonal: boolean
      readonly project: ProjectChoice
    }
  | {
      readonly kind: 'refused'
      readonly reason: TokenRefusal
      /** As of a candidate. */
      readonly isPersonal: boolean
    }

export const PERSONAL_PREFIX = 'phx_'
const PROJECT_ID_MAX = 2_147_483_647
const ABSENT: ProjectChoice = { kind: 'absent' }
const INVALID: ProjectChoice = { kind: 'invalid' }
const UNKNOWN: ProjectChoice = { kind: 'unknown' }

/**
 * Finds the key of a request and checks its shape. The first place with a value wins; null and
 * empty are no value.
 */
export function findToken(source: TokenSource): TokenAnswer {
  const { payload } = source
  const first = Array.isArray(payload) ? payload.find(isObject) : payload
  const fields = isObject(first) ? first : {}
  const answer = readToken(firstToken(source, fields))
  if (answer.kind === 'refused') return answer
  if (Array.isArray(payload) && hasOtherToken(payload)) return refused('conflicting')
  const { token, isPersonal } = answer
  return { kind: 'candidate', token, isPersonal, project: projectChoice(source, fields) }
}

/** The key that Segment's and RudderStack's libraries write before the body; undefined without. */
export function thirdPartyKey(authorization: string, query: string): unknown {
  return given(basicUser(authorization)) ?? given(queryValue(query, 'writeKey'))
}

/** The project key of a route that takes it in `Authorization: Bearer` only. */
export function findBearerToken(authorization: string): TokenAnswer {
  return readToken(keyOfHeader(authorization))
}

/** Checks the shape of a key that comes without a project id. */
export function readToken(token: unknown): TokenAnswer {
  if (token === undefined) return refused('missing')
  if (typeof token !== 'string') return refused('not_string')
  const text = token.trim()
  if (text === '') return refused('missing')
  const isPersonal = text.startsWith(PERSONAL_PREFIX)
  if (text.length > CREDENTIAL_LENGTH_MAX) return refused('too_long', isPersonal)
  if (!isVisibleAscii(text)) return refused('not_ascii', isPersonal)
  return { kind: 'candidate', token: text, isPersonal, project: ABSENT }
}

function refused(reason: TokenRefusal, isPersonal = false): TokenAnswer {
  return { kind: 'refused', reason, isPersonal }
}

function firstToken(source: TokenSource, fields: JsonObject): unknown {
  const { thirdParty } = source
  if (thirdParty === 'first') return thirdPartyToken(source, fields) ?? ownToken(source, fields)
  const own = ownToken(source, fields)
  return own !== undefined || thirdParty === 'never' ? own : thirdPartyToken(source, fields)
}

function thirdPartyToken({ authorization, query }: TokenSource, fields: JsonObject): unknown {
  return thirdPartyKey(authorization, query) ?? given(fields['writeKey'])
}

function ownToken({ method, query, form }: TokenSource, fields: JsonObject): unknown {
  if (method === 'GET' && query !== '') {
    const own = given(queryValue(query, 'token')) ?? given(queryValue(query, 'api_key'))
    if (own !== undefined) return own
  }
  return given(form.apiKey) ?? given(form.token) ?? tokenOfPayload(fields)
}

/** The envelope's key comes before its items' keys; without it the first item's key counts. */
function tokenOfPayload(fields: JsonObject): unknown {
  const own = tokenOf(fields)
  if (own !== undefined) return own
  const batch = fields['batch']
  const first = Array.isArray(batch) ? batch.find(isObject) : undefined
  return first === undefined ? undefined : tokenOf(first)
}

function tokenOf(fields: JsonObject): unknown {
  const own = given(fields['$token']) ?? given(fields['token']) ?? given(fields['api_key'])
  if (own !== undefined) return own
  const properties = fields['properties']
  return isObject(properties) ? given(properties['token']) : undefined
}

/**
 * Refuses an array whose items name different keys: all items would go to the first key's project.
 */
function hasOtherToken(items: readonly unknown[]): boolean {
  let seen: unknown
  for (const item of items) {
    const token = isObject(item) ? tokenOf(item) : undefined
    if (token === undefined) continue
    if (seen !== undefined && token !== seen) return true
    seen = token
  }
  return false
}

function projectChoice({ form, query }: TokenSource, fields: JsonObject): ProjectChoice {
  const value = given(fields['project_id']) ?? given(form.projectId)
  if (value !== undefined) return parseProject(value)
  const fromQuery = query === '' ? undefined : given(queryValue(query, 'project_id'))
  return fromQuery === undefined ? ABSENT : parseProject(fromQuery)
}

function parseProject(value: unknown): ProjectChoice {
  if (typeof value !== 'number' && typeof value !== 'string') return INVALID
  const text = String(value).trim()
  const isInteger = typeof value === 'number' ? Number.isInteger(value) : /^[+-]?\d+$/.test(text)
  if (!isInteger) return INVALID
  const id = Number(text)
  return id >= 1 && id <= PROJECT_ID_MAX ? { kind: 'id', id: projectId(id) } : UNKNOWN
}

/** User name of HTTP Basic, or undefined. */
function basicUser(authorization: string): string | undefined {
  const match = /^basic ([a-z0-9+/_=-]{1,1024})$/i.exec(authorization.trim())
  if (match?.[1] === undefined) return undefined
  const pair = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon === -1 ? pair : pair.slice(0, colon)
}

function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value
}

function isVisibleAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 33 || unit > 126) return false
  }
  return true
}
