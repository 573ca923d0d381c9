/** Secrets of links that end mails. A mail has one of its own, and the store has its digest alone. */
import { randomBytes } from 'node:crypto'
import { keyDigest } from '../../access/keys.ts'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function makeToken(): { readonly token: string; readonly digest: Uint8Array } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, digest: keyDigest(token) }
}

/** Undefined for a text that is no secret. */
export function digestOf(token: string): Uint8Array | undefined {
  return TOKEN.test(token) ? keyDigest(token) : undefined
}
