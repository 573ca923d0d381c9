/** Store access of questions. */
import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { INSIGHT_FOLLOWED_EVENTS_MAX } from '../../core/limits/limits-query.ts'
import type { EventSelection } from '../../event-store/event-selection.ts'
import type { EventRole, InsightEvents } from '../../event-store/insight-events.ts'
import { joinsMany, withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import { resolveSelection } from '../../event-store/postgres/reads/resolve-selection.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import type { Changes, ToKeep } from '../../store/answers/query-cache.ts'
import { microsOf } from '../bounds.ts'
import { askedOf } from '../list/event-list-query.ts'
import type { TimeBudget } from '../time-budget.ts'
import { createPasses, type Passes } from './passes.ts'
import { blockPlans } from './session-blocks/read-blocks.ts'
import { createSessionReads, type SessionReads } from './session-reads.ts'
import type { Range } from './time/grid.ts'

/** Reads one snapshot within the time of a question. */
export type InsightReader = {
  /**
   * Connection for counters, cached numbers and persons, which Postgres has wherever the events
   * are.
   */
  readonly db: Db
  readonly events: InsightEvents
  readonly nowMs: number
  /** Cached numbers of buckets; undefined where none may be used. */
  readonly cells?: CellMemory
  /** Counts of this question, and of all others that read the same snapshot. */
  readonly passes: Passes
  /** Reads of sessions, shared as the passes are. */
  readonly sessions: SessionReads
  /** Runs a statement on `db` within what is left of the time. */
  timed<T>(selection: EventSelection, read: () => Promise<T>): Promise<T>
}

/** A snapshot that several questions may read. */
export type Snapshot = {
  readonly db: Db
  readonly events: InsightEvents
  readonly nowMs: number
  readonly budget: TimeBudget
  readonly passes: Passes
  readonly sessions: SessionReads
}

/** Bounds of a read of sessions: events, and different pages or combinations of members. */
export const SESSION_BOUNDS = {
  eventsMax: INSIGHT_FOLLOWED_EVENTS_MAX,
  valuesMax: 200_000,
} as const

export function openSnapshot(
  db: Db,
  events: InsightEvents,
  nowMs: number,
  budget: TimeBudget,
): Snapshot {
  const passes = createPasses(events.countInOnePass)
  const timed = <T>(read: () => Promise<T>) => withinBudget(db, budget, read, { joinsMany: false })
  const sessions = createSessionReads({
    read: events.sessionEvents,
    passes,
    bounds: SESSION_BOUNDS,
    selectionOf: ({ project, range, personId, distinctId }) => ({
      ...eventsWithin(project, range),
      personId,
      distinctId,
    }),
    planBlocks: blockPlans(
      { events, selectionOf: eventsWithin, bounds: SESSION_BOUNDS },
      db,
      timed,
    ),
  })
  return { db, events, nowMs, budget, passes, sessions }
}

export function createReader(snapshot: Snapshot, cells?: CellMemory): InsightReader {
  const { db, events, nowMs, budget, passes, sessions } = snapshot
  return {
    db,
    nowMs,
    passes,
    sessions,
    events: duringPasses(events, passes),
    ...(cells && { cells }),
    timed: (selection, read) =>
      passes.during(() => withinBudget(db, budget, read, { joinsMany: joinsMany(selection) })),
  }
}

/** Makes passes wait for the reads of events. */
function duringPasses(events: InsightEvents, { during }: Passes): InsightEvents {
  return {
    store: events.store,
    countTrend: (...asked) => during(() => events.countTrend(...asked)),
    rollingActors: (...asked) => during(() => events.rollingActors(...asked)),
    topValues: (...asked) => during(() => events.topValues(...asked)),
    firstEventMs: (...asked) => during(() => events.firstEventMs(...asked)),
    countInOnePass: (...asked) => during(() => events.countInOnePass(...asked)),
    eventsByActor: (...asked) => during(() => events.eventsByActor(...asked)),
    bucketsByActor: (...asked) => during(() => events.bucketsByActor(...asked)),
    itemsByActor: (...asked) => during(() => events.itemsByActor(...asked)),
    sessionEvents: (...asked) => during(() => events.sessionEvents(...asked)),
    personsOfIds: (...asked) => during(() => events.personsOfIds(...asked)),
    actorsBehind: (...asked) => during(() => events.actorsBehind(...asked)),
  }
}

/** Cached buckets that one question finds, and those that it counts. */
export type CellMemory = {
  /** False: cached numbers are ignored, and all are counted and cached again. */
  readonly usesCache: boolean
  /** Change counters in the snapshot that is read. */
  readonly changes: Changes
  readonly toKeep: ToKeep[]
}

/** Bounds before and after all stored events. */
const ALWAYS = { ms: 253_402_300_799_999, us: 0 }

/** The events of a name that pass filters. */
export type Selected = {
  /** Whenever they happened. */
  readonly selection: EventSelection
  /** The same, as a test of one event among others. */
  readonly role: EventRole
}

export async function selectEvents(
  sql: Sql,
  project: ProjectId,
  event: string | null,
  filters: readonly FilterNode[],
  budget: TimeBudget,
): Promise<Selected> {
  const query = {
    after: undefined,
    before: ALWAYS,
    event: event ?? undefined,
    distinctId: undefined,
    person: undefined,
    filter: { kind: 'and', nodes: filters } as const,
    where: undefined,
  }
  const resolved = await resolveSelection(sql, askedOf(project, query), budget)
  assert(resolved !== undefined, 'a selection without bounds is never empty')
  const { where, needsPerson } = resolved.walked
  return { selection: resolved.whole, role: { event, where, needsPerson } }
}

/** All events of a project. */
export function everyEvent(project: ProjectId): EventSelection {
  return {
    project,
    before: microsOf(ALWAYS),
    after: undefined,
    event: undefined,
    distinctId: undefined,
    personId: undefined,
    where: undefined,
    needsPerson: false,
  }
}

/** All events of a project within a range. */
export function eventsWithin(project: ProjectId, range: Range): EventSelection {
  return within(everyEvent(project), range)
}

/** The same events within a range. */
export function within(selection: EventSelection, { fromMs, untilMs }: Range): EventSelection {
  const after = microsOf({ ms: fromMs - 1, us: 999 })
  return { ...selection, after, before: microsOf({ ms: untilMs, us: 0 }) }
}

/** The same events up to an instant. */
export function until(selection: EventSelection, untilMs: number): EventSelection {
  return { ...selection, after: undefined, before: microsOf({ ms: untilMs, us: 0 }) }
}
