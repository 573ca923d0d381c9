/**
 * What the gateway found wrong with a body, sent along instead of answered: the worker raises it
 * where the order of checks puts it, after it knows who asks and for what.
 */
import { AppError, type ErrorDetail } from '../core/code.ts'
import { isRecord } from './proto/rules.ts'

/** Metadata that holds it, as JSON in ASCII. */
export const BODY_ERROR_METADATA = 'x-sluice-body-error'

export type BodyError = {
  /** `parse` is raised after permissions, `fields` only once the object is known to exist. */
  readonly stage: 'parse' | 'fields'
  readonly detail: ErrorDetail
}

/** Metadata is ASCII: everything else is escaped. */
export function encodeBodyError({ stage, detail }: BodyError): string {
  return JSON.stringify({ stage, ...detail }).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Undefined when the text is not of ours: internal callers may send anything. Never throws. */
export function decodeBodyError(text: string | undefined): BodyError | undefined {
  if (text === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined // Not ours; the message itself is then validated as usual.
  }
  if (!isRecord(json)) return undefined
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

/** The failure to raise. */
export function bodyErrorFailure(error: BodyError): AppError {
  const { detail } = error
  return new AppError('invalid_argument', `body: ${detail.code}`, { detail })
}
