/**
 * Encodes and decodes the frames of `MicroBatchService`. The payload stays bytes: each method has
 * its own reader. The contract is `proto/sluice/v1/micro_batches.proto`; a test compares both.
 */
import protobuf from 'protobufjs/minimal.js'
import { asBuffer } from '../../core/as-buffer.ts'

const ID = 1
const TIMEOUT_MS = 2
const FAILURE = 6
const GO_AWAY = 7

/** Methods that use the stream, by path, with the field number of request and answer. */
export const STREAMED_METHODS: ReadonlyMap<string, number> = new Map([
  ['/sluice.v1.IngestService/IngestBatch', 3],
  ['/sluice.v1.DecideService/DecideBatch', 4],
  ['/sluice.v1.DirectoryService/ResolveKeys', 5],
])

/** Carries a `ReadCall`, and in the answer the bytes of its response. */
export const READ = 8

/**
 * Methods that travel as a `ReadCall`: each reads one object by its id. They are frequent, and a
 * call of their own would cost several times as much.
 */
export const STREAMED_READS: ReadonlySet<string> = new Set([
  '/sluice.v1.ProjectService/GetProject',
  '/sluice.v1.FeatureFlagService/GetFeatureFlag',
  '/sluice.v1.PluginConfigService/GetPluginConfig',
  '/sluice.v1.EventDefinitionService/GetEventDefinition',
])

/** A `ReadCall`. */
export type ReadCall = {
  readonly method: string
  readonly metadata: ReadonlyMap<string, string>
  readonly request: Uint8Array
}

export type CallFrame = {
  readonly id: number
  /** Milliseconds; 0 means no deadline. */
  readonly timeoutMs: number
  /** Field of `STREAMED_METHODS`, or `READ`; 0 for a method that this release does not know. */
  readonly field: number
  readonly message: Uint8Array
}

export type AnswerFrame =
  | { readonly kind: 'answer'; readonly id: number; readonly message: Uint8Array }
  /** Bytes of a google.rpc.Status. */
  | { readonly kind: 'failure'; readonly id: number; readonly status: Uint8Array }
  | { readonly kind: 'go_away' }

const NOTHING = new Uint8Array()
const CARRIERS: ReadonlySet<number> = new Set([...STREAMED_METHODS.values(), READ])

export function encodeCall({ id, timeoutMs, field, message }: CallFrame): Buffer {
  const writer = protobuf.Writer.create()
  writer.uint32(ID << 3).uint32(id)
  writer.uint32(TIMEOUT_MS << 3).uint32(timeoutMs)
  writer.uint32((field << 3) | 2).bytes(message)
  return asBuffer(writer.finish())
}

/** @throws {Error} when the bytes are malformed. */
export function decodeCall(bytes: Uint8Array): CallFrame {
  const reader = protobuf.Reader.create(bytes)
  let [id, timeoutMs, field] = [0, 0, 0]
  let message: Uint8Array = NOTHING
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const number = tag >>> 3
    if (number === ID) id = reader.uint32()
    else if (number === TIMEOUT_MS) timeoutMs = reader.uint32()
    else if (CARRIERS.has(number)) {
      field = number
      message = reader.bytes()
    } else reader.skipType(tag & 7)
  }
  return { id, timeoutMs, field, message }
}

/** @param field field number of the call. */
export function encodeAnswer(id: number, field: number, message: Uint8Array): Buffer {
  const writer = protobuf.Writer.create()
  writer.uint32(ID << 3).uint32(id)
  writer.uint32((field << 3) | 2).bytes(message)
  return asBuffer(writer.finish())
}

/** @param status bytes of a google.rpc.Status. */
export function encodeFailure(id: number, status: Uint8Array): Buffer {
  return encodeAnswer(id, FAILURE, status)
}

export function encodeGoAway(): Buffer {
  const writer = protobuf.Writer.create()
  writer.uint32(GO_AWAY << 3).bool(true)
  return asBuffer(writer.finish())
}

/** @throws {Error} when the bytes are malformed. */
export function decodeAnswer(bytes: Uint8Array): AnswerFrame {
  const reader = protobuf.Reader.create(bytes)
  let [id, isFailure, isGoAway] = [0, false, false]
  let message: Uint8Array = NOTHING
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const number = tag >>> 3
    if (number === ID) id = reader.uint32()
    else if (number === GO_AWAY) isGoAway = reader.bool()
    else if (number === FAILURE || CARRIERS.has(number)) {
      isFailure = number === FAILURE
      message = reader.bytes()
    } else reader.skipType(tag & 7)
  }
  if (isGoAway) return { kind: 'go_away' }
  return isFailure ? { kind: 'failure', id, status: message } : { kind: 'answer', id, message }
}

const METHOD = 1
const METADATA = 2
const REQUEST = 3
const NAME = 1
const VALUE = 2

export function encodeRead(
  method: string,
  metadata: Readonly<Record<string, string>>,
  request: Uint8Array,
): Buffer {
  const writer = protobuf.Writer.create()
  writer.uint32((METHOD << 3) | 2).string(method)
  for (const [name, value] of Object.entries(metadata)) {
    writer.uint32((METADATA << 3) | 2).fork()
    writer.uint32((NAME << 3) | 2).string(name)
    writer.uint32((VALUE << 3) | 2).string(value)
    writer.ldelim()
  }
  writer.uint32((REQUEST << 3) | 2).bytes(request)
  return asBuffer(writer.finish())
}

/** @throws {Error} when the bytes are malformed. */
export function decodeRead(bytes: Uint8Array): ReadCall {
  const reader = protobuf.Reader.create(bytes)
  const metadata = new Map<string, string>()
  let method = ''
  let request: Uint8Array = NOTHING
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const number = tag >>> 3
    if (number === METHOD) method = reader.string()
    else if (number === METADATA) readEntry(reader, metadata)
    else if (number === REQUEST) request = reader.bytes()
    else reader.skipType(tag & 7)
  }
  return { method, metadata, request }
}

function readEntry(reader: protobuf.Reader, entries: Map<string, string>): void {
  const length = reader.uint32()
  const end = reader.pos + length
  let [name, value] = ['', '']
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === NAME) name = reader.string()
    else if (tag >>> 3 === VALUE) value = reader.string()
    else reader.skipType(tag & 7)
  }
  entries.set(name, value)
}
