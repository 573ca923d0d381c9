/** Events a piece at a time, so that few of them are in memory. */
import { MONTH_PIECE_BYTES, MONTH_PIECE_EVENTS } from '../../core/limits/limits-columns.ts'
import type { ColumnEvent } from '../events-clickhouse/column-event.ts'

/** Pieces within the bounds; one event is given in any case. */
export async function* inPieces(
  events: AsyncIterable<ColumnEvent>,
): AsyncGenerator<readonly ColumnEvent[], void> {
  let piece: ColumnEvent[] = []
  let bytes = 0
  for await (const event of events) {
    const size = Buffer.byteLength(event.properties) + Buffer.byteLength(event.elementsChain)
    const isFull = piece.length === MONTH_PIECE_EVENTS || bytes + size > MONTH_PIECE_BYTES
    if (isFull && piece.length > 0) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(event)
    bytes += size
  }
  if (piece.length > 0) yield piece
}
