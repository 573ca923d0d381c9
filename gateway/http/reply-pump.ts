import type { Clock } from '../../src/core/clock.ts'
import { HTTP_REPLY_PIECE_BYTES } from '../../src/core/limits/limits.ts'

/** The sending side of a reply that is too large for one write. */
export type ReplySink = {
  /** The client has left or the connection was cut: nothing may be written. */
  readonly closed: boolean
  /** The head has been sent: no other reply can be. */
  readonly started: boolean
  /** Sends at most `HTTP_REPLY_PIECE_BYTES`. False: wait for `writable` before the next piece. */
  write(piece: Uint8Array): boolean
  /** Resolves when the client has taken what was written, or the sink has closed. */
  writable(): Promise<void>
  end(): void
  /** Cuts the connection, so that the client sees that the reply is incomplete. */
  destroy(): void
}

export type ReplySource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Moves `source` into `sink` as fast as the client reads: one piece is under way at a time. Closes
 * the source's iterator when the sink closes first.
 * @throws whatever `source` throws; the sink is then still open.
 */
export async function pump(
  source: ReplySource,
  sink: ReplySink,
  clock: Clock,
  stallMs: number,
): Promise<void> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength && !sink.closed; at += HTTP_REPLY_PIECE_BYTES) {
      if (sink.write(chunk.subarray(at, at + HTTP_REPLY_PIECE_BYTES))) continue
      const cancel = clock.after(stallMs, () => sink.destroy())
      await sink.writable()
      cancel()
    }
    if (sink.closed) return
  }
  if (!sink.closed) sink.end()
}

/** Closes a source that nobody reads. */
export async function discard(source: AsyncIterable<Uint8Array>): Promise<void> {
  await source[Symbol.asyncIterator]().return?.()
}
