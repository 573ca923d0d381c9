/** Calls to a worker over gRPC: the frequent ones on one stream, all others as unary calls. */
import { Client, type ClientOptions, type Metadata, type ServiceError } from '@grpc/grpc-js'
import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import { asBuffer } from '../../src/core/as-buffer.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, assert } from '../../src/core/code.ts'
import { GRPC_MESSAGE_BYTES_MAX, GRPC_WINDOW_BYTES } from '../../src/core/limits/limits.ts'
import { MEMBER_METADATA } from '../../src/wire/call.ts'
import { type Method, methodOf, toMetadata, withFirst } from '../../src/wire/called-method.ts'
import { type Dial, plaintextDial } from '../../src/wire/dial.ts'
import { joinedPage } from '../../src/wire/joined-page.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import {
  encodeRead,
  READ,
  STREAMED_METHODS,
  STREAMED_READS,
} from '../../src/wire/proto/micro-batch-frames.ts'
import { type PagedMethod, PIECES_METADATA } from '../../src/wire/proto/page-pieces.ts'
import { readServerStream } from '../../src/wire/server-stream.ts'
import { toAppError } from './grpc-failure.ts'
import { type EncodedBatch, encodeIngestRequest } from './ingest-codec.ts'
import { createMicroBatchStream, type MicroBatchStream } from './micro-batch-stream.ts'
import type { CallOptions, IngestOptions, WorkerLink } from './worker-link.ts'

/** A larger micro-batch is a call of its own: the others on the stream would wait for its bytes. */
const STREAM_CALL_BYTES_MAX = 2_097_152

const INGEST = '/sluice.v1.IngestService/IngestBatch'
const EXCHANGE = '/sluice.v1.MicroBatchService/Exchange'

/** Longer than every deadline: a ping that fails after a GOAWAY kills calls that still run. */
const KEEPALIVE_MS = 20_000
const KEEPALIVE_TIMEOUT_MS = 5_000

const CLIENT_OPTIONS: ClientOptions = {
  'grpc.max_receive_message_length': GRPC_MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': GRPC_MESSAGE_BYTES_MAX,
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  // The gateway itself retries calls at another worker, by their kind.
  'grpc.enable_retries': 0,
  'grpc-node.flow_control_window': GRPC_WINDOW_BYTES,
  'grpc.enable_channelz': 0,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.use_local_subchannel_pool': 1,
}

/**
 * A connection to one worker, opened by the first call and kept until `close`, and another one for
 * what is to travel apart: large batches, and calls that are no micro-batches, whose pages may have
 * many MB.
 */
export function createGrpcWorkerLink(
  address: string,
  clock: Clock,
  options: GrpcLinkOptions = {},
): WorkerLink {
  return new GrpcWorkerLink(address, clock, options)
}

export type GrpcLinkOptions = {
  /** Token that a member sends with each call. */
  readonly memberToken?: () => string
  /** Plain text by default. */
  readonly dial?: Dial
}

type Connection = {
  readonly client: Client
  readonly exchange: MicroBatchStream
  /** Stream of its own for reads, because a worker takes a bounded number of calls from each. */
  readonly reads: MicroBatchStream
}

class GrpcWorkerLink implements WorkerLink {
  readonly #address: string
  readonly #dial: Dial | undefined
  readonly #closed = new AbortController()
  readonly #connect: () => Connection
  readonly #usual: Connection
  #apart: Connection | undefined
  readonly #clock: Clock
  readonly #memberToken: (() => string) | undefined
  readonly #methods = new Map<string, Method>()
  /** False once the worker has answered that its release has no such stream. */
  #hasStream = true
  /** The same for the stream of reads. */
  #hasReads = true

