/**
 * Port of insights to a store of events. Questions and answers are data; each store writes its own
 * statements.
 */
import type { ProjectId } from '../core/ids.ts'
import type { FilterNode } from '../events/trees/filter.ts'
import type { Members } from '../events/trees/members.ts'
import type { Db } from '../postgres/db.ts'
import type { ActorKey, ActorText } from './actor-text.ts'
import type { EventSelection } from './event-selection.ts'
import type { IdPersons, SessionEventOptions, SessionEvents } from './session-events.ts'

/**
 * The events of projects in one snapshot. A distinct id without a person is an actor of its own;
 * all others are their persons.
 * @throws {PostgresError} 57014 when the time-out cuts a statement; what else the store throws when
 * it cannot answer.
 */
export type InsightEvents = {
  /** Store of the events: numbers of texts are those of one store. */
  readonly store: 'postgres' | 'clickhouse'
  /** One cell for each bucket and value that has events. */
  countTrend(
    selection: EventSelection,
    measure: Measure,
    parts: TrendParts,
  ): Promise<readonly TrendCell[]>
  /**
   * Reads active actors within a number of days, as changes by day: the sum of the changes up to a
   * day is the number of actors that were active on it or on one of the `days - 1` days before it.
   * @param parts edges of local days; `day` counts them from 0.
   */
  rollingActors(
    selection: EventSelection,
    days: number,
    parts: TrendParts,
  ): Promise<readonly RollingEdge[]>
  /** The values with the most events, at most `limit`; ties by code point. */
  topValues(
    selection: EventSelection,
    source: BreakdownSource,
    limit: number,
  ): Promise<readonly ValueEvents[]>
  /** The first moment at which an event matches, ms since the epoch; undefined when none does. */
  firstEventMs(selection: EventSelection): Promise<number | undefined>
  /**
   * Counts the same events in several ways: rows by part. A part of values has one row more than
   * its `cellsMax` when it has more.
   * @param joins the breakdown whose value is not in the event itself, shared by all parts of
   * values.
   */
  countInOnePass(
    selection: EventSelection,
    parts: readonly PassPart[],
    joins: BreakdownSource | undefined,
  ): Promise<readonly (readonly PassRow[])[]>
  /**
   * The times, in microseconds since the epoch, and bits of roles of each actor's events, in order.
   * @returns the actors, to be walked once or more; `too_many` when there are more events than
   * `eventsMax`.
   */
  eventsByActor(
    selection: EventSelection,
    roles: readonly EventRole[],
    options: ActorEventOptions,
  ): Promise<Iterable<ActorText> | 'too_many'>
  /**
   * Reads the buckets and bits of roles of each actor that has an event with a role, ascending: 0
   * is before the first edge. Without names, actors with the same buckets and bits may be combined,
   * with their number.
   * @param edges of the buckets, ms since the epoch, ascending: the last one is the end.
   */
  bucketsByActor(
    selection: EventSelection,
    roles: readonly EventRole[],
    edges: readonly number[],
    named: ActorsRead,
  ): Promise<readonly ActorText[]>
  /**
   * The items that each actor's events are, in order of time.
   * @param types none means all events.
   * @returns what there is too much of to be read.
   */
  itemsByActor(
    selection: EventSelection,
    types: readonly PathEventType[],
    options: PathOptions,
  ): Promise<ActorPaths | 'too_many_events' | 'too_many_items'>
  /**
   * The events that may have a session, by actor.
   * @returns what there is too much of to be read.
   */
  sessionEvents(
    selection: EventSelection,
    roles: readonly EventRole[],
    options: SessionEventOptions,
  ): Promise<SessionEvents | 'too_many_events' | 'too_many_values'>
  /** Persons of the distinct ids of a project, by the numbers that `sessionEvents` gives these. */
  personsOfIds(project: ProjectId, idsMax: number): Promise<IdPersons | 'too_many'>
  /**
   * Lists the actors whose events make one of the numbers, each once: persons first, by their
   * numbers, then distinct ids by code point, then the groups of each type by code point.
   * @param numbers at least one.
   */
  actorsBehind(
    project: ProjectId,
    numbers: readonly TrendNumber[],
    page: ActorPage,
  ): Promise<readonly ActorKey[]>
}

/**
 * Opens the events for the statements of one question or page.
 * @param db the snapshot of Postgres that the question reads.
 * @param leftMs whole milliseconds that are left of its time; throws when none are.
 * @param signal ends what is read; `db` ends by it too.
 */
export type OpenInsightEvents = (db: Db, leftMs: () => number, signal: AbortSignal) => InsightEvents

/** Quantity that is counted over the events of a bucket. */
export type Measure =
  | { readonly kind: 'events' | 'actors' | 'sessions' }
  /** Different groups of a type, by its index. */
  | { readonly kind: 'groups'; readonly index: number }
  /**
   * Actors: each once, by one event. `first_matching` takes its first one of the selection,
   * `first_ever` its first one of the name, where that is of the selection.
   */
  | { readonly kind: FirstMeasure }
  | { readonly kind: NumberMeasure; readonly property: string }
  /** A number of sessions: stores do not know it. */
  | { readonly kind: NumberMeasure; readonly ofSession: string }
