/**
 * Watches the requests of open calls, below grpc-js: that they arrive in time, are no larger than
 * they may be, and hold no more memory together than they may. The call that holds the most, or has
 * been arriving the longest, is ended first, so that a crowd of unfinished requests keeps nobody
 * out.
 */
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { STRANGER_HELD_BYTES_MAX } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { isForAnybody } from './call-bounds.ts'
import { OpenCall, type Wrong } from './open-call.ts'
import type { OnRefused } from './refused.ts'
import { toServiceError } from './status.ts'

/** Open calls of all strangers; above it the call with the oldest unfinished request is ended. */
export const STRANGER_STREAMS_MAX = 1_000
/** Open calls of health and reflection; past it the oldest one is ended. */
export const OPEN_STREAMS_MAX = 200
/** Bytes of members' requests that are held; past it the call that holds the most is ended. */
const MEMBER_HELD_BYTES_MAX = 536_870_912

export type OpenCalls = {
  /** Called as a stream opens, before grpc-js listens to it. */
  open(stream: ServerHttp2Stream, call: OpenedCall): void
  /** Ends requests that are late. */
  sweep(): void
}

/** Facts from the headers of a call. */
export type OpenedCall = {
  readonly path: string
  /** `grpc-encoding`. */
  readonly encoding: unknown
  readonly isMember: boolean
}

/** Calls of one kind, oldest first. */
class Group {
  readonly calls = new Set<OpenCall>()
  readonly streamsMax: number
  readonly bytesMax: number
  bytes = 0

  constructor(streamsMax: number, bytesMax: number) {
    this.streamsMax = streamsMax
    this.bytesMax = bytesMax
  }

  /** The call with the oldest unfinished request. */
  oldestUnfinished(): OpenCall | undefined {
    for (const call of this.calls) if (!call.isComplete) return call
    return undefined
  }

  oldest(): OpenCall | undefined {
    const [first] = this.calls
    return first
  }

  largest(): OpenCall | undefined {
    let found = this.oldest()
    for (const call of this.calls) {
      if (found === undefined || call.heldBytes > found.heldBytes) found = call
    }
    return found
  }
}

type OpenCallsDeps = { clock: Clock; log: Log; onRefused?: OnRefused }

export function createOpenCalls(deps: OpenCallsDeps): OpenCalls {
  return new WatchedCalls(deps)
}

class WatchedCalls implements OpenCalls {
  readonly #clock: Clock
  readonly #log: Log
  readonly #onRefused: OnRefused | undefined
  readonly #members = new Group(Number.POSITIVE_INFINITY, MEMBER_HELD_BYTES_MAX)
  readonly #strangers = new Group(STRANGER_STREAMS_MAX, STRANGER_HELD_BYTES_MAX)
  /** Health and reflection, of which some streams stay open for good. */
  readonly #anybody = new Group(OPEN_STREAMS_MAX, STRANGER_HELD_BYTES_MAX)

  constructor({ clock, log, onRefused }: OpenCallsDeps) {
    this.#clock = clock
    this.#log = log
    this.#onRefused = onRefused
  }

  open(stream: ServerHttp2Stream, { path, encoding, isMember }: OpenedCall): void {
    const group = this.#groupOf(path, isMember)
    const call = new OpenCall({ stream, path, isMember, startedAt: this.#clock.monotonic() })
    group.calls.add(call)
    stream.on('data', (chunk: Buffer) => this.#receive(group, call, chunk))
    stream.on('end', () => call.end())
    // Data that a caller sends after its call was answered is not awaited.
    stream.on('finish', () => {
      if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
    })
    stream.on('close', () => {
      group.calls.delete(call)
      group.bytes -= call.heldBytes
    })
    if (isCompressed(encoding)) this.#refuse(group, call, NO_COMPRESSION)
    else if (group.calls.size > group.streamsMax) this.#makeRoom(group)
  }

  sweep(): void {
    const now = this.#clock.monotonic()
    for (const group of [this.#strangers, this.#anybody, this.#members]) {
      for (const call of group.calls) {
        if (call.isLate(now)) this.#refuse(group, call, LATE)
      }
    }
  }

  #groupOf(path: string, isMember: boolean): Group {
    if (isMember) return this.#members
    return isForAnybody(path) ? this.#anybody : this.#strangers
  }

  /** A request that is complete is being answered, and soon gone; a stream of health is not. */
  #makeRoom(group: Group): void {
    const call = group === this.#anybody ? group.oldest() : group.oldestUnfinished()
    if (call !== undefined) this.#refuse(group, call, CROWDED)
  }

  #receive(group: Group, call: OpenCall, chunk: Buffer): void {
    const before = call.heldBytes
    const wrong = call.receive(chunk, this.#clock.monotonic())
    group.bytes += call.heldBytes - before
    if (wrong !== undefined) this.#refuse(group, call, wrong)
    else if (group.bytes > group.bytesMax) {
      this.#refuse(group, group.largest() ?? call, FULL)
    }
  }

  /**
   * Stops counting its bytes. The call is answered once its received bytes have been read: a stream
   * that is closed from within its own data may lose its answer.
   */
  #refuse(group: Group, call: OpenCall, wrong: Wrong): void {
    this.#onRefused?.(wrong.reason, call.path)
    group.bytes -= call.heldBytes
    call.heldBytes = 0
    call.end()
    setImmediate(() => this.#answer(call, wrong))
  }

  /** Answers in place of grpc-js, which then finds the stream closed. */
  #answer({ stream, path }: OpenCall, { code, text }: Wrong): void {
    if (stream.closed || stream.destroyed || stream.writableEnded) return
    if (stream.headersSent) {
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
      return
    }
    const detail = { type: 'invalid_request', code, detail: text, attr: null }
    const error = new AppError(code, text, { detail })
    const { code: status, details, metadata } = toServiceError(error, this.#log, path)
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc+proto',
        'grpc-accept-encoding': 'identity',
        'grpc-status': String(status),
        'grpc-message': encodeURI(String(details)),
        ...metadata?.toHttp2Headers(),
      },
      { endStream: true },
    )
    stream.close(constants.NGHTTP2_NO_ERROR)
  }
}

const NO_COMPRESSION: Wrong = {
  code: 'unimplemented',
  text: 'Compression is not supported.',
  reason: 'form',
}
const LATE: Wrong = {
  code: 'deadline_exceeded',
  text: 'The request did not come in time.',
  reason: 'time',
}
const CROWDED: Wrong = {
  code: 'resource_exhausted',
  text: 'Too many calls are open.',
  reason: 'room',
}
const FULL: Wrong = {
  code: 'resource_exhausted',
  text: 'Too many bytes of requests are held.',
  reason: 'room',
}

/** @param encoding `grpc-encoding`. */
export function isCompressed(encoding: unknown): boolean {
  return encoding !== undefined && encoding !== 'identity'
}
