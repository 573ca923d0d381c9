/** Shows a stream of live events as server-sent events. */
import type { Clock } from '../../../src/core/clock.ts'
import { createCounts } from '../../../src/events/live/counts.ts'
import { mayTakePlace } from '../../../src/events/live/fair-share.ts'
import {
  type ByeReason,
  byeMessage,
  type LiveEvent,
  type LiveMessage,
} from '../../../src/events/live/live-message.ts'
import { throttledDetail } from '../../../src/wire/details.ts'
import type { HttpReply } from '../../http/http-server.ts'
import { refusal } from '../caller.ts'
import type { MediaRenderer, RestCall } from '../renderer.ts'

/** Streams of a gateway. */
export const LIVE_GATEWAY_STREAMS_MAX = 64
/** Interval of keep-alive comments of a stream over HTTP. */
export const LIVE_COMMENT_MS = 15_000
/** Readers open the next stream after this time, and up to half of it more. */
const LIVE_RETRY_MS = 2_000

export const EVENT_STREAM_TYPE = 'text/event-stream'

export type LiveStreams = {
  readonly render: MediaRenderer
  /** Streams that are open. */
  open(): number
  /** Ends every stream with a `bye`, and refuses new ones. */
  close(): void
}

const RETRY_AFTER_S = 10

const HEADERS = [
  ['content-type', EVENT_STREAM_TYPE],
  ['cache-control', 'no-store'],
  // nginx would hold events back until it has a buffer full of them.
  ['x-accel-buffering', 'no'],
] as const

export function createLiveStreams({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: () => number
}): LiveStreams {
  const open = new Set<EventStream>()
  const organizations = createCounts<string>()
  /** Streams whose worker has not answered. */
  let opening = 0
  let isClosing = false

  const begin = async ({ request, stream }: RestCall): Promise<EventStream> => {
    const left = new AbortController()
    const leave = () => left.abort()
    request.signal.addEventListener('abort', leave, { once: true })
    if (request.aborted) leave()
    opening++
    try {
      // The method's own type.
      const told = (await stream(left.signal)) as AsyncIterable<LiveMessage>
      const messages = told[Symbol.asyncIterator]()
      const first = await nextOf(messages)
      const organization = first.organization_id
      const own = organizations.of(organization)
      if (!mayTakePlace({ own, all: open.size, max: LIVE_GATEWAY_STREAMS_MAX })) {
        left.abort()
        throw tooMany()
      }
      const leavePlace = organizations.take(organization)
      const made: EventStream = new EventStream(clock, {
        messages,
        first,
        retryMs: Math.round(LIVE_RETRY_MS * (1 + random() / 2)),
        left,
        onEnd: () => {
          open.delete(made)
          leavePlace()
          request.signal.removeEventListener('abort', leave)
        },
      })
      open.add(made)
      if (left.signal.aborted) made.end()
      if (isClosing) made.bye('drain')
      return made
    } finally {
      opening--
    }
  }

  return {
    async render(call): Promise<HttpReply> {
      if (open.size + opening >= LIVE_GATEWAY_STREAMS_MAX) {
        throw tooMany()
      }
      const body = await begin(call)
      if (call.request.method !== 'HEAD') return { status: 200, headers: HEADERS, body }
      body.end()
      return { status: 200, headers: HEADERS, body: '' }
    },
    open: () => open.size,
    close() {
      isClosing = true
      for (const each of [...open]) each.bye('drain')
    },
  }
}

function tooMany() {
  return refusal('resource_exhausted', throttledDetail(RETRY_AFTER_S))
}

/** Never rejects: a lost worker ends the messages. */
async function nextOf(messages: AsyncIterator<LiveMessage>): Promise<LiveMessage> {
  try {
    const { done, value } = await messages.next()
    return done === true ? byeMessage('lost') : value
  } catch {
    return byeMessage('lost')
  }
}

type EventStreamOptions = {
  readonly messages: AsyncIterator<LiveMessage>
  /** Has been read from them already. */
  readonly first: LiveMessage
  readonly retryMs: number
  /** Aborts when the reader has left, and is aborted to end the messages. */
  readonly left: AbortController
  readonly onEnd: () => void
}

/**
 * The body of one answer, for one reader. A message is asked for when the one before it was taken,
 * so that a slow reader holds up the worker's ring and nothing else.
 */
class EventStream implements AsyncIterableIterator<Uint8Array> {
  readonly #clock: Clock
  readonly #options: EventStreamOptions
  #first = true
  #ended = false
  #bye: ByeReason | undefined
  #pending: Promise<LiveMessage> | undefined
  #wake: () => void = () => {}

  constructor(clock: Clock, options: EventStreamOptions) {
    this.#clock = clock
    this.#options = options
    this.#pending = Promise.resolve(options.first)
    const { signal } = options.left
    signal.addEventListener('abort', () => this.end(), { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#ended) return { done: true, value: undefined }
    if (this.#first) {
      this.#first = false
      return frame(`retry: ${this.#options.retryMs}\n\n`)
    }
    for (;;) {
      const message = await this.#message()
      if (this.#ended) return { done: true, value: undefined }
      if (message === undefined) return frame(':\n\n')
      if (message.kind === 'bye') this.end()
      const text = frameText(message)
      if (text !== '') return frame(text)
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.end()
    return { done: true, value: undefined }
  }

  /** The stream ends with this word. */
  bye(reason: ByeReason): void {
    this.#bye ??= reason
    this.#wake()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#options.onEnd()
    this.#options.left.abort()
    this.#wake()
  }

  /** @returns undefined when a comment is due. */
  async #message(): Promise<LiveMessage | undefined> {
    if (this.#bye !== undefined) return byeMessage(this.#bye)
    this.#pending ??= nextOf(this.#options.messages)
    let cancel = () => {}
    const due = new Promise<'due'>((resolve) => {
      cancel = this.#clock.after(LIVE_COMMENT_MS, () => resolve('due'))
    })
    const woken = new Promise<'woken'>((resolve) => {
      this.#wake = () => resolve('woken')
    })
    const next = await Promise.race([this.#pending, due, woken])
    cancel()
    if (next === 'due') return undefined
    if (next === 'woken') return byeMessage(this.#bye ?? 'lost')
    this.#pending = undefined
    return next
  }
}

function frame(text: string): IteratorResult<Uint8Array> {
  return { done: false, value: Buffer.from(text) }
}

function frameText({ kind, event, dropped, revision, reason }: LiveMessage): string {
  switch (kind) {
    case 'open':
      return ':\n\n'
    case 'event':
      return event === null ? '' : `id: ${event.id}\nevent: event\ndata: ${eventJson(event)}\n\n`
    case 'dropped':
      return told(kind, { dropped: dropped === 0 ? null : dropped })
    case 'revision':
      return told(kind, { revision })
    case 'bye':
      return told(kind, { reason })
    default:
      return '' // A kind of a newer worker.
  }
}

function told(kind: string, data: object): string {
  return `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The properties as they are stored: numbers keep all their digits. */
function eventJson({ properties, ...rest }: LiveEvent): string {
  // A line break between members would end the line of the stream.
  const line = properties.replace(/[\r\n]+/g, ' ')
  return `${JSON.stringify(rest).slice(0, -1)},"properties":${line}}`
}