export type FirstMeasure = 'first_ever' | 'first_matching'
export type NumberMeasure = 'sum' | 'avg' | 'min' | 'max' | 'median' | 'p75' | 'p90' | 'p95' | 'p99'

export function isFirst(measure: Measure): measure is { readonly kind: FirstMeasure } {
  return measure.kind === 'first_ever' || measure.kind === 'first_matching'
}

export type TrendParts = {
  /** Bounds of buckets: the last one is the end. */
  readonly edges: readonly number[]
  readonly breakdown: ShownBreakdown | undefined
}
export type ShownBreakdown = {
  readonly source: BreakdownSource
  /** Values that are shown by themselves. */
  readonly shown: readonly string[]
}

/** Source of an event's value in a breakdown. */
export type BreakdownSource =
  | { readonly kind: 'event' | 'person'; readonly property: string }
  | { readonly kind: 'event_name' }
  | {
      readonly kind: 'cohorts'
      readonly cohorts: readonly { readonly id: number; readonly members: Members }[]
    }
  | { readonly kind: 'group'; readonly index: number; readonly property: string }
  /** A property of the event's session: stores do not know it. */
  | { readonly kind: 'session'; readonly property: string }

/**
 * Labels of events without a value, and of those whose value is not shown by itself. An event whose
 * value is one of these texts counts in that row alone.
 */
export const NO_VALUE = '$$_posthog_breakdown_null_$$'
export const OTHER_VALUE = '$$_posthog_breakdown_other_$$'

/** Places of values in place of one that is shown by itself: these count from 1. */
export const NO_VALUE_PLACE = 0
export const OTHER_VALUE_PLACE = -1

/** `bucket` counts from 0. `value` is empty without a breakdown. */
export type TrendCell = { readonly bucket: number; readonly value: string; readonly number: number }

/** A change of the number of active actors: they count from the day on which they are active. */
export type RollingEdge = { readonly day: number; readonly value: string; readonly change: number }

export type ValueEvents = { readonly value: string; readonly count: number }

/** A number of a trend: that of the first bucket of `parts` and of one value. */
export type TrendNumber = {
  readonly selection: EventSelection
  readonly measure: Measure
  readonly parts: TrendParts
  /** Empty without a breakdown. */
  readonly value: string
}

/** The column whose different values are counted. */
export type MemberKind = 'actors' | 'sessions'

/** One of the ways; edges are bounds of buckets, of which the last one is the end. */
export type PassPart = {
  readonly edges: readonly number[]
} & (
  | {
      /** The events of each bucket by value of a breakdown, all values of them. */
      readonly kind: 'values'
      readonly source: BreakdownSource
      /** Cells of bucket and value. */
      readonly cellsMax: number
    }
  | {
      /** The different members of each bucket. */
      readonly kind: 'members'
      readonly of: MemberKind
      /**
       * Members of all buckets together that are listed; if there are more, only their number is.
       */
      readonly listedMax: number
    }
)

/**
 * Row of one part. For values: the bucket from 0, a value or null for none, and its number of
 * events. For members: the bucket, their list as JSON text or null if there are too many, and their
 * number; a row without a bucket counts all buckets together. A person is listed as `p` and its
 * number, an actor without a person as `d` and its distinct id.
 */
export type PassRow = {
  readonly part: number
  readonly bucket: number | null
  readonly value: string | null
  readonly number: number
}

/** A role that an event may have: its bit is its place in the list of roles. */
export type EventRole = {
  /** null means all events. */
  readonly event: string | null
  readonly where: FilterNode | undefined
  readonly needsPerson: boolean
}

export type ActorsRead = {
  /** Names each actor: the order is that of `actorsBehind` then. */
  readonly isNamed: boolean
  /**
   * Index of a type of groups, which are the actors then: `lone` is the key of one. Events that name
   * none are of nobody.
   */
  readonly groups?: number | undefined
}

export type ActorEventOptions = ActorsRead & {
  /** Reads events without a role too. */
  readonly keepsOthers: boolean
  readonly eventsMax: number
  /** True if there are surely no more events: a store need not check `eventsMax`. */
  readonly isBounded: boolean
  /** Adds the place of each event's value behind its bits: see `NO_VALUE_PLACE`. */
  readonly breakdown?: ShownBreakdown | undefined
}

/** Kinds of events that are items of paths. Custom events do not begin with `$`. */
export type PathEventType = '$pageview' | '$screen' | 'custom_event'

export type ActorPaths = {
  /** Names of items, up to 400 characters, by number. */
  readonly names: ReadonlyMap<number, string>
  /** For each actor ordered pairs: microseconds since the epoch and the number of an item. */
  readonly actors: readonly ActorText[]
}

export type PathOptions = ActorsRead & { readonly eventsMax: number; readonly itemsMax: number }

/** Whole numbers, `offset` from 0. */
export type ActorPage = { readonly limit: number; readonly offset: number }
