/**
 * A small pool of threads for bodies whose decoding would hold up the event loop. Threads start
 * with the first such body. A body takes a place on one thread from `open` until it is normalised,
 * discarded or forgotten for too long; without a free place it waits. Waiting and held bodies are
 * bounded in bytes. A thread that dies takes its bodies with it (503, the client retries), and the
 * next body starts another. `close` ends all of them; call it after the last answer.
 */

import type { ErrorDetail } from '../../src/core/code.ts'
import { parseJson } from '../../src/core/json-text/parse-json.ts'
import { BODY_THREAD_DEADLINE_MS } from '../../src/core/limits/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import { threadScript } from '../../src/core/thread-script.ts'
import type { IngestContext } from '../../src/events/parse-event.ts'
import type { Losses } from '../../src/events/warnings/ingestion-warning.ts'
import { type BodyBounds, bodyBounds } from './body-bounds.ts'
import type { BodyHead, OpenBody, OpenMeta } from './body-open.ts'
import { type EventChunk, ownBytes } from './chunk.ts'
import type { DecodeError } from './decode-error.ts'
import { expectedBytes, worstBytes } from './decoded-room.ts'
import type { Sender } from './fair-queue.ts'
import type { BodyThreadDeps, Reply } from './thread.ts'
import { type Place, ThreadPlaces } from './thread-places.ts'
import type { OpenPurpose, RestMeta, RestText } from './thread-protocol.ts'

/** Threads that decode and normalise large bodies. */
const BODY_THREADS_MAX = 2

/** `overloaded`: full, closed, or its thread died. Safe to retry. */
export type BodyError = DecodeError | { readonly status: 503; readonly code: 'overloaded' }

export type NormalisedBody = {
  readonly chunks: readonly EventChunk[]
  readonly losses: Losses
  readonly results: string
  /** Releases its room; call it once its events are stored, or cannot be stored. */
  readonly release: () => void
}

/** A decoded body on its thread. One of the two calls must follow; both end it. */
export type LargeBody = {
  readonly head: BodyHead
  /** @param group of senders that it counts for, now that its project is known. */
  normalise(context: IngestContext, group: string): Promise<Result<NormalisedBody, BodyError>>
  /** @param why `refused`: its sender has no key, and pays for the work. */
  discard(why?: 'refused'): void
}

/** Each call names who sent the body: senders share the threads, see `ThreadPlaces`. */
export type BodyThreads = {
  /** Takes the bytes over: the caller's view of them is empty afterwards. */
  open(body: Buffer, meta: OpenMeta, sender: Sender): Promise<Result<LargeBody, BodyError>>
  /** For decide: hands the payload back, or 413 above `DECIDE_BODY_BYTES_MAX` of decoded JSON. */
  openPayload(body: Buffer, meta: OpenMeta, sender: Sender): Promise<Result<OpenBody, BodyError>>
  /** Reads a body of the management interface, or answers what is wrong with it. */
  readRest(
    body: Buffer,
    meta: RestMeta,
    sender: Sender,
  ): Promise<Result<RestText, ErrorDetail> | { readonly kind: 'overloaded' }>
  close(): Promise<void>
}

export type BodyThreadsOptions = {
  /** Module that exports `encodeEventBatch`; `gateway/workers/ingest-codec.ts` unless told. */
  readonly encoderModule?: URL
  readonly threadsMax?: number
  /** The defaults unless told. */
  readonly bounds?: Pick<BodyBounds, 'bodyBytesMax' | 'threadsBytesMax' | 'decodedBytesMax'>
}

const OVERLOADED = err({ status: 503, code: 'overloaded' } as const)
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ENCODER_MODULE = new URL(`../workers/ingest-codec.${EXTENSION}`, import.meta.url)

