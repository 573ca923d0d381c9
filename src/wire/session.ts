/** Session of a browser, as gateways and workers pass it on, and its CSRF token. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Metadata with the secret of a session. A key in the same call counts instead. */
export const SESSION_METADATA = 'x-sluice-session'
/** Metadata with the address of a client, from the gateway that it speaks to. */
export const CLIENT_METADATA = 'x-sluice-client'
/** Metadata with the name that a client has given itself. */
export const AGENT_METADATA = 'x-sluice-agent'
/** Characters of such a name to keep. */
export const AGENT_LENGTH_MAX = 200
/** Metadata with the proof that a browser has signed its user in before. */
export const BROWSER_METADATA = 'x-sluice-browser'
/** Form of such a proof: the browser's name, and a code that only the server can make. */
export const BROWSER = /^([0-9A-Za-z]{43})\.([0-9A-Za-z_-]{43})$/

/** The form of a session's secret: 256 random bits in base 62. */
const SESSION = /^[0-9A-Za-z]{43}$/

export function isSession(text: string): boolean {
  return SESSION.test(text)
}

export function isBrowser(text: string): boolean {
  return BROWSER.test(text)
}

/**
 * CSRF token that accompanies an unsafe call with a session's cookie; pages of other origins cannot
 * read it. Keyed with the session itself: every member can compute it, and a restart changes
 * nothing.
 */
export function csrfToken(session: string): string {
  return createHmac('sha256', session).update('csrf token').digest('base64url')
}

/** In constant time, so that the time tells nothing about the right one. */
export function isCsrfToken(session: string, given: string | undefined): boolean {
  const right = Buffer.from(csrfToken(session))
  const bytes = Buffer.from(given ?? '')
  return bytes.length === right.length && timingSafeEqual(bytes, right)
}
