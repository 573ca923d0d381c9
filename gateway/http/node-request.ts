/** A request as node:http reads it, and what takes its body. */
import { IncomingMessage } from 'node:http'
import { BodyWatch } from './body-watch.ts'
import type { ExchangeContext } from './http-context.ts'

/** Receiver of a body as it arrives. */
type BodyTarget = { chunk(bytes: Uint8Array, last: boolean): void; endBody(): void }

/**
 * Hands its body on as the parser reads it. Nothing of it waits, so the stream that node:http makes
 * of a request is passed by, with its events and turns.
 */
export class NodeRequest extends IncomingMessage {
  target: BodyTarget | undefined

  /** Called by the parser; `null` at the end. True: the socket is read on. */
  override push(chunk: Uint8Array | null): boolean {
    if (chunk === null) this.target?.endBody()
    else this.target?.chunk(chunk, false)
    return true
  }

  /** node:http calls it after an answer, to discard the unread body: nothing is buffered here. */
  _dump(): void {}
}

/** Reads the body of a refused request, so that its client reads the answer; slow ones are cut. */
export function dropBody({ clock, bounds }: ExchangeContext, req: NodeRequest): void {
  const watch = new BodyWatch(clock, bounds, () => req.destroy())
  req.target = { chunk: (bytes) => watch.add(bytes.byteLength), endBody: () => watch.stop() }
  req.once('close', () => watch.stop())
  watch.start()
}
