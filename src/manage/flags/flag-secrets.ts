/** Secret payloads of flags, as changes bring them. */
import { invalid } from '../../access/errors.ts'
import type { Json } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { isSealed } from '../../core/secrets/sealed-json.ts'
import type { FlagSettings } from '../../store/projects/flag-store.ts'
import {
  isSecretPayload,
  openPayloads,
  type PayloadsOwner,
  payloadIn,
  REDACTED_PAYLOAD,
  sealPayloads,
  withPayloads,
} from '../../store/secrets/flag-payloads.ts'
import { refusingWithoutKey } from '../without-key.ts'

/** Fields of a stored flag that its payloads depend on. */
export type KeptPayloads = Pick<FlagSettings, 'filters' | 'hasEncryptedPayloads'>

/**
 * The settings as the store holds them. A masked payload means the one in `kept`. When the option
 * is switched off, payloads are stored in clear, and shown from then on.
 * @param kept stored settings; secret payloads are sealed.
 * @throws {AppError} `invalid_argument` when there is no key to seal with.
 */
export function sealedSettings(
  ring: KeyRing,
  owner: PayloadsOwner,
  settings: FlagSettings,
  kept: KeptPayloads | undefined,
): FlagSettings {
  const isSecret = settings.hasEncryptedPayloads
  if (!isSecret && kept?.hasEncryptedPayloads !== true) {
    return { ...settings, filters: openPayloads(ring, owner, settings.filters) }
  }
  const before = kept?.filters ?? null
  const filters = withPayloads(settings.filters, (payload, outcome) =>
    payload === REDACTED_PAYLOAD ? (keptPayload(before, outcome) ?? payload) : payload,
  )
  const stored = isSecret
    ? refusingWithoutKey(ring, () => sealPayloads(ring, owner, { filters, before }))
    : openPayloads(ring, owner, filters)
  return { ...settings, filters: stored }
}

function keptPayload(before: Json, outcome: string): Json | undefined {
  const payload = payloadIn(before, outcome)
  return isSecretPayload(payload) ? payload : undefined
}

/**
 * Call it once the flag is written: a wrong key is reported first.
 * @throws {AppError} `invalid_argument` of `filters` when a masked payload has no stored one.
 */
export function refuseUnknownMasks(
  { filters, hasEncryptedPayloads }: KeptPayloads,
  kept: KeptPayloads | undefined,
): void {
  if (!hasEncryptedPayloads && kept?.hasEncryptedPayloads !== true) return
  withPayloads(filters, (payload, outcome) => {
    if (payload !== REDACTED_PAYLOAD) return payload
    if (keptPayload(kept?.filters ?? null, outcome) !== undefined) return payload
    throw invalid(`The payload of "${outcome}" is masked, and none is stored for it.`, 'filters')
  })
}

/**
 * Refuses sealed values of clients: only the server writes them.
 * @throws {AppError} `invalid_argument` of `filters`.
 */
export function refuseSealed(filters: Json): Json {
  return withPayloads(filters, (payload, outcome) => {
    if (!isSealed(payload)) return payload
    throw invalid(`The payload of "${outcome}" has the form of a sealed one.`, 'filters')
  })
}
