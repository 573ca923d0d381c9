/** A database with a copy in a ClickHouse of its own, a project, and ways to store events. */
import type { Test } from 'tap'
import { moveHome } from '../../../src/event-store/months/home.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { beginReplication } from '../../../src/replication/lease.ts'
import { createProject, flushed, openStore } from '../ingest/ingest-store.ts'
import { testDatabase } from '../servers/database.ts'
import { freshDatabase, openColumns } from './column-store.ts'
import { type ReplicatorOptions, startReplicator } from './replication.ts'

type SiteOptions = {
  readonly connectionsMax?: number
  /** Whether only ClickHouse holds events, from the start. */
  readonly isAlone?: boolean
}

export async function replicatedSite(t: Test, server: string, options: SiteOptions = {}) {
  const { isAlone = false, ...database } = options
  const db = await testDatabase(t, database)
  const { sql } = db
  await beginReplication(sql)
  if (isAlone) await moveHome(sql)
  const url = await freshDatabase(t, server)
  const columns = await openColumns(t, url)
  const store = openStore(t, db, 0, undefined, true)
  const project = await createProject(sql)
  const flush = (events: readonly IngestEvent[], of = project) => flushed(store, of, events)
  const ship = (more?: ReplicatorOptions) => startReplicator(t, sql, url, more)
  return { db, sql, url, columns, store, project, flush, ship }
}
