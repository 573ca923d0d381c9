/** Makes, recognises, digests and masks project keys and personal keys. */
import { createHash, randomBytes } from 'node:crypto'
import { CREDENTIAL_LENGTH_MAX } from '../core/limits/limits.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_BYTES = 32
/** Digits that 256 bits need in base 62; smaller numbers are filled up to one length. */
const SECRET_DIGITS = 43

/** Names a project in public calls. Not a secret: it is in every page that captures. */
const PROJECT_TOKEN_PREFIX = 'phc_'
/** Names a user in management calls. Shown once, stored as a digest. */
const PERSONAL_KEY_PREFIX = 'phx_'

const PRINTABLE = /^[\x21-\x7e]+$/
const PROJECT_TOKEN_LENGTH_MIN = 10
const PROJECT_TOKEN_LENGTH_MAX = 64
const PERSONAL_KEY_LENGTH_MIN = 8
const MASK_SHOWN = 4

export function makeProjectToken(): string {
  return PROJECT_TOKEN_PREFIX + randomText()
}

export function makePersonalKey(): string {
  return PERSONAL_KEY_PREFIX + randomText()
}

/** 256 random bits in base 62, 43 characters. */
export function randomText(): string {
  return base62(randomBytes(SECRET_BYTES))
}

/** Big-endian bytes as digits of base 62, filled with zeros to 43. */
export function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text.padStart(SECRET_DIGITS, ALPHABET.charAt(0))
}

/** Digest that is stored and looked up: 256 random bits need no key stretching. */
export function keyDigest(value: string): Buffer {
  return createHash('sha256').update(value, 'utf8').digest()
}

/** Prefix and last characters, enough for its owner to tell keys apart. */
export function maskKey(value: string): string {
  if (value.length < PERSONAL_KEY_LENGTH_MIN * 2) return `${value.slice(0, MASK_SHOWN)}...`
  return `${value.slice(0, MASK_SHOWN)}...${value.slice(-MASK_SHOWN)}`
}

/** True for a value that an operator may preset as a project's token. */
export function isProjectToken(value: string): boolean {
  return (
    PRINTABLE.test(value) &&
    value.length >= PROJECT_TOKEN_LENGTH_MIN &&
    value.length <= PROJECT_TOKEN_LENGTH_MAX &&
    !value.startsWith(PERSONAL_KEY_PREFIX)
  )
}

/** True for a value that can be a personal key: others are refused without a look-up. */
export function isPersonalKey(value: string): boolean {
  return (
    PRINTABLE.test(value) &&
    value.length >= PERSONAL_KEY_LENGTH_MIN &&
    value.length <= CREDENTIAL_LENGTH_MAX &&
    !value.startsWith(PROJECT_TOKEN_PREFIX)
  )
}
