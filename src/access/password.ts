/** Passwords as they are stored, and as they are checked. */

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../core/code.ts'
import { createGate } from '../core/gate.ts'
import { throttledDetail } from '../wire/details.ts'

/** Passwords waiting to be hashed, one at a time; over it new ones get 429. */
export const PASSWORDS_WAITING_MAX = 8

export type PasswordHasher = {
  /**
   * The password with a salt of its own, as text that names all it takes to check one:
   * `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, in base64 without padding.
   * @throws {AppError} `resource_exhausted` when too many wait already. Safe to retry.
   */
  hash(password: string): Promise<string>
  /**
   * Whether a stored text is of this password. Takes the same time when there is no stored text.
   * @throws {AppError} `resource_exhausted` when too many wait already. Safe to retry.
   */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** 16 MiB and some 0.2 s a password: the OWASP minimum that takes the least memory. */
const COST_LOG2 = 14
const BLOCK_SIZE = 8
const PARALLELISM = 5
const SALT_BYTES = 16
const HASH_BYTES = 32
const RETRY_AFTER_S = 3

/**
 * Hashes one password at a time, on one of libuv's threads: anyone with an invite may ask for
 * hashes, and must not hold up files and names, which need those threads too.
 * @param costLog2 cost of one hash, as a power of two; each hash names its own.
 */
export function createPasswordHasher({ costLog2 = COST_LOG2 } = {}): PasswordHasher {
  const gate = createGate({
    runningMax: 1,
    // The one that runs counts among those that wait for their answer.
    waitingMax: PASSWORDS_WAITING_MAX - 1,
    refuse() {
      const detail = throttledDetail(RETRY_AFTER_S)
      return new AppError('resource_exhausted', 'too many passwords to hash', { detail })
    },
  })
  return {
    hash: (password) => gate.run(() => hashNow(password, costLog2)),
    verify: (password, stored) => gate.run(() => verifyNow(password, stored, costLog2)),
  }
}

const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

async function verifyNow(
  password: string,
  stored: string | null,
  costLog2: number,
): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = STORED.exec(stored ?? '') ?? []
  const options = {
    cost: 2 ** Number(ln ?? costLog2),
    blockSize: Number(r ?? BLOCK_SIZE),
    parallelization: Number(p ?? PARALLELISM),
  }
  // A missing password is hashed too, so that the time does not tell who has one.
  const salted = salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64')
  const made = await derive(password.normalize('NFKC'), salted, options)
  const right = Buffer.from(hash, 'base64')
  return right.length === made.length && timingSafeEqual(right, made)
}

async function hashNow(password: string, costLog2: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const options = { cost: 2 ** costLog2, blockSize: BLOCK_SIZE, parallelization: PARALLELISM }
  // Normalised, so that every keyboard produces the same characters.
  const hash = await derive(password.normalize('NFKC'), salt, options)
  const parameters = `ln=${costLog2},r=${BLOCK_SIZE},p=${PARALLELISM}`
  return `$scrypt$${parameters}$${unpadded(salt)}$${unpadded(hash)}`
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
