/** Decides about persons and groups that store much: by the bytes that their answers need. */
import { spawn } from 'node:child_process'
import t from 'tap'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { PersonLookup } from '../../../src/project/ports.ts'
import {
  createLargeReads,
  loadGroups,
  loadPersons,
  STORED_READ_BYTES_MAX,
  STORED_READ_LARGE_BURST_BYTES,
  STORED_READ_LARGE_BYTES_PER_S,
  STORED_READ_STATEMENTS_MAX,
} from '../../../src/store/projects/decide-store.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createProject } from '../../support/ingest/ingest-store.ts'
import { moduleArgs } from '../../support/module-url.ts'
import { type TestDatabase, testDatabase } from '../../support/servers/database.ts'

const KIB = 1_024

/** Persons of these distinct ids, each with `plan: pro` and so many bytes more. */
async function createPersons(
  { sql }: TestDatabase,
  project: ProjectId,
  bytes: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [distinctId, size] of Object.entries(bytes)) {
    await sql`
      with made as (
        insert into persons (project_id, uuid, created_at, properties)
        values (${project}, gen_random_uuid(), now(),
          jsonb_build_object('plan', 'pro', 'bio', repeat('x', ${size}::integer)))
        returning id
      )
      insert into distinct_ids (project_id, distinct_id, person_id)
      select ${project}, ${distinctId}, id from made`
  }
}

function lookUp(projectId: ProjectId, distinctId: string, ...properties: string[]): PersonLookup {
  return { projectId, distinctId, properties, overrides: false, cohorts: false }
}

const always = () => true

t.test('a look-up brings the properties that it names and no others', async (t) => {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  await createPersons(db, project, { large: 6_000 * KIB })
  await db.sql`insert into group_types (project_id, group_type, type_index)
    values (${project}, 'company', 0)`
  await db.sql`insert into groups (project_id, type_index, group_key, properties, created_at)
    values (${project}, 0, 'acme', '{"tier": "gold", "__proto__": 1, "bio": "long"}', now())`
  const persons = await loadPersons(
    db.sql,
    [
      lookUp(project, 'large', 'plan', 'name'),
      lookUp(project, 'nobody', 'plan'),
      lookUp(project, 'large'),
    ],
    always,
  )
  t.same(persons.get(0)?.properties, { plan: 'pro' })
  t.notOk(persons.has(1))
  t.same(persons.get(2)?.properties, {}, 'nothing is asked of it')
  const group = { projectId: project, type: 'company', key: 'acme' }
  const groups = await loadGroups(
    db.sql,
    [{ ...group, properties: ['tier', '__proto__', 'x'] }],
    always,
  )
  t.equal(JSON.stringify(groups.get(0)?.properties), '{"tier":"gold","__proto__":1}')
})

t.test('reads beyond the bytes of a statement take several, the small first', async (t) => {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const half = STORED_READ_BYTES_MAX / 2 - KIB
  await createPersons(db, project, { a: half, b: half, c: half, small: 10 })
  const ids = ['a', 'b', 'c', 'small']
  const persons = await loadPersons(
    db.sql,
    ids.map((id) => lookUp(project, id, 'plan', 'bio')),
    always,
  )
  t.same(
    ids.map((_, n) => JSON.stringify(persons.get(n)?.properties).length),
    [half, half, half, 10].map((bytes) => bytes + JSON.stringify({ plan: 'pro', bio: '' }).length),
  )
})

t.test('beyond the statements of a call only what is large goes unread', async (t) => {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const large = Math.floor(STORED_READ_BYTES_MAX * 0.6)
  const asked = Array.from({ length: STORED_READ_STATEMENTS_MAX + 2 }, (_, n) => `large ${n}`)
  await createPersons(db, project, Object.fromEntries(asked.map((id) => [id, large])))
  await createPersons(db, project, { small: 10, huge: STORED_READ_BYTES_MAX })
  const persons = await loadPersons(
    db.sql,
    [...asked, 'huge', 'small'].map((id) => lookUp(project, id, 'bio')),
    always,
  )
  const unread = [...persons.values()].filter(({ properties }) => properties === 'too_large')
  t.equal(unread.length, 3, 'two of the large ones, and the one that fits into no statement')
  t.match(persons.get(asked.length), { properties: 'too_large' })
  t.match(persons.get(asked.length + 1), { properties: { bio: 'xxxxxxxxxx' } })
})

t.test('large properties have a budget of each project, and small ones need none', async (t) => {
  const db = await testDatabase(t)
  const [project, other] = [await createProject(db.sql), await createProject(db.sql)]
  const large = 512 * KIB
  const sizes = { large, small: 10 }
  for (const each of [project, other]) await createPersons(db, each, sizes)
  await db.sql`insert into group_types (project_id, group_type, type_index)
    values (${project}, 'company', 0)`
  await db.sql`insert into groups (project_id, type_index, group_key, properties, created_at)
    values (${project}, 0, 'acme', jsonb_build_object('bio', repeat('x', ${large}::integer)), now())`
  const clock = createFakeClock()
  const takeLarge = createLargeReads(clock)
  const read = async (id: ProjectId, distinctId: string, property: string) => {
    const persons = await loadPersons(db.sql, [lookUp(id, distinctId, property)], takeLarge)
    const properties = persons.get(0)?.properties
    return properties === 'too_large' ? properties : Object.keys(properties ?? {}).join()
  }
  let reads = 0
  while ((await read(project, 'large', 'bio')) === 'bio' && reads < 1_000) reads += 1
  t.equal(reads, Math.ceil(STORED_READ_LARGE_BURST_BYTES / (large + 20)))
  t.equal(await read(project, 'large', 'plan'), 'plan', 'what its flags read of it is small')
  t.equal(await read(project, 'small', 'bio'), 'bio')
  const group = { projectId: project, type: 'company', key: 'acme', properties: ['bio'] }
  const groups = await loadGroups(db.sql, [group], takeLarge)
  t.match(groups.get(0), { properties: 'too_large' }, 'groups are on the same budget')
  t.equal(await read(other, 'large', 'bio'), 'bio', 'others have their own')
  await clock.advance((1_000 * large) / STORED_READ_LARGE_BYTES_PER_S)
  t.equal(await read(project, 'large', 'bio'), 'bio', 'it comes back with time')
})

t.test('decides about persons of 6 MB fit into a small heap, and all are answered', async (t) => {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  await createPersons(db, project, { plain: 10 })
  const ids = Array.from({ length: 60 }, (_, n) => `large ${n}`)
  await createPersons(db, project, Object.fromEntries(ids.map((id) => [id, 6_000 * KIB])))
  const child = moduleArgs('./stored-sizes-child.ts', import.meta.url)
  const program = ['--max-old-space-size=128', ...child, db.url, String(project)]
  const running = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const code = await new Promise((resolve) => running.once('close', resolve))
  t.equal(code, 0)
  t.same(JSON.parse(output), {
    ...{ plain: { failed: false, on: ['bio', 'plan'] }, answers: 61 },
    // Where a flag reads the 6 MB, those persons alone are not answered.
    large: { failed: true, on: [] },
  })
})
