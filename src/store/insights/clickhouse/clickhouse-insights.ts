/** The events in ClickHouse, as questions ask for them. Nothing that runs asks for them yet. */
import type { ColumnStore } from '../../events-clickhouse/connect.ts'
import type { OpenInsightEvents } from '../insight-events.ts'
import { createAsking } from './asking.ts'
import { actorsBehind, bucketsByActor, eventsByActor } from './column-actors.ts'
import { countInOnePass } from './column-passes.ts'
import { itemsByActor } from './column-paths.ts'
import { countTrend, firstEventMs, rollingActors, topValues } from './column-trends.ts'

/**
 * Whose an event is stands in its row, as it was when the row was stored. Several statements of one
 * question do not read one snapshot.
 */
export function clickhouseInsights(store: ColumnStore): OpenInsightEvents {
  return (db, leftMs, signal) => {
    const asking = createAsking(store, db, leftMs, signal)
    return {
      countTrend: (read, measure, parts) => countTrend(asking, read, measure, parts),
      rollingActors: (read, days, parts) => rollingActors(asking, read, days, parts),
      topValues: (read, source, limit) => topValues(asking, read, source, limit),
      firstEventMs: (read) => firstEventMs(asking, read),
      countInOnePass: (read, parts) => countInOnePass(asking, read, parts),
      eventsByActor: (read, roles, options) => eventsByActor(asking, read, roles, options),
      bucketsByActor: (read, roles, edges, named) =>
        bucketsByActor(asking, read, roles, edges, named),
      itemsByActor: (read, types, options) => itemsByActor(asking, read, types, options),
      actorsBehind: (project, numbers, page) => actorsBehind(asking, project, numbers, page),
    }
  }
}
