/** Where a personal API key may be: header, body, query. The first place that holds one counts. */
import { CREDENTIAL_LENGTH_MAX } from '../../src/core/limits/limits.ts'
import { isRecord } from '../../src/wire/proto/rules.ts'
import type { BodyInput } from '../../src/wire/validation/validate.ts'

/** Of bodies and queries. */
export const KEY_MEMBER = 'personal_api_key'

/** The value of the header; another scheme holds no key of ours. */
export function keyOfHeader(authorization: string | undefined): string | undefined {
  const match = /^\s*bearer\s+(\S.*)$/i.exec(authorization ?? '')
  return match?.[1]?.trim()
}

export function keyOfBody(input: BodyInput): string | undefined {
  if (input.kind === 'form') return present(input.form.fields.get(KEY_MEMBER)?.at(-1))
  const { body } = input
  return isRecord(body) && Object.hasOwn(body, KEY_MEMBER) ? present(body[KEY_MEMBER]) : undefined
}

export function keyOfQuery(query: URLSearchParams): string | undefined {
  return present(query.getAll(KEY_MEMBER).at(-1))
}

/** False for what cannot be a key, and could not travel as metadata either. */
export function isPlausibleKey(key: string): boolean {
  return key.length <= CREDENTIAL_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key)
}

function present(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}
