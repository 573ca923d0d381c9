/**
 * A small pool of threads for bodies whose decoding would hold up the event loop. Threads start with
 * the first such body. A body takes a place on one thread from `open` until it is normalised,
 * discarded or forgotten for too long; without a free place it waits. What waits and what is held is
 * bounded in bytes. A thread that dies takes its bodies with it (503, the client retries), and the
 * next body starts another. `close` ends all of them; it must come after the last answer.
 */

import {
  BODY_THREAD_DEADLINE_MS,
  BODY_THREAD_HANDLES_MAX,
  BODY_THREADS_BYTES_MAX,
  BODY_THREADS_MAX,
} from '../src/core/limits.ts'
import { err, ok, type Result } from '../src/core/result.ts'
import type { DropCounts, IngestContext } from '../src/ingest/parse-event.ts'
import { type EventChunk, ownBytes } from './body/chunk.ts'
import type { DecodeError } from './body/decode-error.ts'
import { type BodyThread, type BodyThreadDeps, type Reply, startBodyThread } from './body/thread.ts'
import type { OpenWish } from './body/thread-protocol.ts'
import { threadScript } from './body/thread-script.ts'
import type { BodyHead, OpenBody, OpenMeta } from './body-open.ts'

/** `overloaded`: full, closed, or its thread died. Safe to retry. */
export type BodyError = DecodeError | { readonly status: 503; readonly code: 'overloaded' }

export type NormalisedBody = {
  readonly chunks: readonly EventChunk[]
  readonly dropped: DropCounts
}

/** A decoded body on its thread. One of the two calls must follow; both end it. */
export type LargeBody = {
  readonly head: BodyHead
  normalise(context: IngestContext): Promise<Result<NormalisedBody, BodyError>>
  discard(): void
}

export type BodyThreads = {
  /** Takes the bytes over: the caller's view of them is empty afterwards. */
  open(body: Buffer, meta: OpenMeta): Promise<Result<LargeBody, BodyError>>
  /** For decide: hands the payload back, or 413 above `DECIDE_BODY_BYTES_MAX` of decoded JSON. */
  openPayload(body: Buffer, meta: OpenMeta): Promise<Result<OpenBody, BodyError>>
  close(): Promise<void>
}

export type BodyThreadsOptions = {
  /** Module that exports `encodeIngestGroup`; `gateway/ingest-codec` unless told. */
  readonly encoderModule?: URL
  readonly threadsMax?: number
}

type Slot = { readonly thread: BodyThread; places: number; hasEnded: boolean }
type Place = { readonly slot: Slot; readonly id: number; free(): void }

const OVERLOADED = err({ status: 503, code: 'overloaded' } as const)
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ENCODER_MODULE = new URL(`./ingest-codec.${EXTENSION}`, import.meta.url)

