import t from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import {
  EVENT_PAGE_BYTES_MAX,
  EVENT_PAGE_PERSON_BYTES_MAX,
} from '../../../src/core/limits/limits-query.ts'
import { pageOfStretch } from '../../../src/event-store/postgres/reads/event-export-store.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import {
  type PagedEvent,
  pageWithin,
  ROW_COLUMNS,
} from '../../../src/event-store/postgres/reads/event-rows.ts'
import { fragment, run } from '../../../src/postgres/fragment.ts'
import { parseEventList } from '../../../src/query/list/event-list-query.ts'
import { listEvents } from '../../../src/query/list/events-list.ts'
import { refusal } from '../../support/api/management.ts'
import { putEvents, putPerson } from '../../support/ingest/events.ts'
import { anyScans } from '../../support/query/any-scans.ts'
import { fixedClock, tablesOf } from '../../support/query/event-table.ts'
import { testDatabase } from '../../support/servers/database.ts'

const PROJECT = 1
const MEGABYTE = 1_048_576
const EVENTS = 30
const TOO_LARGE = { code: 'invalid_input', attr: 'limit' }
const NONE = {
  ...{ after: '', before: '', properties: '', orderBy: '', where: [] },
  ...{ event: undefined, distinctId: undefined, personId: undefined },
}

t.test('the persons on a page count among its bytes', async (t) => {
  const { sql } = await testDatabase(t)
  const project = projectId(PROJECT)
  // A hidden property does not count.
  const properties = { name: 'n'.repeat(MEGABYTE), secret: 's'.repeat(MEGABYTE) }
  await putPerson(sql, PROJECT, { distinctIds: ['large'], properties })
  await putPerson(sql, PROJECT, { distinctIds: ['small'], properties: { name: 'ben' } })
  const timestamp = '2024-01-01T00:00:00Z'
  const at = { timestamp, distinctId: 'large' }
  await putEvents(
    sql,
    PROJECT,
    Array.from({ length: EVENTS }, () => at),
  )
  await putEvents(sql, PROJECT, [{ timestamp: '2024-01-02T00:00:00Z', distinctId: 'small' }])
  const query = parseEventList(NONE, fixedClock.now())
  if (!query.ok) throw new Error('the query is well-formed')
  const { signal } = new AbortController()
  const deps = { sql, events: createPostgresEvents(sql), clock: fixedClock, scans: anyScans() }
  const list = (limit: number, offset = 0) =>
    listEvents(deps, project, query.value, { limit, offset }, signal)

  t.match(await list(5, 1), { ok: false, error: TOO_LARGE })
  const page = await list(1, 1)
  const [shown] = page.ok ? page.value.events : []
  t.equal((shown?.person?.length ?? 0) - MEGABYTE < 200, true, 'one is always sent')
  t.match(await list(1), { ok: true, value: { events: [{ person: /"ben"/ }] } })

  const selection = {
    ...{ project, before: '9999999999999999', after: undefined, where: undefined },
    ...{ event: undefined, distinctId: undefined, personId: undefined, needsPerson: false },
  }
  const stretch = { order: 'newest', after: undefined, rows: EVENTS + 1 } as const
  const piece = (bytesMax: number) =>
    pageOfStretch(sql, selection, stretch, {
      ...{ limit: EVENTS + 1, offset: 0, bytesMax },
      personBytesMax: bytesMax,
    })
  const first = await piece(EVENT_PAGE_BYTES_MAX)
  t.equal(first.length, 12, 'the small one, and 11 of a megabyte')
  t.equal(first[0]?.rowsOfPage, EVENTS + 1)
  t.equal((await piece(1)).length, 1, 'one event is always given')

  const { list: table } = tablesOf(sql, PROJECT)
  for (const select of [['*'], ['event', 'person'], ['person.properties.name']]) {
    t.match(await refusal(table(select)), TOO_LARGE, select.join())
    t.equal((await table(select, { limit: 1 })).count, EVENTS + 1, select.join())
  }
})

t.test(
  'few bytes of a person are not sent many times, and of what is refused nothing',
  async (t) => {
    const { sql } = await testDatabase(t)
    const project = projectId(PROJECT)
    const tenth = EVENT_PAGE_PERSON_BYTES_MAX / 10
    // The ids of the person and names of members come on top.
    const properties = { name: 'n'.repeat(tenth - 1_000) }
    await putPerson(sql, PROJECT, { distinctIds: ['tenth'], properties })
    const timestamp = '2024-01-01T00:00:00Z'
    const at = { timestamp, distinctId: 'tenth' }
    await putEvents(sql, PROJECT, [at, at, at, at, at, at, at, at, at, at, at])
    const query = parseEventList(NONE, fixedClock.now())
    if (!query.ok) throw new Error('the query is well-formed')
    const { signal } = new AbortController()
    const deps = { sql, events: createPostgresEvents(sql), clock: fixedClock, scans: anyScans() }
    const list = (limit: number) =>
      listEvents(deps, project, query.value, { limit, offset: 0 }, signal)
    const page = await list(10)
    t.equal(page.ok ? page.value.events.length : 0, 10)
    t.match(await list(11), { ok: false, error: TOO_LARGE })

    const rows = fragment`(select ${ROW_COLUMNS} from events e)`
    const bounds = { bytesMax: EVENT_PAGE_BYTES_MAX, personBytesMax: EVENT_PAGE_PERSON_BYTES_MAX }
    const statement = pageWithin(project, rows, 'newest', bounds, 'whole')
    const sent = await run<PagedEvent>(sql, statement, false)
    t.match(sent, [{ uuid: null, properties: null, person: null, rowsOfPage: 11 }])
    t.equal(sent.length, 1)
  },
)
