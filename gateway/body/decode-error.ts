import {
  INVALID_PAYLOAD,
  NO_DATA,
  type PayloadError,
  TOO_LARGE,
} from '../../src/events/dialects/batch-form.ts'

/** Why a body is refused. What is wrong with the payload inside is answered in the same way. */
export type DecodeError = PayloadError
export { INVALID_PAYLOAD, NO_DATA, TOO_LARGE }