export function createBodyThreads(
  deps: BodyThreadDeps,
  options: BodyThreadsOptions = {},
): BodyThreads {
  const { bodyBytesMax, threadsBytesMax, decodedBytesMax } = options.bounds ?? bodyBounds()
  const demand = (body: Buffer) => {
    const worst = worstBytes(body, bodyBytesMax)
    return { bytes: body.length, expected: expectedBytes(body, bodyBytesMax), worst }
  }
  const places = new ThreadPlaces(deps, {
    script: threadScript('./body-worker', import.meta.url),
    data: { encoderModule: (options.encoderModule ?? ENCODER_MODULE).href, bodyBytesMax },
    threadsMax: options.threadsMax ?? BODY_THREADS_MAX,
    bytesMax: threadsBytesMax,
    decodedBytesMax,
  })
  return {
    async open(body, meta, sender) {
      const place = await places.take(demand(body), sender)
      if (place === undefined) return OVERLOADED
      const reply = await openOn(place, body, meta, 'events')
      if (reply?.kind === 'opened') return ok(createLargeBody(deps, place, reply.head))
      return unopened(place, reply, deps)
    },
    async openPayload(body, meta, sender) {
      const place = await places.take(demand(body), sender)
      if (place === undefined) return OVERLOADED
      const reply = await openOn(place, body, meta, 'payload')
      if (reply?.kind !== 'opened') return unopened(place, reply, deps)
      place.end()
      const { head, form, payloadJson } = reply
      const payload: unknown = parseJson(payloadJson)
      return ok({ ...head, form, payload })
    },
    async readRest(body, meta, sender) {
      const { length } = body
      const place = await places.take({ bytes: length, expected: length, worst: length }, sender)
      if (place === undefined) return { kind: 'overloaded' }
      const { thread, id } = place
      const bytes = ownBytes(body)
      const reply = await thread.call({ kind: 'rest', id, body: bytes, meta }, [bytes.buffer])
      place.end()
      if (reply?.kind === 'rest') return reply.result
      if (reply?.kind === 'failed') {
        deps.log.error('body could not be processed', { reason: reply.message })
      }
      return { kind: 'overloaded' }
    },
    close: () => places.close(),
  }
}

function openOn(
  { thread, id }: Place,
  body: Buffer,
  meta: OpenMeta,
  purpose: OpenPurpose,
): Promise<Reply> {
  const bytes = ownBytes(body)
  return thread.call({ kind: 'open', id, body: bytes, meta, purpose }, [bytes.buffer])
}

function createLargeBody(deps: BodyThreadDeps, place: Place, head: BodyHead): LargeBody {
  const { thread, id } = place
  let isSpent = false
  const discard = (why?: 'refused') => {
    if (isSpent) return
    isSpent = true
    cancelLease()
    if (why === 'refused') place.refuse()
    thread.post({ kind: 'discard', id })
    place.end()
  }
  // An abandoned body must not hold its place for ever.
  const cancelLease = deps.clock.after(BODY_THREAD_DEADLINE_MS, () => discard())
  return {
    head,
    discard,
    async normalise(context, group) {
      if (isSpent) return OVERLOADED
      if (!place.move(group)) {
        discard()
        return OVERLOADED
      }
      isSpent = true
      cancelLease()
      const reply = await thread.call({ kind: 'normalise', id, context })
      if (reply?.kind !== 'normalised') return unopened(place, reply, deps)
      const { chunks, losses, results } = reply
      const { room } = place
      room.resize(chunks.reduce((sum, { bytes }) => sum + bytes.length, 0))
      place.free()
      return ok({ chunks, losses, results, release: () => room.leave() })
    },
  }
}

/** Ends the place and returns the error. The sender of a refused body pays for the work. */
function unopened(place: Place, reply: Reply, deps: BodyThreadDeps): Result<never, BodyError> {
  if (reply?.kind === 'refused') place.refuse()
  place.end()
  return errorOf(reply, deps)
}

function errorOf(reply: Reply, { log }: BodyThreadDeps): Result<never, BodyError> {
  if (reply?.kind === 'failed') {
    log.error('body could not be processed', { reason: reply.message })
    return OVERLOADED
  }
  return reply?.kind === 'refused' ? err(reply.error) : OVERLOADED
}
