/** Credentials of a sign-in, and the user that they prove. */
import type { LoginRequest__Output } from '../../../proto/gen/sluice/v1/LoginRequest.ts'
import { invalid } from '../../access/errors.ts'
import { isPersonalKey, keyDigest } from '../../access/keys.ts'
import type { PasswordHasher } from '../../access/password.ts'
import { AppError, type ErrorDetail } from '../../core/code.ts'
import type { UserId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import { findKey } from '../../store/people/key-store.ts'
import { findPassword, useLoginLink } from '../../store/people/session-store.ts'
import { invalidPersonalKeyDetail } from '../../wire/details.ts'

export type Credentials =
  | { readonly by: 'password'; readonly email: string; readonly password: string }
  | { readonly by: 'personal_api_key'; readonly value: string }
  | { readonly by: 'login_link'; readonly token: string }

/** Proof of identity: the user, and the credentials that were checked. */
export type Proof = {
  readonly by: Credentials['by']
  readonly userId: UserId
  /** The personal key that the session is to be limited by. */
  readonly keyId: string | null
  /** The stored text that the password was checked against. */
  readonly passwordHash?: string
}

export type Provers = {
  readonly sql: Sql
  readonly passwords: PasswordHasher
  readonly onKeyRefused: (value: string) => void
}

/** @throws {AppError} `invalid_argument` for none of the three, or several. */
export function credentialsOf(request: LoginRequest__Output): Credentials {
  const { email, password, personal_api_key: value, login_token: token } = request
  const isByPassword = email !== undefined || password !== undefined
  const given = [isByPassword, value !== undefined, token !== undefined].filter(Boolean)
  if (given.length !== 1) {
    const detail = 'Give one of: email and password, personal_api_key, login_token.'
    throw invalid(detail, null, given.length === 0 ? 'required' : 'invalid_input')
  }
  if (value !== undefined) return { by: 'personal_api_key', value }
  if (token !== undefined) return { by: 'login_link', token }
  if (email === undefined) throw invalid('This field is required.', 'email', 'required')
  if (password === undefined) throw invalid('This field is required.', 'password', 'required')
  return { by: 'password', email, password }
}

/** @throws {AppError} `unauthenticated` for wrong credentials. */
export async function prove(provers: Provers, credentials: Credentials): Promise<Proof> {
  switch (credentials.by) {
    case 'password':
      return await byPassword(provers, credentials)
    case 'personal_api_key':
      return await byKey(provers, credentials.value)
    case 'login_link':
      return await byLink(provers, credentials.token)
    default:
      return credentials satisfies never
  }
}

async function byPassword(
  { sql, passwords }: Provers,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Proof> {
  const stored = await findPassword(sql, email)
  const hash = stored?.passwordHash ?? null
  const isRight = await passwords.verify(password, hash)
  if (!isRight || stored === undefined || hash === null) {
    throw refused('invalid_credentials', 'Wrong e-mail address or password.')
  }
  return { by: 'password', userId: stored.userId, keyId: null, passwordHash: hash }
}

async function byKey({ sql, onKeyRefused }: Provers, value: string): Promise<Proof> {
  const key = isPersonalKey(value) ? await findKey(sql, keyDigest(value)) : undefined
  if (key !== undefined) return { by: 'personal_api_key', userId: key.userId, keyId: key.keyId }
  onKeyRefused(value)
  const detail = { ...invalidPersonalKeyDetail }
  throw new AppError('unauthenticated', 'personal key signs nobody in', { detail })
}

const LINK_WORDS = { used: 'has been used already', old: 'is too old', unknown: 'is not valid' }
const ANOTHER = 'Print another one with: sluice admin login-link'

async function byLink({ sql }: Provers, token: string): Promise<Proof> {
  const link = await useLoginLink(sql, keyDigest(token))
  if (link.kind === 'valid') return { by: 'login_link', userId: link.userId, keyId: null }
  throw refused(`login_link_${link.kind}`, `This link ${LINK_WORDS[link.kind]}. ${ANOTHER}`)
}

/** 401. */
export function refused(code: string, text: string): AppError {
  const detail: ErrorDetail = { type: 'authentication_error', code, detail: text, attr: null }
  return new AppError('unauthenticated', `not signed in: ${code}`, { detail })
}
