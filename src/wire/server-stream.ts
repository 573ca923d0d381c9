/** Reads the messages of one server-streaming call, on a connection of its own. */
import { Client, Metadata } from '@grpc/grpc-js'
import { assert } from '../core/code.ts'
import { type Dial, plaintextDial } from './dial.ts'
import { methodByPath, serviceDefinition } from './proto/proto.ts'

export type StreamCall = {
  /** Full path: `/sluice.v1.LiveService/WatchEvents`. */
  readonly path: string
  readonly request: object
  /** By lower-case name; values are visible ASCII. */
  readonly metadata: Readonly<Record<string, string>>
  /** Ends the call, which then fails as cancelled. */
  readonly signal: AbortSignal
}

/** A peer that does not answer a ping of the connection for this long counts as away. */
const KEEPALIVE_MS = 1_000
const KEEPALIVE_TIMEOUT_MS = 1_000

/**
 * The messages as they arrive; the callee waits while the reader does not read. Ends when the
 * callee ends the call, and cancels it when its reader stops. The connection is its own, so that a
 * reader who stops holds up no other call.
 * @throws {ServiceError} of grpc-js, when the call fails.
 */
export async function* readServerStream(
  address: string,
  { path, request, metadata: values, signal }: StreamCall,
  { credentials, options }: Dial = plaintextDial(),
): AsyncGenerator<object> {
  const known = methodByPath(path)
  const method = known && serviceDefinition(known.service)[known.name]
  assert(method?.responseStream === true, `${path} is a stream`)
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(values)) metadata.set(name, value)
  const client = new Client(address, credentials, {
    ...options,
    'grpc.enable_channelz': 0,
    'grpc.enable_retries': 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  })
  const stream = client.makeServerStreamRequest<object, object>(
    path,
    method.requestSerialize,
    method.responseDeserialize,
    request,
    metadata,
  )
  const cancel = () => stream.cancel()
  // After the reader has stopped, the status of the cancelled call is irrelevant.
  stream.on('error', () => {})
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    yield* stream
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
    client.close()
  }
}