  constructor(address: string, clock: Clock, { memberToken, dial }: GrpcLinkOptions) {
    const { credentials, options } = dial ?? plaintextDial()
    this.#address = address
    this.#dial = dial
    this.#clock = clock
    this.#memberToken = memberToken
    this.#connect = () => {
      const client = new Client(address, credentials, { ...CLIENT_OPTIONS, ...options })
      const open = (metadata: Metadata) =>
        client.makeBidiStreamRequest(EXCHANGE, identity, identity, metadata)
      const stream = () => createMicroBatchStream(EXCHANGE, open, clock)
      return { client, exchange: stream(), reads: stream() }
    }
    this.#usual = this.#connect()
  }

  call(path: string, request: object, options: CallOptions): Promise<object> {
    const connection = this.#connection({ apart: true })
    const method = this.#method(path)
    const { paged } = method
    if (paged === undefined) {
      return STREAMED_READS.has(path)
        ? this.#read(connection, method, request, options)
        : this.#send(connection, method, request, options)
    }
    return this.#collect(connection, { ...method, paged }, request, options)
  }

  async microBatch(path: string, request: object, options: CallOptions): Promise<object> {
    return this.#sendEncoded(this.#usual, path, this.#method(path).serialize(request), options)
  }

  async stream(
    path: string,
    request: object,
    { metadata, timeoutMs, signal }: CallOptions & { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<object>> {
    const late = new AbortController()
    const cancel = this.#clock.after(timeoutMs, () => late.abort())
    const ends = AbortSignal.any([signal, late.signal, this.#closed.signal])
    const call = { path, request, metadata: this.#withMember(metadata), signal: ends }
    const messages = readServerStream(this.#address, call, this.#dial)
    try {
      return withFirst(await messages.next(), messages)
    } catch (error) {
      if (late.signal.aborted) throw new AppError('deadline_exceeded', `${path}: no answer`)
      throw isServiceError(error) ? toAppError(error, path, signal) : error
    } finally {
      cancel()
    }
  }

  async ingestBatch(
    batchId: string,
    batches: readonly EncodedBatch[],
    options: IngestOptions,
  ): Promise<IngestBatchResponse__Output> {
    const message = encodeIngestRequest(batchId, batches)
    const answer = await this.#sendEncoded(this.#connection(options), INGEST, message, options)
    return answer as IngestBatchResponse__Output // Deserialized as that message.
  }

  close(): void {
    this.#closed.abort()
    for (const connection of [this.#usual, this.#apart]) {
      connection?.exchange.close()
      connection?.reads.close()
      connection?.client.close()
    }
  }

  #connection({ apart }: Pick<IngestOptions, 'apart'>): Connection {
    if (apart !== true) return this.#usual
    this.#apart ??= this.#connect()
    return this.#apart
  }

  #send(
    { client }: Connection,
    method: Method,
    request: object,
    options: CallOptions,
  ): Promise<object> {
    return new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(
        method.path,
        method.serialize,
        method.deserialize,
        request,
        this.#metadata(options.metadata),
        { deadline: this.#clock.now() + options.timeoutMs },
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
  }

  /** Reads one object by the stream of reads, which has no signal: such a call is soon over. */
  async #read(
    connection: Connection,
    method: Method,
    request: object,
    options: CallOptions,
  ): Promise<object> {
    const token = this.#memberToken?.()
    if (token === undefined || !this.#hasReads) {
      return this.#send(connection, method, request, options)
    }
    const read = encodeRead(method.path, options.metadata, method.serialize(request))
    if (read.length > STREAM_CALL_BYTES_MAX) {
      return this.#send(connection, method, request, options)
    }
    try {
      const metadata = () => toMetadata({ authorization: `Bearer ${token}` })
      const answer = await connection.reads.call(READ, read, options.timeoutMs, metadata)
      return method.deserialize(asBuffer(answer))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unimplemented') throw error
      this.#hasReads = false
    }
    return this.#send(connection, method, request, options)
  }

  /** Makes a call whose answer may come in pieces. A worker of an older release sends it whole. */
  async #collect(
    { client }: Connection,
    method: Method & { readonly paged: PagedMethod },
    request: object,
    options: CallOptions,
  ): Promise<object> {
    const { path, paged, serialize, deserialize } = method
    const metadata = this.#metadata({ ...options.metadata, [PIECES_METADATA]: 'joined' })
    const deadline = { deadline: this.#clock.now() + options.timeoutMs }
    const call = client.makeServerStreamRequest(
      ...([path, serialize, deserialize, request, metadata, deadline] as const),
    )
    try {
      return await joinedPage(call, paged, options.signal)
    } catch (error) {
      throw isServiceError(error) ? toAppError(error, path, options.signal) : error
    }
  }

  /** Sends on the stream. A large message, or one to a worker without a stream, is a unary call. */
  async #sendEncoded(
    connection: Connection,
    path: string,
    message: Buffer,
    options: CallOptions,
  ): Promise<object> {
    const method = this.#method(path)
    const field = STREAMED_METHODS.get(path)
    assert(field !== undefined, `${path} is not for the stream`)
    if (this.#hasStream && message.length <= STREAM_CALL_BYTES_MAX) {
      try {
        const metadata = () => toMetadata(options.metadata)
        const answer = await connection.exchange.call(field, message, options.timeoutMs, metadata)
        return method.deserialize(asBuffer(answer))
      } catch (error) {
        if (!(error instanceof NoAnswerError) || error.code !== 'unimplemented') throw error
        this.#hasStream = false
      }
    }
    return this.#send(connection, { ...method, serialize: () => message }, {}, options)
  }

  /** Members say that they call, whomever they call for: a worker reads more of their requests. */
  #metadata(values: Readonly<Record<string, string>>): Metadata {
    return toMetadata(this.#withMember(values))
  }

  #withMember(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const token = this.#memberToken?.()
    return token === undefined ? values : { ...values, [MEMBER_METADATA]: token }
  }

  #method(path: string): Method {
    const known = this.#methods.get(path)
    if (known !== undefined) return known
    const method = methodOf(path)
    this.#methods.set(path, method)
    return method
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error
}

function identity(bytes: Buffer): Buffer {
  return bytes
}
