/** The events in Postgres, as questions ask for them. */

import { type PlanHints, readWithin } from '../../../postgres/bounded-reads.ts'
import type { Db } from '../../../postgres/db.ts'
import { type EventSelection, isJoined } from '../../event-selection.ts'
import type { InsightEvents } from '../../insight-events.ts'
import { bucketsByActor, eventsByActor } from './actor-event-store.ts'
import { actorsBehind } from './actor-list-store.ts'
import { countInOnePass } from './pass-store.ts'
import { itemsByActor } from './path-store.ts'
import { personsOfIds, sessionEvents } from './session-event-store.ts'
import { countTrend, firstEventMs, rollingActors, topValues } from './trend-store.ts'

/** @param db a snapshot: a transaction that is not used for anything else meanwhile. */
export function postgresInsights(db: Db, leftMs: () => number): InsightEvents {
  const timed = async <T>(
    selections: readonly EventSelection[],
    read: () => Promise<T>,
    hints?: PlanHints,
  ): Promise<T> => {
    // Questions are never about few distinct ids alone.
    const joinsMany = selections.some((each) => isJoined(each) || readsAll(each))
    return await readWithin(db, leftMs, read, { joinsMany, joinsActors: true, ...hints })
  }
  return {
    store: 'postgres',
    countTrend: (read, measure, parts) => timed([read], () => countTrend(db, read, measure, parts)),
    rollingActors: (read, days, parts) => timed([read], () => rollingActors(db, read, days, parts)),
    topValues: (read, source, limit) => timed([read], () => topValues(db, read, source, limit)),
    firstEventMs: (read) => timed([read], () => firstEventMs(db, read)),
    countInOnePass: (read, parts, joins) =>
      timed([read], () => countInOnePass(db, read, parts, joins)),
    eventsByActor: (read, roles, options) =>
      timed([read], () => eventsByActor(db, read, roles, options), { gathers: true }),
    bucketsByActor: (read, roles, edges, named) =>
      timed([read], () => bucketsByActor(db, read, roles, edges, named)),
    itemsByActor: (read, types, options) =>
      timed([read], () => itemsByActor(db, read, types, options)),
    sessionEvents: (read, roles, options) =>
      timed([read], () => sessionEvents(db, read, roles, options), { gathers: true }),
    personsOfIds: (project, idsMax) => timed([], () => personsOfIds(db, project, idsMax)),
    actorsBehind: (project, numbers, page) => {
      const reads = numbers.map(({ selection }) => selection)
      return timed(reads, () => actorsBehind(db, project, numbers, page))
    },
  }
}

/**
 * All that a project ever stored, with its actors. Before its tables were analyzed, the planner
 * takes that for a few rows, and looks up the actor of each by itself.
 */
function readsAll({ after }: EventSelection): boolean {
  return after === undefined
}
