/** Opens the event store in Postgres, and makes batches for it. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { type ProjectId, projectId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import {
  createIngestStore,
  type PostgresIngestStore,
} from '../../../src/event-store/postgres/flush/ingest-store.ts'
import { type IngestEvent, NO_PERSON_CHANGE, type PersonChange } from '../../../src/events/event.ts'
import type { IngestionWarning } from '../../../src/events/warnings/ingestion-warning.ts'
import {
  type FlushResult,
  type FlushRow,
  type IngestStore,
  isTransient,
} from '../../../src/ingest/store-port.ts'
import { createWriter } from '../../../src/ingest/writer.ts'
import type { IngestWriter } from '../../../src/ingest/writer-port.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import {
  WRITER_FLUSH_BYTES_MAX,
  WRITER_FLUSH_EVENTS_MAX,
  WRITER_PROJECT_SHARE_MAX,
  WRITER_QUEUE_BYTES_MAX,
  WRITER_SLOTS,
} from '../../../src/worker/worker-writer.ts'
import type { TestDatabase } from '../servers/database.ts'

/** A store as a worker of its own would have it. Closed when `t` ends. */
export function openStore(
  t: Test,
  db: TestDatabase,
  countSlot = 0,
  onWarnings: (warnings: readonly IngestionWarning[]) => void = () => {},
  copies = false,
): PostgresIngestStore {
  const options = { applicationName: 'ingest', connectionsMax: 1, lookupsOnly: true, log }
  const open = () => createSql(db.connection, options)
  const store = createIngestStore(
    { open, clock, onGroupTypes: async () => undefined, onWarnings },
    { connections: 3, countSlot, replicates: copies },
  )
  t.teardown(() => store.close())
  return store
}

/** A writer over a store of its own, with the product's bounds. Closed when `t` ends. */
export function openWriter(t: Test, db: TestDatabase, copies = false): IngestWriter {
  const writer = createWriter(
    {
      store: openStore(t, db, 0, undefined, copies),
      clock,
      log,
      random: Math.random,
      onPersonsChanged: async () => {},
      onPersonsUnknown: () => {},
      onCommitted: () => {},
    },
    {
      slots: WRITER_SLOTS,
      joinEventsMin: 1,
      bytesMax: WRITER_QUEUE_BYTES_MAX,
      projectShareMax: WRITER_PROJECT_SHARE_MAX,
      flushEventsMax: WRITER_FLUSH_EVENTS_MAX,
      flushBytesMax: WRITER_FLUSH_BYTES_MAX,
    },
  )
  t.teardown(() => writer.close(0))
  return writer
}

/** A new organisation with one project. */
export async function createProject(sql: Sql): Promise<ProjectId> {
  const [row] = await sql<{ id: number }[]>`
    with organization as (
      insert into organizations (id, name, slug)
      values (gen_random_uuid(), 'o', gen_random_uuid()::text) returning id
    )
    insert into projects (uuid, organization_id, api_token)
    select gen_random_uuid(), id, gen_random_uuid()::text from organization returning id`
  if (row === undefined) throw new Error('no project was made')
  return projectId(row.id)
}

/** The row of an event in a flush of a single batch. */
export function rowOf(project: ProjectId, event: IngestEvent): FlushRow {
  return { projectId: project, event, batch: 0 }
}

export function makeEvent(
  changes: Partial<Omit<IngestEvent, 'person'>> & { person?: Partial<PersonChange> } = {},
): IngestEvent {
  const { person, ...rest } = changes
  return {
    uuid: randomUUID(),
    event: 'seen',
    distinctId: 'someone',
    timestamp: '2026-03-04T05:06:07.123456Z',
    properties: '{}',
    elementsChain: '',
    groups: [],
    groupChange: undefined,
    ...rest,
    person: { ...NO_PERSON_CHANGE, ...person },
  }
}

/** Flushes as the writer does, repeating batches that failed temporarily. */
export async function flushed(
  store: IngestStore,
  project: ProjectId,
  events: readonly IngestEvent[],
): Promise<FlushResult> {
  for (;;) {
    try {
      return await store.flush(
        0,
        events.map((event) => rowOf(project, event)),
      )
    } catch (error) {
      if (!isTransient(error)) throw error
    }
  }
}
