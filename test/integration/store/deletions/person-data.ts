import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { ProjectId } from '../../../../src/core/ids.ts'
import { findPerson } from '../../../../src/event-store/postgres/persons/find-person.ts'
import type { IngestionWarning } from '../../../../src/events/warnings/ingestion-warning.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import {
  PERSON_LISTS,
  readPersonHead,
  readPersonList,
} from '../../../../src/privacy/person-data-store.ts'
import { removeLeftovers } from '../../../../src/privacy/retention-store.ts'
import { refreshVolumes } from '../../../../src/store/definitions/definitions-sql.ts'
import { addWarnings } from '../../../../src/store/warnings/ingestion-warning-store.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import {
  askForPerson,
  fill,
  left,
  makePerson,
  setUpDeletions,
  work,
} from '../../../support/store/deletions.ts'

const TYPES = ['person_properties_size_violation', 'group_properties_size_violation'] as const

async function warn(sql: Sql, projectId: ProjectId, distinctId: string, subject: string) {
  const details = { distinct_id: distinctId, event: 'e', message: 'too large' }
  const warnings = TYPES.map((type): IngestionWarning => ({ projectId, type, subject, details }))
  const samples = warnings.map((warning) => ({ warning, count: 1 }))
  await addWarnings(sql, { samples, counts: [] })
}

async function warned(sql: Sql) {
  const rows = await sql`select details ->> 'distinct_id' as id from ingestion_warnings order by 1`
  return rows.map((row) => row['id'])
}

t.test('no warning names a deleted person, whomever it is about, and when it comes', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  const other = await createProject(sql)
  await makePerson(sql, project, ['a'])
  await warn(sql, project, 'a', 'company acme')
  await warn(sql, project, 'b', 'company other')
  await warn(sql, other, 'a', 'company acme')
  await askForPerson(sql, project, 'a')
  await work(sql)
  t.same(await warned(sql), ['a', 'a', 'b', 'b'], 'those of the other project stay')
  // A worker had it in memory.
  await warn(sql, project, 'a', 'company late')
  const age = (seconds: number) => sql`
    update deleted_distinct_ids set asked_at = asked_at - ${seconds}::integer * interval '1 second'`
  await removeLeftovers(sql)
  t.equal((await warned(sql)).length, 6, 'more may come')
  await age(150)
  await sql`update ingestion_warnings set first_seen_at = first_seen_at - interval '149 seconds'`
  await warn(sql, project, 'a', 'a new person of that name')
  await removeLeftovers(sql)
  t.same(await warned(sql), ['a', 'a', 'a', 'a', 'b', 'b'], 'those of another person stay')
  t.equal((await sql`select from deleted_distinct_ids where distinct_id is not null`).count, 0)
})

t.test('counts, volumes and names of events follow the deletion of a person', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  const today = new Date().toISOString().slice(0, 10)
  await fill(sql, project, { distinctId: 'a', day: today, events: 30 })
  await fill(sql, project, { distinctId: 'b', day: today, events: 1 })
  const other = await createProject(sql)
  await makePerson(sql, other, ['a'])
  await fill(sql, other, { distinctId: 'a', day: today, events: 7 })
  await sql`insert into event_definitions (id, project_id, name, last_seen_at)
    select gen_random_uuid(), ${project}, name, now() - age from (values
      ('e0', interval '2 days'), ('e1', interval '2 days'), ('e2', interval '1 hour'))
      as d (name, age)`
  const volumes = async () => {
    await refreshVolumes(sql)
    const rows = await sql`
      select name, volume_30_day::int as volume from event_definitions
      where project_id = ${project} order by 1`
    return rows.map((row) => [row['name'], row['volume']])
  }
  t.same(await volumes(), [
    ['e0', 10],
    ['e1', 11],
    ['e2', 10],
  ])
  await askForPerson(sql, project, 'a')
  await work(sql)
  await removeLeftovers(sql)
  const [e1, e2, ...others] = await volumes()
  t.same(e1, ['e1', 1])
  t.match(e2, ['e2'], 'its name may be of an event that is on its way')
  t.notOk(e2?.[1], 'and has no volume')
  t.same(others, [])
  t.same(await left(sql, project), { events: { b: 1 }, isCounted: true })
  const counted = await sql`
    select distinct event from event_counts where project_id = ${project}`
  t.same([...counted], [{ event: 'e1' }])
  t.same(
    await left(sql, other),
    { events: { a: 7 }, isCounted: true },
    'another project keeps its own',
  )
  t.equal((await sql`select from distinct_ids where project_id = ${other}`).count, 1)
})

t.test('the lists of a person are read in pages of bounded rows and bytes', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  const ids = Array.from({ length: 25 }, (_, n) => `id ${n} "\u00e4\u2028`)
  await makePerson(sql, project, ids)
  await makePerson(sql, project, ['other'])
  for (const id of ['other', ...ids.slice(0, 3)]) {
    await sql`insert into dead_letters
      (project_id, uuid, event, distinct_id, payload, sqlstate, error)
      values (${project}, ${randomUUID()}, 'e', ${id}, repeat('x', 3000), '22P05', 'no')`
    await warn(sql, project, id, `about ${id}`)
  }
  const person = await findPerson(sql, project, { distinctId: ids[0] ?? '' })
  if (person === undefined) throw new Error('there is no person')
  t.match(JSON.parse((await readPersonHead(sql, project, person)) ?? ''), { id: Number(person.id) })
  const read = async (list: (typeof PERSON_LISTS)[number], rowsMax: number, bytesMax: number) => {
    const pages: unknown[][] = []
    let after: string | undefined
    do {
      const bounds = { rowsMax, bytesMax }
      const page = await readPersonList(sql, { project, person, list }, after, bounds)
      pages.push(page.items.map((item): unknown => JSON.parse(item)))
      after = page.next
    } while (after !== undefined)
    return pages
  }
  for (const list of PERSON_LISTS) {
    const whole = (await read(list, 1_000, 1_000_000)).flat()
    const count = { distinct_ids: 25, dead_letters: 3, ingestion_warnings: 6 }
    t.equal(whole.length, { ...count, cohorts: 1, feature_flag_overrides: 1 }[list], list)
    const byRows = await read(list, 2, 1_000_000)
    t.ok(byRows.every((page) => page.length <= 2))
    t.same(byRows.flat(), whole, `${list} by rows`)
    const byBytes = await read(list, 1_000, 1)
    t.ok(byBytes.every((page) => page.length <= 1))
    t.same(byBytes.flat(), whole, `${list} by bytes`)
  }
  t.equal((await read('dead_letters', 1_000, 6_500)).length, 2, 'two fit, not three')
  t.same((await read('distinct_ids', 1_000, 1_000_000)).flat(), ids.toSorted())
})
