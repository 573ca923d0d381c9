/** The events in Postgres, as questions ask for them. */

import type { ProjectId } from '../../../core/ids.ts'
import { type PlanHints, readWithin } from '../../../postgres/bounded-reads.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import type { ActorKey } from '../../actor-text.ts'
import { type EventSelection, isJoined } from '../../event-selection.ts'
import type { ActorPage, InsightEvents, TrendNumber } from '../../insight-events.ts'
import { bucketsByActor, eventsByActor } from './actor-event-store.ts'
import { actorOf, actorOrder } from './insight-fragments.ts'
import { countInOnePass } from './pass-store.ts'
import { itemsByActor } from './path-store.ts'
import { personsOfIds, sessionEvents } from './session-event-store.ts'
import { countTrend, firstEventMs, idsBehind, rollingActors, topValues } from './trend-store.ts'

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

/**
 * Actors whose events make one of the numbers, each once, in the order of `actorOrder`, then
 * groups.
 * @param numbers at least one.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
async function actorsBehind(
  db: Db,
  project: ProjectId,
  numbers: readonly TrendNumber[],
  { limit, offset }: ActorPage,
): Promise<readonly ActorKey[]> {
  const all = numbers.map(idsBehind).reduce((sum, more) => fragment`${sum} union ${more}`)
  const statement = fragment`
    select a.person_id::text as person, a.lone, a.grouped as "group" from (
      select distinct d.person_id, case when d.person_id is null then x.distinct_id end as lone,
        x.grouped
      from (${all}) x ${actorOf(project, fragment`x`)} and x.grouped is null
    ) a order by a.grouped nulls first, ${actorOrder(fragment`a`)}
    limit ${String(limit)}::bigint offset ${String(offset)}::bigint`
  return await run<ActorKey>(db, statement, false)
}
