/**
 * Streams all that is known of a person as one JSON object. Gateway and worker hold one piece at a
 * time. The person that is deleted meanwhile ends the answer: the connection is cut.
 */
import type { ExportPersonResponse__Output } from '../../proto/gen/sluice/v1/ExportPersonResponse.ts'
import type { HttpReply } from '../http/http-server.ts'
import type { RestCall } from './renderer.ts'
import { JSON_TYPE, NO_STORE } from './replies.ts'

type Piece = ExportPersonResponse__Output

/** A failure before the first piece is an ordinary error answer. */
export async function renderPersonExport({ call, message, request }: RestCall): Promise<HttpReply> {
  // The generated type of this method's answer.
  const ask = async (cursor: string) => (await call({ ...message, cursor })) as Piece
  const first = await ask('')
  const headers = [['content-type', JSON_TYPE], ...NO_STORE] as const
  return { status: 200, headers, body: request.method === 'HEAD' ? '' : partsOf(first, ask) }
}

async function* partsOf(
  first: Piece,
  ask: (cursor: string) => Promise<Piece>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"person":${first.person},"events":[`)
  let piece = first
  let isFirst = true
  for (;;) {
    const events = piece.events.slice(1, -1)
    if (events !== '') {
      yield Buffer.from(isFirst ? events : `,${events}`)
      isFirst = false
    }
    if (piece.cursor === '') break
    piece = await ask(piece.cursor)
  }
  yield Buffer.from('],"cursor":""}')
}
