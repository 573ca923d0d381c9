/**
 * Proof that a browser has signed a user in before. Browsers keep it in a cookie, and failed
 * sign-ins of other clients do not count against them (ADR 125). It is keyed with the stored text
 * of the password: no further secret is needed, and a new password ends it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UserId } from '../core/ids.ts'
import { BROWSER } from '../wire/session.ts'
import { randomText } from './keys.ts'

export function knownBrowserToken(user: UserId, passwordHash: string): string {
  const name = randomText()
  return `${name}.${proofOf(name, user, passwordHash)}`
}

/** @returns the name under which the browser is counted; undefined for one that proves nothing. */
export function knownBrowserOf(
  token: string,
  user: UserId,
  passwordHash: string,
): string | undefined {
  const [, name = '', proof = ''] = BROWSER.exec(token) ?? []
  const right = Buffer.from(proofOf(name, user, passwordHash))
  const given = Buffer.from(proof)
  return right.length === given.length && timingSafeEqual(right, given) ? name : undefined
}

function proofOf(name: string, user: UserId, passwordHash: string): string {
  return createHmac('sha256', passwordHash).update(`browser ${user} ${name}`).digest('base64url')
}
