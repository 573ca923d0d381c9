/**
 * Cookie of a session. Browsers send cookies by themselves, and pages of a neighbouring subdomain
 * count as the same site. So it counts only for requests by pages of this very origin, and calls
 * that change something need a token as well (ADR 63).
 */

import { SESSION_DAYS } from '../../../src/core/limits/limits.ts'
import { isBrowser, isCsrfToken, isSession } from '../../../src/wire/session.ts'
import type { HttpRequest } from '../../http/http-server.ts'

/** Days that a browser is known by its cookie, after it has signed a user in. */
const KNOWN_BROWSER_DAYS = 180

const DAY_S = 86_400

type Cookie = {
  readonly secureName: string
  readonly plainName: string
  readonly ageS: number
  readonly isValue: (text: string) => boolean
}

/** Browsers take such a name over https only, for this host alone and for all of its paths. */
const SECURE_PREFIX = '__Host-'
const SESSION: Cookie = {
  secureName: `${SECURE_PREFIX}sluice`,
  plainName: 'sluice_session',
  // The longest life of a session: the server ends it sooner when it is not used.
  ageS: SESSION_DAYS * DAY_S,
  isValue: isSession,
}
/** Cookie of a known browser: it signs nobody in, and stays when a session ends. */
const BROWSER: Cookie = {
  secureName: `${SECURE_PREFIX}sluice-browser`,
  plainName: 'sluice_browser',
  ageS: KNOWN_BROWSER_DAYS * DAY_S,
  isValue: isBrowser,
}
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
const SESSION_PATH = /^\/api\/(?:login|logout|session)\/?$/

export type Sessions = {
  /** The session of a request of a page of this origin; undefined for all else. */
  of(request: HttpRequest): string | undefined
  /** Proof that this browser has signed in before; as `of`. */
  browserOf(request: HttpRequest): string | undefined
  /** False for a request by a page of another origin. */
  isOwnOrigin(request: HttpRequest): boolean
  /** No page of another origin may read the answer. */
  isPrivate(request: HttpRequest): boolean
  /** Value of `Set-Cookie`. */
  cookie(request: HttpRequest, session: string): string
  /** The same of a known browser. */
  browserCookie(request: HttpRequest, proof: string): string
  /** Value of `Set-Cookie` that ends it. */
  noCookie(request: HttpRequest): string
}

/** Sessions of a gateway without sign-in. */
export const NO_SESSIONS: Sessions = {
  of: () => undefined,
  browserOf: () => undefined,
  isOwnOrigin: () => true,
  isPrivate: () => false,
  cookie: () => '',
  browserCookie: () => '',
  noCookie: () => '',
}

export type SessionsOptions = {
  /** Where people reach this instance; undefined where the operator has not said so. */
  readonly publicUrl: string | undefined
  /** True when `X-Forwarded-*` of that peer counts. */
  readonly trustsForwarded: (remoteAddress: string) => boolean
}

export function createSessions({ publicUrl, trustsForwarded }: SessionsOptions): Sessions {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)

  const isSecure = (request: HttpRequest) => {
    const proto = request.header('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase()
    if (proto !== undefined && trustsForwarded(request.remoteAddress)) return proto === 'https'
    return known?.protocol === 'https:' && known.host === hostOf(request)
  }
  const isOwnOrigin = (request: HttpRequest) => {
    const site = request.header('sec-fetch-site')
    if (site !== undefined) return site === 'same-origin'
    const origin = request.header('origin')
    if (origin === undefined) return true
    return origin === known?.origin || isOfHost(origin, hostOf(request))
  }
  const read = (request: HttpRequest, { secureName, plainName, isValue }: Cookie) => {
    const cookies = request.header('cookie')
    if (cookies === undefined || !isOwnOrigin(request)) return undefined
    return cookieOf(cookies, isSecure(request) ? secureName : plainName, isValue)
  }
  const written = (
    request: HttpRequest,
    { secureName, plainName, ageS }: Cookie,
    value: string,
  ) => {
    const how = `Path=/; Max-Age=${value === '' ? 0 : ageS}; HttpOnly; SameSite=Strict`
    return isSecure(request)
      ? `${secureName}=${value}; ${how}; Secure`
      : `${plainName}=${value}; ${how}`
  }
  const of = (request: HttpRequest) => read(request, SESSION)
  return {
    of,
    browserOf: (request) => read(request, BROWSER),
    isOwnOrigin,
    isPrivate: (request) =>
      SESSION_PATH.test(request.path) ||
      (request.header('authorization') === undefined && of(request) !== undefined),
    cookie: (request, session) => written(request, SESSION, session),
    browserCookie: (request, proof) => written(request, BROWSER, proof),
    noCookie: (request) => written(request, SESSION, ''),
  }
}

/** True for a call that changes nothing, or brings the session's token. */
export function isIntended(request: HttpRequest, session: string): boolean {
  return SAFE_METHODS.includes(request.method) || bringsToken(request, session)
}

export function bringsToken(request: HttpRequest, session: string): boolean {
  return isCsrfToken(session, request.header('x-csrf-token'))
}

function hostOf(request: HttpRequest): string | undefined {
  return request.header('host')?.toLowerCase()
}

/** The scheme is not compared: behind a proxy nobody here knows it. */
function isOfHost(origin: string, host: string | undefined): boolean {
  const [, named] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  return named !== undefined && named.toLowerCase() === host
}

/** Value of a cookie; none if two values conflict, since a page of another host has set one. */
function cookieOf(
  cookies: string,
  name: string,
  isValue: (text: string) => boolean,
): string | undefined {
  const values = new Set<string>()
  for (const part of cookies.split(';')) {
    const at = part.indexOf('=')
    if (at !== -1 && part.slice(0, at).trim() === name) values.add(part.slice(at + 1).trim())
  }
  const [value] = values
  return values.size === 1 && value !== undefined && isValue(value) ? value : undefined
}
