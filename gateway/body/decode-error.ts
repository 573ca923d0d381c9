import {
  INVALID_PAYLOAD,
  NO_DATA,
  type PayloadError,
  TOO_LARGE,
} from '../../src/events/dialects/batch-form.ts'

/** Why a body, or the payload in it, is refused. */
export type DecodeError = PayloadError
export { INVALID_PAYLOAD, NO_DATA, TOO_LARGE }
