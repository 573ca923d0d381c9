/** The events in ClickHouse, as questions ask for them. */
import type { OpenInsightEvents } from '../../insight-events.ts'
import { type ColumnsRead, createAsking } from './asking.ts'
import { actorsBehind, eventsByActor } from './column-actors.ts'
import { bucketsByActor } from './column-buckets.ts'
import { countInOnePass } from './column-passes.ts'
import { itemsByActor } from './column-paths.ts'
import { personsOfIds, sessionEvents } from './column-sessions.ts'
import { countTrend, firstEventMs, rollingActors, topValues } from './column-trends.ts'

/**
 * Several statements of one question read the same blocks if there is a snapshot block, less events
 * that are removed meanwhile. Owners of distinct ids are those that ClickHouse has when each
 * statement runs.
 */
export function clickhouseInsights(columns: ColumnsRead): OpenInsightEvents {
  return (db, leftMs, signal) => {
    const asking = createAsking(columns, db, leftMs, signal)
    return {
      store: 'clickhouse',
      countTrend: (read, measure, parts) => countTrend(asking, read, measure, parts),
      rollingActors: (read, days, parts) => rollingActors(asking, read, days, parts),
      topValues: (read, source, limit) => topValues(asking, read, source, limit),
      firstEventMs: (read) => firstEventMs(asking, read),
      countInOnePass: (read, parts) => countInOnePass(asking, read, parts),
      eventsByActor: (read, roles, options) => eventsByActor(asking, read, roles, options),
      bucketsByActor: (read, roles, edges, named) =>
        bucketsByActor(asking, read, roles, edges, named),
      itemsByActor: (read, types, options) => itemsByActor(asking, read, types, options),
      sessionEvents: (read, roles, options) => sessionEvents(asking, read, roles, options),
      personsOfIds: (project, idsMax) => personsOfIds(asking, project, idsMax),
      actorsBehind: (project, numbers, page) => actorsBehind(asking, project, numbers, page),
    }
  }
}
