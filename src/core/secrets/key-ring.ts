/** Seals secrets for the store: AES-256-GCM, under a key that is not in the database. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AppError } from '../code.ts'
import { err, ok, type Result } from '../result.ts'

/**
 * The keys of this process. The first seals, all open.
 *
 * A place names the owner of a secret, such as a project and a setting. A secret that was sealed
 * for one place does not open for another: write access to rows is not enough to move a secret to
 * where it is shown.
 */
export type KeyRing = {
  /** Names of the keys, made of their digests. Empty: nothing can be sealed. */
  readonly ids: readonly string[]
  /** @throws {AppError} `failed_precondition` without a key. */
  seal(plain: Uint8Array, place: string): Buffer
  /** @throws {AppError} `failed_precondition` when its key is missing, or it is not what was sealed. */
  open(sealed: Uint8Array, place: string): Buffer
}

const KEY_BYTES = 32
const ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = 1
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES + TAG_BYTES

/** Reads the keys of SECRETS_KEY and the key file: 32 bytes each, in hex or base64. */
export function parseKeys(text: string): Result<readonly Buffer[], string> {
  const keys: Buffer[] = []
  for (const each of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const isHex = /^[0-9a-f]{64}$/i.test(each)
    const key = Buffer.from(each, isHex ? 'hex' : 'base64')
    if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(each)) return err(NOT_KEYS)
    if (key.length !== KEY_BYTES) return err(NOT_KEYS)
    keys.push(key)
  }
  return keys.length === 0 ? err(NOT_KEYS) : ok(keys)
}

const NOT_KEYS = 'must be keys of 32 bytes in hex or base64, separated by commas'

export function createKeyRing(keys: readonly Uint8Array[]): KeyRing {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const ids = [...byId.keys()]
  return {
    ids,
    seal(plain, place) {
      const [id] = ids
      const key = id === undefined ? undefined : byId.get(id)
      if (id === undefined || key === undefined) {
        throw new AppError('failed_precondition', 'SECRETS_KEY is missing: no secret can be stored')
      }
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([
        Buffer.of(FORM),
        Buffer.from(id, 'hex'),
        nonce,
        cipher.getAuthTag(),
        body,
      ])
    },
    open(sealed, place) {
      const id = sealedBy(sealed)
      const key = byId.get(id)
      if (key === undefined) {
        throw new AppError('failed_precondition', `a secret needs the key ${id} (SECRETS_KEY)`)
      }
      const bytes = Buffer.from(sealed)
      const nonce = bytes.subarray(1 + ID_BYTES, 1 + ID_BYTES + NONCE_BYTES)
      const tag = bytes.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()])
      } catch (cause) {
        const message = 'a stored secret was changed, or belongs to another place'
        throw new AppError('failed_precondition', message, { cause })
      }
    },
  }
}

/** Id of the key under which it was sealed. */
export function sealedBy(sealed: Uint8Array): string {
  if (sealed.length < HEAD_BYTES || sealed[0] !== FORM) {
    throw new AppError('failed_precondition', 'this is no sealed secret')
  }
  return Buffer.from(sealed.subarray(1, 1 + ID_BYTES)).toString('hex')
}

function idOf(key: Uint8Array): string {
  const digest = createHash('sha256').update('sluice key of secrets').update(key).digest()
  return digest.subarray(0, ID_BYTES).toString('hex')
}