export function createBodyThreads(
  deps: BodyThreadDeps,
  options: BodyThreadsOptions = {},
): BodyThreads {
  const { clock } = deps
  const threadsMax = options.threadsMax ?? BODY_THREADS_MAX
  const data = { encoderModule: (options.encoderModule ?? ENCODER_MODULE).href }
  const script = threadScript('./body-worker', import.meta.url)
  const slots = new Set<Slot>()
  const queue = new Set<(slot: Slot | undefined) => void>()
  let bytesHeld = 0
  let isClosed = false
  let lastId = 0

  const startSlot = (): Slot => {
    const thread = startBodyThread(deps, script, data, () => {
      slot.hasEnded = true
      slots.delete(slot)
      serveQueue()
    })
    const slot: Slot = { thread, places: 0, hasEnded: false }
    slots.add(slot)
    return slot
  }

  /** An idle thread first, then a new one, then a second place on a busy one. */
  const findSlot = (): Slot | undefined => {
    let best: Slot | undefined
    for (const slot of slots) {
      if (best === undefined || slot.places < best.places) best = slot
    }
    if (best?.places === 0) return best
    if (slots.size < threadsMax) return startSlot()
    return best !== undefined && best.places < BODY_THREAD_HANDLES_MAX ? best : undefined
  }

  const serveQueue = () => {
    for (const resolve of queue) {
      const slot = isClosed ? undefined : findSlot()
      if (slot === undefined && !isClosed) return
      if (slot !== undefined) slot.places += 1
      queue.delete(resolve)
      resolve(slot)
    }
  }

  /** Undefined when closed, or when no place became free in time. Places go in order of arrival. */
  const takeSlot = (): Promise<Slot | undefined> =>
    new Promise((resolve) => {
      const cancel = clock.after(BODY_THREAD_DEADLINE_MS, () => {
        queue.delete(settle)
        resolve(undefined)
      })
      const settle = (slot: Slot | undefined) => {
        cancel()
        resolve(slot)
      }
      queue.add(settle)
      serveQueue()
    })

  const takePlace = async (bytes: number): Promise<Place | undefined> => {
    if (isClosed || bytesHeld + bytes > BODY_THREADS_BYTES_MAX) return undefined
    bytesHeld += bytes
    const slot = await takeSlot()
    if (slot === undefined) {
      bytesHeld -= bytes
      return undefined
    }
    lastId += 1
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      bytesHeld -= bytes
      slot.places -= 1
      serveQueue()
    }
    return { slot, id: lastId, free }
  }

  const openOn = ({ slot, id }: Place, body: Buffer, meta: OpenMeta, wants: OpenWish) => {
    const bytes = ownBytes(body)
    return slot.thread.call({ kind: 'open', id, body: bytes, meta, wants }, [bytes.buffer])
  }

  return {
    async open(body, meta) {
      const place = await takePlace(body.length)
      if (place === undefined) return OVERLOADED
      const reply = await openOn(place, body, meta, 'events')
      if (reply?.kind !== 'opened') {
        place.free()
        return errorOf(reply, deps)
      }
      return ok(createLargeBody(deps, place, reply.head))
    },
    async openPayload(body, meta) {
      const place = await takePlace(body.length)
      if (place === undefined) return OVERLOADED
      const reply = await openOn(place, body, meta, 'payload')
      place.free()
      if (reply?.kind !== 'opened') return errorOf(reply, deps)
      const { head, form, payloadJson } = reply
      const payload: unknown = JSON.parse(payloadJson)
      return ok({ ...head, form, payload })
    },
    async close() {
      isClosed = true
      serveQueue()
      await Promise.all([...slots].map((slot) => slot.thread.end()))
    },
  }
}

function createLargeBody(deps: BodyThreadDeps, place: Place, head: BodyHead): LargeBody {
  const { slot, id } = place
  let isSpent = false
  const discard = () => {
    if (isSpent) return
    isSpent = true
    cancelLease()
    if (!slot.hasEnded) slot.thread.post({ kind: 'discard', id })
    place.free()
  }
  // A body nobody comes back for must not hold its place for ever.
  const cancelLease = deps.clock.after(BODY_THREAD_DEADLINE_MS, discard)
  return {
    head,
    discard,
    async normalise(context) {
      if (isSpent || slot.hasEnded) {
        discard()
        return OVERLOADED
      }
      isSpent = true
      cancelLease()
      const reply = await slot.thread.call({ kind: 'normalise', id, context })
      place.free()
      if (reply?.kind !== 'normalised') return errorOf(reply, deps)
      return ok({ chunks: reply.chunks, dropped: reply.dropped })
    },
  }
}

function errorOf(reply: Reply, { log }: BodyThreadDeps): Result<never, BodyError> {
  if (reply?.kind === 'failed') {
    log.error('body could not be processed', { reason: reply.message })
    return OVERLOADED
  }
  return reply?.kind === 'refused' ? err({ status: 400, ...reply.error }) : OVERLOADED
}
