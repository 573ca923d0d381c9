/** Finds a personal API key in header, body or query. The first place that holds one counts. */
import { isObject } from '../../src/core/json.ts'
import { CREDENTIAL_LENGTH_MAX } from '../../src/core/limits/limits.ts'
import type { BodyInput } from '../../src/wire/validation/validate.ts'

/** Name of the field in bodies and queries. */
export const KEY_MEMBER = 'personal_api_key'

/** The key of an `Authorization: Bearer` header; other schemes hold none. */
export function keyOfHeader(authorization: string | undefined): string | undefined {
  const match = /^\s*bearer\s+(\S.*)$/i.exec(authorization ?? '')
  return match?.[1]?.trim()
}

export function keyOfBody(input: BodyInput): string | undefined {
  if (input.kind === 'form') return present(input.form.fields.get(KEY_MEMBER)?.at(-1))
  const { body } = input
  return isObject(body) && Object.hasOwn(body, KEY_MEMBER) ? present(body[KEY_MEMBER]) : undefined
}

export function keyOfQuery(query: URLSearchParams): string | undefined {
  return present(query.getAll(KEY_MEMBER).at(-1))
}

/** False for text that cannot be a key; such text could not be sent as metadata. */
export function isPlausibleKey(key: string): boolean {
  return key.length <= CREDENTIAL_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key)
}

function present(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}
