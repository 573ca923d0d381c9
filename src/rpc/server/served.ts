/** Services as the gRPC server takes them: handlers with the codecs of their messages. */
import type {
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import { decodeIngestRequest } from '../../events/batch-decoder.ts'
import type { Handler } from '../../wire/call.ts'
import { STREAMED_METHODS, STREAMED_READS } from '../../wire/proto/micro-batch-frames.ts'
import { isPaged } from '../../wire/proto/page-pieces.ts'
import { methodByPath, serviceDefinition } from '../../wire/proto/proto.ts'
import { readRequest, toPages, toServerStream, toUnary } from './adapter.ts'
import { INGEST, requestCheckOf } from './call-bounds.ts'
import type { OnRefused } from './refused.ts'
import type { ServedService } from './server.ts'

/** A method that the stream carries. */
export type StreamedMethod = {
  /** `/package.Service/Method`. */
  readonly path: string
  readonly handler: Handler<object, object>
  /** @throws when the bytes are no request of the method. */
  readonly deserialize: (bytes: Buffer) => object
  readonly serialize: (answer: object) => Buffer
}

export type ExchangeCall = ServerDuplexStream<Buffer, Buffer>

/** Handlers by full path. */
export type Handlers = ReadonlyMap<string, Handler<object, object>>

/**
 * Micro-batches of events have a codec written by hand: the generic one costs more than their
 * handler.
 */
function definitionOf(name: string): Record<string, ServiceDefinition[string]> {
  const counted: Record<string, ServiceDefinition[string]> = {}
  for (const [method, definition] of Object.entries(serviceDefinition(name))) {
    const { path } = definition
    const decode = path === INGEST ? decodeIngestRequest : definition.requestDeserialize
    const check = requestCheckOf(path)
    const requestDeserialize = (bytes: Buffer): object => {
      check?.(bytes)
      return decode(bytes)
    }
    counted[method] = { ...definition, requestDeserialize }
  }
  return counted
}

/** Definition for grpc-js that hands an unreadable request to the handler as `UnreadRequest`. */
function readable(definition: ServiceDefinition): ServiceDefinition {
  const made: Record<string, ServiceDefinition[string]> = {}
  for (const [method, { requestDeserialize, ...rest }] of Object.entries(definition)) {
    made[method] = {
      ...rest,
      requestDeserialize: (bytes) => readRequest(requestDeserialize, bytes),
    }
  }
  return made
}

/** The methods that travel on the stream of micro-batches, by field. */
export function streamedOf(handlers: Handlers): ReadonlyMap<number, StreamedMethod> {
  return new Map([...STREAMED_METHODS].map(([path, field]) => [field, streamed(path, handlers)]))
}

/** The methods that travel on such a stream as a `ReadCall`, by path. */
export function streamedReadsOf(handlers: Handlers): ReadonlyMap<string, StreamedMethod> {
  return new Map([...STREAMED_READS].map((path) => [path, streamed(path, handlers)]))
}

function streamed(path: string, handlers: Handlers): StreamedMethod {
  const [, service = '', method = ''] = path.split('/')
  const handler = handlers.get(path)
  const definition = definitionOf(service)[method]
  assert(handler !== undefined && definition !== undefined, `${path} is served`)
  const { requestDeserialize: deserialize, responseSerialize: serialize } = definition
  return { path, handler, deserialize, serialize }
}

/** The service of that stream. Its messages stay bytes: the handler decodes the frames itself. */
export function exchangeService(serve: (call: ExchangeCall) => void): ServedService {
  const name = 'sluice.v1.MicroBatchService'
  const { Exchange } = serviceDefinition(name)
  assert(Exchange !== undefined, `${name} has its method`)
  const asBytes = { requestDeserialize: identity, responseSerialize: identity }
  const definition = { Exchange: { ...Exchange, ...asBytes } }
  return { name, definition, implementation: { Exchange: serve } }
}

function identity(bytes: Buffer): Buffer {
  return bytes
}

/**
 * A service with its handlers; those of streams answer an `AsyncIterable` of messages.
 * @param streams its methods that are served otherwise.
 */
export function served(
  name: string,
  methods: readonly string[],
  handlers: Handlers,
  streams: UntypedServiceImplementation,
  deps: { clock: Clock; log: Log; onRefused?: OnRefused },
): ServedService {
  const implementation: UntypedServiceImplementation = { ...streams }
  const definition = definitionOf(name)
  for (const method of methods) {
    const path = `/${name}/${method}`
    const handler = handlers.get(path)
    const known = methodByPath(path)
    const codec = definition[method]
    if (handler === undefined || codec === undefined || known === undefined) continue
    if (codec.responseStream) {
      // A streaming handler answers with its messages.
      const messages = handler as Handler<object, AsyncIterable<object>>
      implementation[method] = toServerStream(messages, deps)
    } else if (isPaged(known)) {
      // On the wire a unary call is a stream of one message.
      definition[method] = { ...codec, responseStream: true }
      implementation[method] = toPages(known, handler, deps)
    } else {
      implementation[method] = toUnary(handler, deps)
    }
  }
  return { name, definition: readable(definition), implementation }
}
