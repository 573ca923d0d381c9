/** Bounds of a call, by its path, and their check before anything is decoded. */
import { assert } from '../../core/code.ts'
import { GRPC_MESSAGE_BYTES_MAX, STRANGER_BATCH_BYTES_MAX } from '../../core/limits/limits.ts'
import { createFieldCheck, type FieldCheck } from '../../wire/proto/count-fields.ts'
import { methodByPath } from '../../wire/proto/proto.ts'

/** A message of a stranger: a call of a service or of management. */
export const STRANGER_MESSAGE_BYTES_MAX = 1_048_576
/** A message of a call without authentication, such as health. */
const OPEN_MESSAGE_BYTES_MAX = 16_384
/** Fields of a message, nested ones too: decoding costs up to half a microsecond each. */
export const CALL_FIELDS_MAX = 20_000
const BATCH_FIELDS_MAX = 100_000
/** A gateway has bounded the JSON of a management body, of which a value makes up to five fields. */
const MANAGEMENT_FIELDS_MAX = 300_000
/** Events of one `CaptureBatch`. */
export const BATCH_EVENTS_MAX = 1_000
/** Elements of one call of a member, such as questions. */
const MEMBER_ELEMENTS_MAX = 10_000
assert(STRANGER_MESSAGE_BYTES_MAX <= STRANGER_BATCH_BYTES_MAX, 'a batch may be larger than a call')

const NO_BOUND = Number.MAX_SAFE_INTEGER
const BATCH = '/sluice.v1.IngestService/CaptureBatch'
/** Its fields are counted by its own decoder. */
export const INGEST = '/sluice.v1.IngestService/IngestBatch'

/** Calls of services, whose objects are events and properties. */
const SERVICE_CALLS: ReadonlySet<string> = new Set([
  '/sluice.v1.IngestService/Capture',
  '/sluice.v1.DecideService/Decide',
])

/** Calls that only members make. */
const MEMBER_CALL =
  /^\/sluice\.v1\.(?:(?:ClusterService|DirectoryService|MicroBatchService)\/|IngestService\/(?:IngestBatch|ReportWarnings)$|DecideService\/DecideBatch$)/

/** Whether only members of the cluster make this call. */
export function isMemberCall(path: string): boolean {
  return MEMBER_CALL.test(path)
}

/** Bytes of a message of this call; members may always send the most. */
export function messageBytesMax(path: string, isMember: boolean): number {
  if (isMember) return GRPC_MESSAGE_BYTES_MAX
  if (path === BATCH) return STRANGER_BATCH_BYTES_MAX
  return isForAnybody(path) ? OPEN_MESSAGE_BYTES_MAX : STRANGER_MESSAGE_BYTES_MAX
}

/** Fields that a message of this call itself may have, where that is few. */
export function elementsMax(path: string, isMember: boolean): number | undefined {
  return path === BATCH && !isMember ? BATCH_EVENTS_MAX : undefined
}

/** Whether a caller may send several messages. */
export function takesMessages(path: string): boolean {
  return path === '/sluice.v1.MicroBatchService/Exchange' || isForAnybody(path)
}

/** Whether the call is not of our contract: health, reflection, or nothing that is served. */
export function isForAnybody(path: string): boolean {
  return !path.startsWith('/sluice.v1.')
}

/**
 * The check of a method's requests, made at the first one.
 * @returns undefined when the method counts by itself.
 */
export function requestCheckOf(path: string): FieldCheck | undefined {
  if (path === INGEST) return undefined
  let check: FieldCheck | undefined
  return (bytes) => {
    check ??= checkOf(path)
    check(bytes)
  }
}

function checkOf(path: string): FieldCheck {
  const type = methodByPath(path)?.request
  assert(type !== undefined, `${path} is in the contract`)
  return createFieldCheck(type, boundsOf(path))
}

function boundsOf(path: string) {
  if (path === BATCH) return { fieldsMax: BATCH_FIELDS_MAX, elementsMax: BATCH_EVENTS_MAX }
  if (SERVICE_CALLS.has(path)) return { fieldsMax: CALL_FIELDS_MAX, elementsMax: NO_BOUND }
  if (isMemberCall(path)) return { fieldsMax: NO_BOUND, elementsMax: MEMBER_ELEMENTS_MAX }
  return { fieldsMax: MANAGEMENT_FIELDS_MAX, elementsMax: NO_BOUND }
}
