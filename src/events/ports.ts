/**
 * Reader of stored events. It takes trees and never SQL, so that stores of other kinds can
 * implement it.
 *
 * The person of an event is the one that owns its distinct id when it is read, not when it was
 * stored: a merge shows at once, in every event. Both stores ask Postgres for it.
 */
import type { ProjectId } from '../core/ids.ts'
import type { Typed } from './trees/expression.ts'
import type { FilterNode } from './trees/filter.ts'
import type { Cell, SortKey } from './trees/table.ts'

/**
 * All methods fail with `AppError` `deadline_exceeded`, or what the store throws, when the time of
 * the call is spent; and `unimplemented` when the store cannot answer what it is asked.
 */
export type EventReader = {
  /**
   * A page and the exact count, of one state of the events.
   * @returns `too_large` when the events of the page exceed its bounds, unless it is one alone.
   */
  list(asked: EventsAsked, page: ListPage, call: ReadCall): Promise<EventPage | 'too_large'>
  /**
   * A page of rows or of groups and how many there are, of one state of the events. Fewer rows than
   * there are when all would exceed `bytesMax`.
   */
  table(asked: EventsAsked, table: TableAsked, call: ReadCall): Promise<TablePage>
  /** The next events of a long list, and where to go on: never an event twice. */
  piece(asked: EventsAsked, place: PiecePlace, call: ReadCall): Promise<EventPiece>
  find(project: ProjectId, uuid: string, call: ReadCall): Promise<QueriedEvent | undefined>
  /**
   * Times of the newest events of distinct ids, microseconds since 1970 as decimal text. An id
   * without events has none.
   */
  newest(wanted: NewestWanted, call: ReadCall): Promise<ReadonlyMap<string, string>>
  /**
   * Distinct values of a property, those of most events first, then by text. A number and the text
   * that spells it are one value.
   */
  values(wanted: ValuesWanted, call: ReadCall): Promise<readonly PropertyValue[]>
  /** Names of the properties of a project's newest events, those of most events first. */
  propertyNames(
    project: ProjectId,
    sample: PropertySample,
    call: ReadCall,
  ): Promise<readonly string[]>
  /** Finds the uuids of those of the events that pass the condition. */
  matching(
    project: ProjectId,
    places: readonly EventPlace[],
    where: FilterNode,
    call: ReadCall,
  ): Promise<ReadonlySet<string>>
}

/** Limits of a call. */
export type ReadCall = {
  /** Ends a running statement. */
  readonly signal: AbortSignal
  readonly time: TimeLeft
}

export type TimeLeft = {
  /**
   * Whole milliseconds, at least 1.
   * @throws {AppError} `deadline_exceeded` when nothing is left.
   */
  left(): number
}

/** Selection of events. Bounds are exclusive, microseconds since 1970 as decimal text. */
export type EventsAsked = {
  readonly project: ProjectId
  readonly before: string
  readonly after: string | undefined
  readonly event: string | undefined
  readonly distinctId: string | undefined
  /** Number or uuid of a person; an unknown one has no events, and so has `none`. */
  readonly person: { readonly id: string } | { readonly uuid: string } | 'none' | undefined
  readonly filter: FilterNode
  /** A condition that must hold as well as `filter`. */
  readonly where: FilterNode | undefined
  /**
   * Limits events to those stored up to this state, in a store that counts states: see `EventPage`.
   */
  readonly snapshotBlock?: number | undefined
}

/** Bounds of every event that may be stored: the years 0 to 9999. */
export const EVER = { after: '-62167219200000001', before: '253402300800000000' } as const

/** Newest first ties by uuid; each order is exactly the other reversed. */
export type EventOrder = 'newest' | 'oldest'

export type ListPage = {
  readonly order: EventOrder
  readonly limit: number
  readonly offset: number
  /** Bytes as text, elements counted for both their forms, with what is shown of persons. */
  readonly bytesMax: number
  /** Bytes of what is shown of persons, of each for every one of its events. */
  readonly personBytesMax: number
}

export type EventPage = {
  readonly count: number
  readonly events: readonly QueriedEvent[]
  /** The state that was read, where the store counts them. */
  readonly snapshotBlock?: number | undefined
}

/** An event as lists and retrieval read it. JSON and times are texts. */
export type QueriedEvent = {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: string
  readonly elementsChain: string
  /** Microseconds since the epoch, decimal. */
  readonly micros: string
  readonly person: string | null
}

export type TableAsked = {
  readonly cells: readonly Cell[]
  /**
   * The most significant key first. Ties are the newest first, but of time alone as in lists, and
   * groups in order of their keys.
   */
  readonly order: readonly SortKey[]
  /** When set, cells and order are over the columns of groups. */
  readonly groups: TableGroups | undefined
  readonly limit: number
  readonly offset: number
  /** Bytes of the rows as JSON text, with elements counted in both their forms. */
  readonly bytesMax: number
}

/** Groups of a table. Without keys all events are one group, even if there are none. */
export type TableGroups = {
  readonly keys: readonly Typed[]
  readonly aggregates: readonly Typed[]
  readonly conditions: readonly Typed[]
}

export type TablePage = { readonly count: number; readonly rows: readonly TableRow[] }

export type TableRow = {
  /** JSON lists of the cells; whole events separate them. */
  readonly parts: readonly string[]
  /** Set when there is more than one part. */
  readonly event: QueriedEvent | undefined
}

/** Position of an event in the order of its list. */
export type EventPosition = {
  /** Microseconds since the epoch, decimal. */
  readonly micros: string
  readonly uuid: string
}

export type PiecePlace = {
  readonly order: EventOrder
  /** The last event that was passed; undefined at the start. */
  readonly position: EventPosition | undefined
  /** Matches still to be skipped, and matches to be returned after those. */
  readonly skip: number
  readonly left: number
  /** Events of a piece, and bytes as `ListPage` counts them; at least one event is returned. */
  readonly rowsMax: number
  readonly bytesMax: number
}

export type EventPiece = {
  readonly events: readonly QueriedEvent[]
  /** Undefined after the last piece. A piece without events may have a next one. */
  readonly next:
    | (Pick<PiecePlace, 'skip' | 'left'> & { readonly position: EventPosition })
    | undefined
}

export type PropertyValue = {
  /** Value as JSON has it, texts without their quotes. */
  readonly text: string
  /** A list or an object. */
  readonly isNested: boolean
}

export type NewestWanted = {
  readonly project: ProjectId
  readonly distinctIds: readonly string[]
  /** Exclusive, microseconds since 1970 as decimal text. */
  readonly before: string
}

/** Selection of values; bounds are microseconds since 1970 as decimal text. */
export type ValuesWanted = {
  readonly project: ProjectId
  readonly key: string
  /** Inclusive. */
  readonly from: string
  /** Exclusive. */
  readonly before: string
  /** Limits values to those with this text, ignoring case; empty allows all. */
  readonly part: string
  /** Limits events to these names; an empty list allows all. */
  readonly events: readonly string[]
  /** Characters; longer values are left out. */
  readonly lengthMax: number
  readonly limit: number
}

export type PropertySample = {
  /** The newest events that are looked at. */
  readonly events: number
  /** Bytes of their properties as stored, which is compressed; the newest event always counts. */
  readonly bytes: number
  /** Characters of a name; longer ones are left out. */
  readonly nameLengthMax: number
  readonly namesMax: number
}

/** An event by its place; `timestamp` is ISO 8601 in UTC. */
export type EventPlace = { readonly id: string; readonly timestamp: string }
