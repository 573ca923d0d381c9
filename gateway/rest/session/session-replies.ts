/** Answers of the routes that begin, end and show a session: bodies and cookies. */
import { AppError } from '../../../src/core/code.ts'
import { isObject } from '../../../src/core/json.ts'
import { permissionDeniedDetail, unsupportedMediaTypeDetail } from '../../../src/wire/details.ts'
import { bodyRenderer } from '../../../src/wire/proto/render.ts'
import type { HttpReply, HttpRequest } from '../../http/http-server.ts'
import { keyOfHeader } from '../../keys/credentials.ts'
import type { MediaRenderer, RestCall } from '../renderer.ts'
import { jsonReply, NO_STORE } from '../replies.ts'
import { bringsToken, type Sessions } from './session-cookie.ts'

/** By the full path of the method. */
export function sessionRenderers(sessions: Sessions): Readonly<Record<string, MediaRenderer>> {
  return {
    '/sluice.v1.LoginService/Login': async (call) => {
      requireOwnPage(sessions, call.request)
      requireJson(call.request)
      const answer = await call.call()
      const secret = (name: string) => (isObject(answer) ? String(answer[name] ?? '') : '')
      const browser = secret('browser_token')
      const cookies = [sessions.cookie(call.request, secret('session_token'))]
      if (browser !== '') cookies.push(sessions.browserCookie(call.request, browser))
      return shown(
        call,
        answer,
        cookies.map((cookie) => ['set-cookie', cookie] as const),
      )
    },
    '/sluice.v1.LoginService/Logout': async ({ request, call }) => {
      const session = sessions.of(request)
      const isKnownByKey = keyOfHeader(request.header('authorization')) !== undefined
      if (session !== undefined && !isKnownByKey && !bringsToken(request, session)) {
        throw unintended()
      }
      // Fails where there is no session to end.
      await call()
      return {
        status: 204,
        headers: [...NO_STORE, ['set-cookie', sessions.noCookie(request)]],
        body: '',
      }
    },
    '/sluice.v1.LoginService/GetSession': async (call) => shown(call, await call.call(), []),
  }
}

/** 403 of an unsafe call with only a cookie. */
export function unintended(): AppError {
  const detail = 'A call with a session needs the header X-CSRF-Token, from GET /api/session/.'
  return new AppError('permission_denied', 'no csrf token', {
    detail: { ...permissionDeniedDetail, detail },
  })
}

type Headers = NonNullable<HttpReply['headers']>

/** Body of a session. A missing project is null; without a session it has the user alone. */
function shown({ method }: RestCall, answer: object, headers: Headers): HttpReply {
  const [binding] = method.bindings
  const body = binding === undefined ? {} : bodyRenderer(method, binding)(answer)
  const whole = isObject(body) && body['user'] !== null ? { project_id: null, ...body } : body
  return jsonReply(200, whole, headers)
}

/** Refuses sign-in by a page of another origin, as whichever user. */
function requireOwnPage(sessions: Sessions, request: HttpRequest): void {
  if (sessions.isOwnOrigin(request)) return
  const detail = 'Pages of another origin sign nobody in.'
  throw new AppError('permission_denied', 'foreign page', {
    detail: { ...permissionDeniedDetail, detail },
  })
}

/** A form, which any page may send, never holds credentials. */
function requireJson(request: HttpRequest): void {
  const type = request.header('content-type') ?? ''
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type.trim())) return
  throw new AppError('invalid_argument', 'a form', { detail: unsupportedMediaTypeDetail(type) })
}
