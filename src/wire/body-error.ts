/**
 * The error of an invalid body. The gateway sends it along with the call, and the worker raises it
 * at its place in the order of checks, after those of caller, scope and parents.
 */
import { AppError, type ErrorDetail } from '../core/code.ts'
import { isObject } from '../core/json.ts'

/** Name of the metadata that holds the error, as JSON in ASCII. */
export const BODY_ERROR_METADATA = 'x-sluice-body-error'

export type BodyError = {
  /** The worker raises `parse` after permissions, and `fields` once it has found the object. */
  readonly stage: 'parse' | 'fields'
  readonly detail: ErrorDetail
}

/** Metadata is ASCII: all other characters are escaped. */
export function encodeBodyError({ stage, detail }: BodyError): string {
  return JSON.stringify({ stage, ...detail }).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `undefined` for any other text, which internal callers may send. Never throws. */
export function decodeBodyError(text: string | undefined): BodyError | undefined {
  if (text === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined // Not ours; the message itself is then validated as usual.
  }
  if (!isObject(json)) return undefined
  const { stage, type, code, detail, attr, httpStatus } = json
  if (stage !== 'parse' && stage !== 'fields') return undefined
  if (typeof type !== 'string' || typeof code !== 'string' || typeof detail !== 'string') {
    return undefined
  }
  return {
    stage,
    detail: {
      type,
      code,
      detail,
      ...(typeof attr === 'string' || attr === null ? { attr } : {}),
      ...(typeof httpStatus === 'number' ? { httpStatus } : {}),
    },
  }
}

/** The `AppError` of a body error. */
export function bodyErrorFailure(error: BodyError): AppError {
  const { detail } = error
  return new AppError('invalid_argument', `body: ${detail.code}`, { detail })
}
