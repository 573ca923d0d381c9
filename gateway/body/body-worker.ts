/**
 * Entry of a body thread: decodes, parses and normalises bodies too large for the event loop. Holds
 * opened payloads by id until they are normalised or discarded. Small requests have priority: the
 * thread yields the processors to the event loops.
 */

import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../src/core/clock.ts'
import { assert, type ErrorDetail } from '../../src/core/code.ts'
import { ok, type Result } from '../../src/core/result.ts'
import { yieldProcessor } from '../../src/core/yield-processor.ts'
import { type IngestContext, parseEvents } from '../../src/events/parse-event.ts'
import { createUuidV7 } from '../../src/events/uuid.ts'
import { type OpenMeta, openBody } from './body-open.ts'
import { type EncodeBatch, encodeChunks } from './chunk.ts'
import { TOO_LARGE } from './decode-error.ts'
import { readRestBody } from './rest-body.ts'
import type {
  OpenPurpose,
  RestMeta,
  RestText,
  ThreadData,
  ThreadReply,
  ThreadRequest,
} from './thread-protocol.ts'

/**
 * Bytes of garbage that bodies may leave on a thread until it is collected. More than the 16 MB
 * that V8 collects as young by itself, for much less: at 16 MB, a batch of 100 page views cost its
 * thread twice as much.
 */
const BODY_GARBAGE_BYTES_MAX = 25_165_824

/** Bytes of a decoded decide body that a thread hands back; one more is 413. */
const DECIDE_BODY_BYTES_MAX = 1_048_576

type RestResult = Result<RestText, ErrorDetail>

const port = parentPort
assert(port !== null, 'a body worker runs in a thread')
yieldProcessor()
const { encoderModule, bodyBytesMax }: ThreadData = workerData
const held = new Map<number, unknown>()
const collect = createCollector()
const newUuid = createUuidV7(systemClock.now)
const encodeGroup = await loadEncoder(encoderModule)

port.on('message', (request: ThreadRequest) => {
  const reply = answer(request)
  if (reply === undefined) return
  const transfer = reply.kind === 'normalised' ? reply.chunks.map((c) => c.bytes.buffer) : []
  port.postMessage(reply, transfer)
  collect()
})

function answer(request: ThreadRequest): ThreadReply | undefined {
  try {
    switch (request.kind) {
      case 'open':
        return open(request.id, request.body, request.meta, request.purpose)
      case 'normalise':
        return normalise(request.id, request.context)
      case 'discard':
        held.delete(request.id)
        return undefined
      case 'rest':
        return { kind: 'rest', id: request.id, result: readRest(request.body, request.meta) }
      default:
        return request satisfies never
    }
  } catch (error) {
    held.delete(request.id)
    return { kind: 'failed', id: request.id, message: String(error) }
  }
}

function open(id: number, body: Uint8Array, meta: OpenMeta, purpose: OpenPurpose): ThreadReply {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const opened = openBody(bytes, meta, bodyBytesMax)
  if (!opened.ok) return { kind: 'refused', id, error: opened.error }
  const { payload, form, token, sentAt } = opened.value
  let payloadJson = ''
  if (purpose === 'payload') {
    // Text, not objects: parsing it again costs the event loop less than a structured clone.
    payloadJson = JSON.stringify(payload)
    if (Buffer.byteLength(payloadJson) > DECIDE_BODY_BYTES_MAX) {
      return { kind: 'refused', id, error: TOO_LARGE.error }
    }
  } else {
    held.set(id, payload)
  }
  return { kind: 'opened', id, head: { token, sentAt }, form, payloadJson }
}

function normalise(id: number, context: IngestContext): ThreadReply {
  const parsed = parseEvents(taken(id), context, newUuid)
  collect()
  if (!parsed.ok) return { kind: 'refused', id, error: parsed.error }
  const { events, losses, results } = parsed.value
  const chunks = encodeChunks(context.projectId, events, encodeGroup)
  return { kind: 'normalised', id, chunks, losses, results }
}

/** Takes the payload out; it is no longer held afterwards. */
function taken(id: number): unknown {
  const payload = held.get(id)
  held.delete(id)
  assert(payload !== undefined, 'a body is normalised once, after it was opened')
  return payload
}

function readRest(body: Uint8Array, { contentType, wanted }: RestMeta): RestResult {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const read = readRestBody(bytes, contentType, wanted)
  if (!read.ok) return read
  const { value } = read
  return ok(value.kind === 'form' ? value : { kind: 'json', text: JSON.stringify(value.body) })
}

async function loadEncoder(module: string): Promise<EncodeBatch> {
  const loaded: { encodeEventBatch?: unknown } = await import(module)
  const encode = loaded.encodeEventBatch
  assert(typeof encode === 'function', `no encodeEventBatch in ${module}`)
  return (projectId, events) => encode(projectId, events)
}

/**
 * Collects a thread's garbage when a large body has left much of it: bytes, text, values. Without
 * this, V8 lets each thread grow by some hundred MB.
 */

/** Call it when only held payloads are still in use. */
function createCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc !== 'function') return () => {}
  let kept = used()
  return () => {
    if (used() - kept < BODY_GARBAGE_BYTES_MAX) return
    gc()
    kept = used()
  }
}

/** Bytes of this thread's heap and of its external memory. */
function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
