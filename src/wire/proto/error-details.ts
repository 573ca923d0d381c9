/**
 * A failure on the wire: a google.rpc.Status in `grpc-status-details-bin` that holds a
 * sluice.v1.ErrorDetail. Workers write it; the gateway and other workers read it.
 */
import type { Code, ErrorDetail } from '../../core/code.ts'
import { errorText } from '../details.ts'
import { messageType } from './proto.ts'

/** Name of the trailer that holds the status. */
export const ERROR_DETAILS_METADATA = 'grpc-status-details-bin'

const TYPE_URL = 'type.googleapis.com/sluice.v1.ErrorDetail'

export type WireError = {
  readonly code: Code
  readonly detail?: ErrorDetail | undefined
  /** With `not_owner`: the address of the likely owner of the shard. */
  readonly ownerHint?: string | undefined
}

const CODES: Readonly<Record<Code, true>> = {
  invalid_argument: true,
  unauthenticated: true,
  permission_denied: true,
  not_found: true,
  already_exists: true,
  failed_precondition: true,
  not_owner: true,
  fenced: true,
  resource_exhausted: true,
  deadline_exceeded: true,
  unavailable: true,
  aborted: true,
  cancelled: true,
  unimplemented: true,
  internal: true,
}

/**
 * Encodes the fields that the caller may see, never `message` or `cause`. Texts are cut: a trailer
 * that is too large fails the call and hides the reason.
 *
 * @param grpcCode the number sent as `grpc-status`, which the Status repeats.
 */
export function encodeErrorDetails(error: WireError, grpcCode: number): Buffer {
  const { detail } = error
  const message = {
    type: detail?.type ?? '',
    code: detail?.code ?? '',
    detail: errorText(detail?.detail ?? ''),
    ...(typeof detail?.attr === 'string' ? { attr: errorText(detail.attr) } : {}),
    attr_absent: detail !== undefined && detail.attr === undefined,
    http_status: detail?.httpStatus ?? 0,
    retry_after_s: detail?.retryAfterS ?? 0,
    owner_hint: error.ownerHint ?? '',
    reason: error.code,
  }
  const detailType = messageType('sluice.v1.ErrorDetail')
  const value = detailType.encode(detailType.create(message)).finish()
  const statusType = messageType('google.rpc.Status')
  const details = [{ type_url: TYPE_URL, value }]
  const status = statusType.fromObject({ code: grpcCode, message: message.detail, details })
  return Buffer.from(statusType.encode(status).finish())
}

/** `undefined` when the trailer is absent, unreadable or of another system. Never throws. */
export function decodeErrorDetails(trailer: unknown): WireError | undefined {
  if (!(trailer instanceof Uint8Array)) return undefined
  try {
    const statusType = messageType('google.rpc.Status')
    const status = statusType.toObject(statusType.decode(trailer), { arrays: true })
    for (const any of status['details']) {
      if (any.type_url === TYPE_URL) return readDetail(any.value)
    }
  } catch {
    // Unreadable bytes: the caller falls back to the gRPC status code.
  }
  return undefined
}

function readDetail(bytes: Uint8Array): WireError | undefined {
  const type = messageType('sluice.v1.ErrorDetail')
  const wire = type.toObject(type.decode(bytes), { defaults: true })
  const code = wire['reason']
  if (!isCode(code)) return undefined
  const ownerHint = wire['owner_hint'] === '' ? undefined : String(wire['owner_hint'])
  if (wire['code'] === '') return { code, ownerHint }
  const attr = wire['attr_absent'] === true ? {} : { attr: textOrNull(wire['attr']) }
  const httpStatus = Number(wire['http_status'])
  const retryAfterS = Number(wire['retry_after_s'])
  const detail: ErrorDetail = {
    type: String(wire['type']),
    code: String(wire['code']),
    detail: String(wire['detail']),
    ...attr,
    ...(httpStatus === 0 ? {} : { httpStatus }),
    ...(retryAfterS === 0 ? {} : { retryAfterS }),
  }
  return { code, detail, ownerHint }
}

function isCode(text: unknown): text is Code {
  return typeof text === 'string' && Object.hasOwn(CODES, text)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
