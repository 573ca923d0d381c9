import { Client, credentials, Metadata } from '@grpc/grpc-js'
import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import { asBuffer } from '../../src/core/as-buffer.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, assert } from '../../src/core/code.ts'
import {
  GRPC_MESSAGE_BYTES_MAX,
  GRPC_WINDOW_BYTES,
  STREAM_CALL_BYTES_MAX,
} from '../../src/core/limits/limits.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import { STREAMED_METHODS } from '../../src/wire/proto/micro-batch-frames.ts'
import { contract, serviceDefinition } from '../../src/wire/proto/proto.ts'
import { toAppError } from './grpc-failure.ts'
import { encodeIngestBatch } from './ingest-codec.ts'
import { createMicroBatchStream } from './micro-batch-stream.ts'
import type { CallOptions, WorkerLink } from './worker-link.ts'

type Method = {
  readonly path: string
  readonly serialize: (message: object) => Buffer
  readonly deserialize: (bytes: Buffer) => object
}

const INGEST = '/sluice.v1.IngestService/IngestBatch'
const EXCHANGE = '/sluice.v1.MicroBatchService/Exchange'

/** Longer than every deadline: a ping that fails after a GOAWAY kills calls that still drain. */
const KEEPALIVE_MS = 20_000
const KEEPALIVE_TIMEOUT_MS = 5_000

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
  const exchange = createMicroBatchStream(
    EXCHANGE,
    (metadata) => client.makeBidiStreamRequest(EXCHANGE, identity, identity, metadata),
    clock,
  )
  /** False once the worker has said that it is of a release without the stream. */
  let hasStream = true

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

  const knownMethod = (path: string): Method => {
    const known = methods.get(path)
    if (known !== undefined) return known
    const method = methodOf(path)
    methods.set(path, method)
    return method
  }

  /** On the stream, unless it is large or the worker has none: then as a call of its own. */
  const sendEncoded = async (
    path: string,
    message: Buffer,
    options: CallOptions,
  ): Promise<object> => {
    const method = knownMethod(path)
    const field = STREAMED_METHODS.get(path)
    assert(field !== undefined, `${path} is not for the stream`)
    if (hasStream && message.length <= STREAM_CALL_BYTES_MAX) {
      try {
        const metadata = () => toMetadata(options.metadata)
        const answer = await exchange.call(field, message, options.timeoutMs, metadata)
        return method.deserialize(asBuffer(answer))
      } catch (error) {
        if (!(error instanceof NoAnswerError) || error.code !== 'unimplemented') throw error
        hasStream = false
      }
    }
    return send({ ...method, serialize: () => message }, {}, options)
  }

  return {
    call: (path, request, options) => send(knownMethod(path), request, options),
    microBatch: async (path, request, options) =>
      sendEncoded(path, knownMethod(path).serialize(request), options),
    async ingestBatch(batchId, groups, options) {
      const answer = await sendEncoded(INGEST, encodeIngestBatch(batchId, groups), options)
      return answer as IngestBatchResponse__Output // Deserialized as that message.
    },
    close() {
      exchange.close()
      client.close()
    },
  }
}

function identity(bytes: Buffer): Buffer {
  return bytes
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
