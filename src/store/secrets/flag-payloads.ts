/** Secret payloads of flags in the store: sealed, each for its project, flag and outcome. */
import { isObject, type Json, objectOf, own, setOwn } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { isSealed, openJson, sealAnew } from '../../core/secrets/sealed-json.ts'

/** Flag that the payloads belong to. */
export type PayloadsOwner = { readonly projectId: number; readonly flagId: number }

/** Placeholder of a secret payload: JSON text, as payloads are. */
export const REDACTED_PAYLOAD = '"********* (encrypted)"'
/** The same in a change of the audit log that has changed it. */
const REDACTED_CHANGE = '"********* (encrypted, changed)"'

/** The payload of one outcome; undefined when there is none. */
export function payloadIn(filters: unknown, outcome: string): Json | undefined {
  return own(objectOf(own(objectOf(filters), 'payloads')), outcome)
}

/** Empty payloads are no secrets. */
export function isSecretPayload(payload: Json | undefined): payload is Json {
  return payload !== undefined && payload !== null && payload !== ''
}

/** The filters with other payloads, and all else as it was. */
export function withPayloads(
  filters: Json,
  change: (payload: Json, outcome: string) => Json,
): Json {
  const payloads = isObject(filters) ? own(filters, 'payloads') : undefined
  if (!isObject(filters) || !isObject(payloads)) return filters
  const changed: Record<string, Json> = {}
  for (const [outcome, payload] of Object.entries(payloads)) {
    setOwn(changed, outcome, isSecretPayload(payload) ? change(payload, outcome) : payload)
  }
  return { ...filters, payloads: changed }
}

/** Under the first key; those that are the same in `before` as they are there. */
export function sealPayloads(
  ring: KeyRing,
  owner: PayloadsOwner,
  { filters, before }: { readonly filters: Json; readonly before: Json },
): Json {
  return withPayloads(filters, (value, outcome) =>
    sealAnew(ring, placeOf(owner, outcome), { value, before: payloadIn(before, outcome) }),
  )
}

/** Opens payloads to their original form. @throws {AppError} as `KeyRing.open`. */
export function openPayloads(ring: KeyRing, owner: PayloadsOwner, filters: Json): Json {
  return withPayloads(filters, (payload, outcome) =>
    openJson(ring, payload, placeOf(owner, outcome)),
  )
}

/** Reseals sealed payloads under the first key; payloads in clear stay as they are. */
export function resealPayloads(ring: KeyRing, owner: PayloadsOwner, filters: Json): Json {
  return withPayloads(filters, (value, outcome) =>
    isSealed(value) ? sealAnew(ring, placeOf(owner, outcome), { value, before: value }) : value,
  )
}

export function redactPayloads(filters: Json): Json {
  return withPayloads(filters, (payload) =>
    payload === REDACTED_CHANGE ? payload : REDACTED_PAYLOAD,
  )
}

/** The filters after a change, redacted so that one sees which payloads have changed. */
export function redactChanged(before: Json, after: Json): Json {
  const shown = redactPayloads(after)
  return withPayloads(shown, (payload, outcome) => {
    const old = payloadIn(before, outcome)
    const made = payloadIn(after, outcome)
    const isChanged = isSecretPayload(old) && JSON.stringify(old) !== JSON.stringify(made)
    return isChanged ? REDACTED_CHANGE : payload
  })
}

function placeOf({ projectId, flagId }: PayloadsOwner, outcome: string): string {
  return `payload of flag ${projectId} ${flagId} ${outcome}`
}
