import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import { AppError, assert } from '../../src/core/code.ts'
import { ownTurn } from '../../src/core/work/turns.ts'
import { decodeEventBatch } from '../../src/events/batch-decoder.ts'
import { batchOf, type UncheckedBatch } from '../../src/events/event-batch.ts'
import { isPaged, joinPieces, PIECES_METADATA, piecesOf } from '../../src/wire/proto/page-pieces.ts'
import { contract, messageType, methodByPath } from '../../src/wire/proto/proto.ts'
import type { EncodedBatch } from './ingest-codec.ts'
import type { CallOptions, WorkerLink } from './worker-link.ts'

/** Bytes of a message between gateway and worker of one process that is read in turns. */
const LOCAL_MESSAGE_BYTES_OF_TURN = 65_536

/** A handler as the worker of this process serves it; see `src/wire/call.ts`. */
export type LocalHandler = (
  request: object,
  context: {
    readonly metadata: Pick<ReadonlyMap<string, string>, 'get' | 'entries'>
    readonly signal: AbortSignal
    readonly timeoutMs: number
  },
) => Promise<object>

const DECODED = { longs: Number, enums: String, defaults: true, oneofs: false } as const

/**
 * Methods whose requests are complete messages already, so that they need no round trip through
 * bytes.
 */
const COMPLETE: ReadonlySet<string> = new Set(['/sluice.v1.DecideService/DecideBatch'])

/**
 * Calls the handlers of the worker in this process without a socket. A request makes a round trip
 * through bytes, so that a handler sees what it would see from a socket. Hot paths do without.
 */
export function createLocalWorkerLink(handlers: ReadonlyMap<string, LocalHandler>): WorkerLink {
  const never = new AbortController().signal
  const run = (path: string, request: object, options: CallOptions): Promise<object> => {
    const handler = handlers.get(path)
    assert(handler !== undefined, `no handler for ${path}`)
    const { metadata, timeoutMs, signal } = options
    return handler(request, {
      metadata: new Map(Object.entries(metadata)),
      signal: signal ?? never,
      timeoutMs,
    })
  }
  const call: WorkerLink['call'] = async (path, request, options) => {
    if (COMPLETE.has(path)) return run(path, request, options)
    const method = contract().methods.find((each) => each.path === path)
    assert(method !== undefined, `no method ${path}`)
    const decoded = await roundTrip(method.request.fullName, request)
    const { fullName } = method.response
    if (!isPaged(method)) return await roundTrip(fullName, await run(path, decoded, options))
    const metadata = { ...options.metadata, [PIECES_METADATA]: 'joined' }
    const answer = await run(path, decoded, { ...options, metadata })
    const pieces: object[] = []
    for await (const piece of piecesOf(method, answer))
      pieces.push(await roundTrip(fullName, piece))
    return joinPieces(method, pieces)
  }
  return {
    call,
    microBatch: call,
    async stream(path, request, options) {
      const method = methodByPath(path)
      assert(method?.streaming === true, `${path} is a stream`)
      const decoded = await roundTrip(method.request.fullName, request)
      const answer = await run(path, decoded, options)
      // Such a handler answers its messages, which are complete.
      const messages = (answer as AsyncIterable<object>)[Symbol.asyncIterator]()
      const leave = () => void messages.return?.()
      options.signal.addEventListener('abort', leave, { once: true })
      if (options.signal.aborted) leave()
      return { [Symbol.asyncIterator]: () => messages }
    },
    async ingestBatch(_batchId, batches, options) {
      const request = { batches: batches.map(decoded) }
      const answer = await run('/sluice.v1.IngestService/IngestBatch', request, options)
      return answer as IngestBatchResponse__Output // The handler's own type.
    },
    close() {
      // The worker closes its handlers.
    },
  }
}

/**
 * In turns where it is large: two processes would have one each.
 * @throws {AppError} `invalid_argument` when the message does not fit its type.
 */
async function roundTrip(typeName: string, message: object): Promise<object> {
  const type = messageType(typeName)
  try {
    const bytes = type.encode(type.fromObject(message)).finish()
    const isLarge = bytes.length > LOCAL_MESSAGE_BYTES_OF_TURN
    if (isLarge) await ownTurn()
    const read = type.decode(bytes)
    if (isLarge) await ownTurn()
    return type.toObject(read, DECODED)
  } catch (cause) {
    throw new AppError('invalid_argument', `not a ${typeName}`, { cause })
  }
}

function decoded({ projectId, content }: EncodedBatch): UncheckedBatch {
  return content.kind === 'events'
    ? batchOf(projectId, content.events)
    : decodeEventBatch(content.batch)
}
