/**
 * Session of the signed-in user:
 *
 *     unknown -> none -> signed_in -> ended -> signed_in      `ended`: a call was answered 401. The
 *         `------------------^                                page stays as it is below a dialog, and
 *                                                             the call is repeated after it.
 */
import { call, createClient, type Json } from '../../client/index.ts'
import { shared } from './shared.ts'
import { setClock } from './timers.ts'

export type SessionUser = {
  readonly id: number
  readonly email: string
  readonly first_name: string
  readonly is_staff: boolean
}

export type Session = {
  readonly user: SessionUser
  /** Where the user works now. */
  readonly project_id: number | null
  /** Null: every right of the user. */
  readonly scopes: readonly string[] | null
  readonly expires_at: string
  readonly csrf_token: string
}

export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'signed_in'; readonly session: Session }
  | { readonly kind: 'ended'; readonly session: Session }

export type Credentials =
  | { readonly email: string; readonly password: string }
  | { readonly personal_api_key: string }
  | { readonly login_token: string }

export const sessionState = shared<SessionState>({ kind: 'unknown' })

/** Fetches, and sets the clock by the answer's date. */
export async function fetchTimed(url: string | URL | Request, init?: RequestInit) {
  const response = await fetch(url, init)
  setClock(response.headers.get('date'))
  return response
}

/** Client whose 401s are plain answers, not the end of a session. */
const plain = createClient({ baseUrl: location.origin, fetch: fetchTimed })

/** Loads the session of the signed-in user. */
export async function loadSession(): Promise<void> {
  const answer = await call<Session | { readonly user: null }>(plain, {
    verb: 'GET',
    path: '/api/session/',
  })
  sessionState.value =
    answer.user === null
      ? { kind: 'none' }
      : { kind: 'signed_in', session: { ...answer, user: answer.user } as Session }
}

/** @throws {ApiError} when they are refused. */
export async function signIn(credentials: Credentials): Promise<void> {
  await call<Json>(plain, { verb: 'POST', path: '/api/login/', body: credentials })
  await loadSession()
}

export async function signOut(): Promise<void> {
  const token = csrfToken()
  const headers: Record<string, string> = token === undefined ? {} : { 'x-csrf-token': token }
  await call<Json>(plain, { verb: 'POST', path: '/api/logout/', body: {} }, { headers })
  sessionState.value = { kind: 'none' }
}

/** Whether the signed-in user operates the instance. */
export function isStaff(): boolean {
  const state = sessionState.value
  return 'session' in state && state.session.user.is_staff
}

/** CSRF token, which unsafe calls send along. */
export function csrfToken(): string | undefined {
  const state = sessionState.value
  return 'session' in state ? state.session.csrf_token : undefined
}

/**
 * Opens the dialog that asks to sign in again.
 * @returns whether a user signed in; false at once where nobody was signed in before.
 */
export function signedInAgain(): Promise<boolean> {
  const state = sessionState.value
  if (!('session' in state)) return Promise.resolve(false)
  sessionState.value = { kind: 'ended', session: state.session }
  return new Promise((resolve) => {
    const stop = sessionState.subscribe(({ kind }) => {
      if (kind === 'ended') return
      resolve(kind === 'signed_in')
      stop()
    })
  })
}
