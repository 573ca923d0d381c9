import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, assert, type Code } from '../../src/core/code.ts'
import { GRPC_MESSAGE_BYTES_MAX, GRPC_WINDOW_BYTES } from '../../src/core/limits.ts'
import { NoAnswerError } from '../../src/core/no-answer.ts'
import { decodeErrorDetails, ERROR_DETAILS_METADATA } from '../../src/core/proto/error-details.ts'
import { contract, serviceDefinition } from '../../src/core/proto.ts'
import { encodeIngestBatch } from './ingest-codec.ts'
import type { CallOptions, WorkerLink } from './worker-link.ts'

type Method = {
  readonly path: string
  readonly serialize: (message: object) => Buffer
  readonly deserialize: (bytes: Buffer) => object
}

/** Longer than every deadline: a ping that fails after a GOAWAY kills calls that still drain. */
const KEEPALIVE_MS = 20_000
const KEEPALIVE_TIMEOUT_MS = 5_000

/** How grpc-js words the end of a call's stream that brought no status. */
const RESET = /RST_STREAM/

/** What a status without our details means: the worker or the path to it failed. */
const CODES: Readonly<Partial<Record<status, Code>>> = {
  [status.CANCELLED]: 'cancelled',
  [status.DEADLINE_EXCEEDED]: 'deadline_exceeded',
  [status.UNAVAILABLE]: 'unavailable',
  [status.RESOURCE_EXHAUSTED]: 'resource_exhausted',
  [status.UNIMPLEMENTED]: 'unimplemented',
  [status.UNAUTHENTICATED]: 'unauthenticated',
}

/** One connection to one worker, opened by the first call and kept until `close`. */
export function createGrpcWorkerLink(address: string, clock: Clock): WorkerLink {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': GRPC_MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': GRPC_MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    // We send the question elsewhere ourselves, by kind of call.
    'grpc.enable_retries': 0,
    'grpc-node.flow_control_window': GRPC_WINDOW_BYTES,
    'grpc.enable_channelz': 0,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.use_local_subchannel_pool': 1,
  })
  const methods = new Map<string, Method>()

  const send = (method: Method, request: object, options: CallOptions): Promise<object> =>
    new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(
        method.path,
        method.serialize,
        method.deserialize,
        request,
        toMetadata(options.metadata),
        { deadline: clock.now() + options.timeoutMs },
        (error, response) => {
          options.signal?.removeEventListener('abort', cancel)
          if (error !== null) reject(toAppError(error, method.path, options.signal))
          else if (response === undefined) reject(new AppError('internal', 'empty answer'))
          else resolve(response)
        },
      )
      const cancel = () => call.cancel()
      options.signal?.addEventListener('abort', cancel, { once: true })
      if (options.signal?.aborted === true) cancel()
    })

  const ingestBatch: Method = {
    ...methodOf('/sluice.v1.IngestService/IngestBatch'),
    serialize: (message) => {
      assert(Buffer.isBuffer(message), 'a micro-batch is encoded before it is sent')
      return message
    },
  }

  return {
    call(path, request, options) {
      let method = methods.get(path)
      if (method === undefined) {
        method = methodOf(path)
        methods.set(path, method)
      }
      return send(method, request, options)
    },
    async ingestBatch(batchId, groups, options) {
      const answer = await send(ingestBatch, encodeIngestBatch(batchId, groups), options)
      return answer as IngestBatchResponse__Output // Deserialized as that message.
    },
    close: () => client.close(),
  }
}

/** @throws when the contract has no such method: a mistake of the caller. */
function methodOf(path: string): Method {
  const known = contract().methods.find((each) => each.path === path)
  assert(known !== undefined, `no method ${path}`)
  const definition = serviceDefinition(known.service)[known.name]
  assert(definition !== undefined, `no definition of ${path}`)
  return {
    path,
    serialize: definition.requestSerialize,
    deserialize: definition.responseDeserialize,
  }
}

function toMetadata(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(values)) metadata.set(name, value)
  return metadata
}

/**
 * How grpc-js words a status of its own when no connection was made: the call was never given to
 * one. A worker that passes such a text on sends details of its own along.
 */
const NEVER_SENT = /^(?:No connection established|Name resolution failed)/

function toAppError(error: ServiceError, path: string, signal: AbortSignal | undefined): AppError {
  const message = `${path}: ${error.details}`
  const wire = decodeErrorDetails(error.metadata?.get(ERROR_DETAILS_METADATA)[0])
  if (wire !== undefined) {
    return new AppError(wire.code, message, { cause: error, detail: wire.detail })
  }
  const sent = error.code !== status.UNAVAILABLE || !NEVER_SENT.test(error.details)
  return new NoAnswerError(codeOf(error, signal), message, { sent, cause: error })
}

/** A call that was reset by the other side has lost its worker, whatever the reset says. */
function codeOf(error: ServiceError, signal: AbortSignal | undefined): Code {
  const isReset =
    (error.code === status.CANCELLED && signal?.aborted !== true) ||
    (error.code === status.INTERNAL && RESET.test(error.details))
  return isReset ? 'unavailable' : (CODES[error.code] ?? 'internal')
}
