/** A version of a flag as its entry in the audit log keeps it: a stored format, only ever added to. */

import type { JsonObject } from '../../core/json.ts'
import { FLAG_FIELDS, type FlagSettings } from '../../store/projects/flag-store.ts'
import { fromSnapshot, toSnapshot } from '../settings-messages.ts'

/**
 * All fields that clients may write, under the names of the contract. `performed_rollback` is not
 * one of them: it is a state of the current flag, switched off by its own conditions.
 */
export function toFlagSnapshot(settings: FlagSettings): JsonObject {
  return toSnapshot(FLAG_FIELDS, settings)
}

/** The settings of a version; fields that it did not know yet have their defaults. */
export function fromFlagSnapshot(
  snapshot: unknown,
  { performedRollback }: Pick<FlagSettings, 'performedRollback'>,
): FlagSettings {
  const settings = fromSnapshot(FLAG_FIELDS, snapshot)
  // As with an update, switching a flag on by hand ends the automatic switch-off.
  return { ...settings, performedRollback: settings.active ? false : performedRollback }
}
