import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { systemClock as clock } from '../../src/core/clock.ts'
import { type ProjectId, projectId } from '../../src/core/ids.ts'
import { silentLog as log } from '../../src/core/log.ts'
import { type IngestEvent, NO_PERSON_CHANGE, type PersonChange } from '../../src/ingest/event.ts'
import { createSql, type Sql } from '../../src/store/connect.ts'
import { createIngestStore, type PostgresIngestStore } from '../../src/store/ingest-store.ts'
import type { TestDatabase } from './database.ts'

/** A store as a worker of its own would have it. Closed when `t` ends. */
export function openStore(t: Test, db: TestDatabase, countSlot = 0): PostgresIngestStore {
  const options = { applicationName: 'ingest', connectionsMax: 1, lookupsOnly: true, log }
  const open = () => createSql(db.connection, options)
  const store = createIngestStore(
    { open, clock, onGroupTypes: async () => undefined },
    { connections: 2, countSlot },
  )
  t.teardown(() => store.close())
  return store
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
