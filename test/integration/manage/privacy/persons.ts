import t, { type Test } from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { EVENT_EXPORT_PIECE_BYTES_MAX } from '../../../../src/core/limits/limits-query.ts'
import { createPartitions, partitionOf } from '../../../../src/event-store/months/partitions.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { as, refusal, startManagement } from '../../../support/api/management.ts'

const DAY_MS = 86_400_000
const DAY = '2026-01-05'
const IDS = 12_000
const EVENTS = 1_500

/** A person of many distinct ids and events, and one who is left alone. */
async function setUp(t: Test, settings: { backupDays?: number } = {}, ids = 1) {
  const { sql, owner, services } = await startManagement(t, undefined, settings)
  const project = projectId(owner.project?.id ?? 0)
  await createPartitions(sql, [partitionOf(DAY)])
  await makePerson(sql, project, 'anna', ids)
  await makePerson(sql, project, 'ben', 1)
  await sql`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select ${project}, ${DAY}, gen_random_uuid(), ${DAY}::timestamptz + n * interval '1 second',
      'e', (array['anna', 'ben'])[1 + n % 2], jsonb_build_object('n', n)
    from generate_series(1, ${2 * EVENTS}) as n`
  // As autovacuum does.
  await sql`analyze events, distinct_ids, persons`
  const persons = services['sluice.v1.PersonService']
  const by = 'distinct_id' as const
  const named = { project_id: String(project), id: 'anna', by }
  const context = as(owner.personalApiKey)
  return {
    ...{ sql, project },
    exportPiece: (cursor: string) => persons.ExportPerson({ ...named, cursor }, context),
    getDeletion: (id: string) =>
      services['sluice.v1.DeletionService'].GetDeletion(
        { project_id: String(project), id },
        context,
      ),
    deletePerson: () => persons.DeletePerson({ ...named, delete_events: true }, context),
  }
}

async function makePerson(sql: Sql, project: number, name: string, ids: number) {
  await sql`
    with made as (
      insert into persons (project_id, uuid, created_at, properties)
      values (${project}, gen_random_uuid(), now(), ${`{"name":"${name}"}`}::text::jsonb) returning id
    )
    insert into distinct_ids
    select ${project}, case when n = 1 then ${name} else ${name} || n end, id
    from made, generate_series(1, ${ids}::integer) as n`
}

type Known = {
  readonly properties?: { readonly name: string }
  readonly distinct_ids?: readonly string[]
}

t.test('an export gives a large person in bounded pieces, each item once', async (t) => {
  const { exportPiece } = await setUp(t, {}, IDS)
  const ids: string[] = []
  const numbers: number[] = []
  let cursor = ''
  let pieces = 0
  do {
    const piece = await exportPiece(cursor)
    const person = JSON.parse(piece.person ?? '') as Known | null
    if (pieces === 0) t.match(person, { properties: { name: 'anna' } })
    else t.notOk(person?.properties, 'further pieces have lists alone')
    ids.push(...(person?.distinct_ids ?? []))
    const events = JSON.parse(piece.events ?? '') as { properties: { n: number } }[]
    if (ids.length < IDS) t.same(events, [], 'first the lists')
    numbers.push(...events.map(({ properties }) => properties.n))
    const bytes = (piece.person ?? '').length + (piece.events ?? '').length
    t.ok(bytes < 3 * EVENT_EXPORT_PIECE_BYTES_MAX, `${bytes} bytes`)
    cursor = piece.cursor ?? ''
    pieces += 1
  } while (cursor !== '')
  t.ok(pieces >= 3, `${pieces} pieces`)
  t.equal(ids.length, IDS)
  t.equal(new Set(ids).size, IDS)
  const expected = Array.from({ length: EVENTS }, (_, n) => 2 * (n + 1))
  t.same(numbers, expected, 'the oldest first')
})

t.test('an export ends when its person is deleted, though the name is taken again', async (t) => {
  const { sql, project, exportPiece, deletePerson } = await setUp(t, {}, IDS)
  const inLists = (await exportPiece('')).cursor ?? ''
  let inEvents = inLists
  while (!JSON.stringify(await exportPiece(inEvents)).includes('properties')) {
    inEvents = (await exportPiece(inEvents)).cursor ?? ''
  }
  t.match(await deletePerson(), { state: 'running', total: EVENTS })
  for (const cursor of [inLists, inEvents]) {
    t.match(await refusal(exportPiece(cursor)), { is: 'not_found' })
  }
  await makePerson(sql, project, 'anna', 1)
  t.match(JSON.parse((await exportPiece('')).person ?? ''), { distinct_ids: ['anna'] })
  for (const cursor of [inLists, inEvents]) {
    t.match(await refusal(exportPiece(cursor)), { is: 'not_found' }, 'that is another person')
  }
  for (const forged of [
    'x',
    'W10',
    Buffer.from('["1","dead_letters","x"]').toString('base64url'),
  ]) {
    t.match(await refusal(exportPiece(forged)), { is: 'invalid_argument', attr: 'cursor' })
  }
})

t.test('a deletion that cannot be counted soon goes without a total', async (t) => {
  const { sql, deletePerson } = await setUp(t)
  let counted: unknown
  await sql.begin(async (tx) => {
    // A count waits for it, longer than it may.
    await tx`lock table events in access exclusive mode`
    counted = await deletePerson()
  })
  t.match(counted, { state: 'running', kind: 'person', total: undefined })
})

t.test('answers to deletions say until when backups hold what is deleted', async (t) => {
  const { sql, deletePerson, getDeletion } = await setUp(t, { backupDays: 30 })
  const { id = '', created_at: askedAt = '', backups_hold_until: until } = await deletePerson()
  t.equal(Date.parse(until ?? '') - Date.parse(askedAt), 30 * DAY_MS)
  // A backup that was made just before its end has some of it still.
  const ended = '2026-01-20T10:00:00.000Z'
  await sql`update deletions set state = 'completed', finished_at = ${ended} where id = ${id}`
  t.match(await getDeletion(id), { backups_hold_until: '2026-02-19T10:00:00.000Z' })
})
