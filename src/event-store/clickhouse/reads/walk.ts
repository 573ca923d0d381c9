/** Walks events in the order of time, in windows that widen as long as there is too little in them. */

import type { Row } from '../../../clickhouse/connect.ts'
import type { EventOrder, EventPosition } from '../../../events/ports.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import type { Reading } from './reading.ts'
import { inSpan, type Selection, type Span } from './selection.ts'

/** Position of an event, and its size. */
export type Key = EventPosition & {
  readonly distinctId: string
  /** Bytes as `ListPage` counts them, without the person. */
  readonly bytes: number
}

export type Walk = {
  readonly order: EventOrder
  readonly position: EventPosition | undefined
  /** Events that are passed over, and those that are given after them at most. */
  readonly skip: number
  readonly rows: number
  /** Width of the first window in microseconds: see `widthFor`. @default an hour */
  readonly width?: bigint
}

const HOUR_MICROS = 3_600_000_000n
/** Factor by which each window is wider than the previous one. */
const WIDER = 8n

/**
 * Walks the events of a selection after a position, in order.
 * @param selection whose span is narrow, see `occupied`: years without events are windows too.
 */
export async function walkKeys(
  reading: Reading,
  selection: Selection,
  walk: Walk,
): Promise<readonly Key[]> {
  const columns = fragment`e.distinct_id, toString(${SIZE})`
  const rows = await walkRows(reading, selection, walk, columns)
  return rows.map((row) => {
    const [micros = '', uuid = '', distinctId = '', bytes] = row.map(String)
    return { micros, uuid, distinctId, bytes: Number(bytes) }
  })
}

/** The same with `columns` behind the time and the uuid of each. */
export async function walkRows(
  reading: Reading,
  { span, where }: Pick<Selection, 'span' | 'where'>,
  { order, position, skip, rows, width: firstWidth = HOUR_MICROS }: Walk,
  columns: Fragment,
): Promise<readonly Row[]> {
  const found: Row[] = []
  const passes = behind(order, position)
  let left = skip
  let rest: Span | undefined = beyond(span, order, position)
  for (let width = firstWidth; rest !== undefined && found.length < rows; width *= WIDER) {
    const [window, others] = cut(rest, order, width)
    rest = others
    const source = fragment`from ${reading.events}
      where ${inSpan(window)} and ${where} and ${passes}`
    if (left > 0) {
      const [[count] = []] = await reading.rows(fragment`select toString(count()) ${source}`)
      if (Number(count) <= left) {
        left -= Number(count)
        continue
      }
    }
    const limits = fragment`toUInt64(${String(rows - found.length)}) offset toUInt64(${String(left)})`
    const statement = fragment`
      select toString(e.timestamp_us), toString(e.uuid), ${columns} ${source}
      order by ${orderOf(order)} limit ${limits}`
    left = 0
    found.push(...(await reading.rows(statement)))
  }
  return found
}

const SIZE = fragment`length(e.properties) + 4 * length(e.elements_chain) + length(e.event)
  + length(e.distinct_id)`

/** Uuids in order of their text: ClickHouse's own order is another one. */
export function orderOf(order: EventOrder): Fragment {
  return order === 'newest'
    ? fragment`e.timestamp_us desc, toString(e.uuid)`
    : fragment`e.timestamp_us, toString(e.uuid) desc`
}

/** The span without what a position has passed, but for events of its very time. */
function beyond(span: Span, order: EventOrder, position: EventPosition | undefined): Span {
  if (position === undefined) return span
  const micros = BigInt(position.micros)
  if (order === 'newest') {
    return { ...span, before: micros + 1n < span.before ? micros + 1n : span.before }
  }
  return { ...span, after: micros - 1n > span.after ? micros - 1n : span.after }
}

function behind(order: EventOrder, position: EventPosition | undefined): Fragment {
  if (position === undefined) return fragment`true`
  const { micros, uuid } = position
  const time = fragment`toInt64(${micros})`
  return order === 'newest'
    ? fragment`(e.timestamp_us < ${time} or toString(e.uuid) > ${uuid})`
    : fragment`(e.timestamp_us > ${time} or toString(e.uuid) < ${uuid})`
}

/**
 * Width of a window that has twice as many events as are wanted, if they are spread evenly. Each
 * further window is a further statement, which costs more than the rows of a wider one.
 */
export function widthFor({ after, before }: Span, count: number, wanted: number): bigint {
  const width = ((before - after) * BigInt(2 * wanted)) / BigInt(Math.max(count, 1))
  return width > HOUR_MICROS ? width : HOUR_MICROS
}

/** How many events pass a condition, and from when to when they are. */
export async function countIn(
  reading: Reading,
  span: Span,
  where: Fragment,
): Promise<{ readonly count: number; readonly span: Span | undefined }> {
  const [[count, first, last] = []] = await reading.rows(fragment`
    select toString(count()), toString(min(e.timestamp_us)), toString(max(e.timestamp_us))
    from ${reading.events} where ${inSpan(span)} and ${where}`)
  if (count === '0') return { count: 0, span: undefined }
  const after = BigInt(String(first)) - 1n
  const before = BigInt(String(last)) + 1n
  return { count: Number(count), span: { after, before } }
}

/** The next window, and what is left behind it. */
function cut({ after, before }: Span, order: EventOrder, width: bigint): [Span, Span | undefined] {
  if (before - after <= width + 1n) return [{ after, before }, undefined]
  if (order === 'newest') {
    const from = before - width
    return [
      { after: from - 1n, before },
      { after, before: from },
    ]
  }
  const until = after + width
  return [
    { after, before: until + 1n },
    { after: until, before },
  ]
}
