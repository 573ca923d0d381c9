import t from 'tap'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { testReader } from '../../support/events/reader-suite.ts'
import { testDatabase } from '../../support/servers/database.ts'

testReader(t, 'Postgres', async (t) => {
  const { sql } = await testDatabase(t)
  return { sql, reader: createPostgresEvents(sql), copy: async () => {} }
})
