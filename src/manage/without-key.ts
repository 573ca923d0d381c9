/** Secrets that this instance cannot store. */
import { invalid } from '../access/errors.ts'
import type { KeyRing } from '../core/secrets/key-ring.ts'

/** @throws {AppError} `invalid_argument` when there is no key to seal with. */
export function refusingWithoutKey<T>(secrets: KeyRing, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (secrets.ids.length > 0) throw error
    throw invalid('This instance stores no secrets: its operator must set SECRETS_KEY.', null)
  }
}
