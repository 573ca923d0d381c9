import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import { organizationId, type ProjectId } from '../../../../src/core/ids.ts'
import type { Json } from '../../../../src/core/json.ts'
import { silentLog } from '../../../../src/core/log.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { cancelDeletion, findDeletion } from '../../../../src/privacy/deletion-store.ts'
import { startRetention } from '../../../../src/privacy/retention-store.ts'
import { answerQuestion } from '../../../../src/query/insights/answer.ts'
import {
  type AnswerCache,
  createAnswerCache,
} from '../../../../src/query/insights/cache/answer-cache.ts'
import { createQueryJobs } from '../../../../src/query/insights/jobs/query-jobs.ts'
import { removeOldJobs } from '../../../../src/store/answers/query-job-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import {
  askFiltered,
  askForPerson,
  fill,
  makePerson,
  setUpDeletions,
  work,
} from '../../../support/store/deletions.ts'
import { until } from '../../../support/until.ts'
import { createGate } from '../../../support/workers/gate.ts'

const DAY = '2026-01-05'
const BY_ID: Json = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'e1', math: 'total' }],
  dateRange: { date_from: '2026-01-01', date_to: '2026-01-31' },
  breakdownFilter: { breakdown: 'n' },
}
const ORGANIZATION = organizationId('0191a2b3-0000-7000-8000-000000000001')

t.test('answers that are kept go with every deletion', async (t) => {
  const { sql, project, ask, keptOf } = await site(t)
  const stays = async (what: string) => {
    await work(sql)
    t.same(await keptOf(), { kept: 0, named: [] }, what)
  }
  await ask()
  const { named } = await keptOf()
  t.match(named, [{ id: 'asked', state: 'answer' }], 'kept at first')
  const { id } = await askForPerson(sql, project, 'a')
  t.same(await keptOf(), { kept: 0, named: [] }, 'with the asking')
  await ask()
  t.not((await keptOf()).kept, 0, 'asked again while the events are there')
  await stays('with the end')
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 20 })

  await ask()
  const filtered = await askFiltered(sql, project, { distinct_id: 'b' })
  await ask()
  await stays('by filter')
  await askFiltered(sql, project, { event: 'e2' })
  await ask()
  const running = await sql<{ id: string }[]>`select id from deletions where state = 'running'`
  await sql.begin((tx) => cancelDeletion(tx, project, String(running[0]?.id)))
  t.same(await keptOf(), { kept: 0, named: [] }, 'cancelled')
  t.match(await findDeletion(sql, project, filtered), { state: 'completed' })

  await makePerson(sql, project, ['alone'])
  await ask()
  await askForPerson(sql, project, 'alone', false)
  await ask()
  await stays('a person alone')
})

t.test('answers that are kept go with what is too old', async (t) => {
  const { sql, project, ask, keptOf } = await site(t)
  const { signal } = new AbortController()
  // An event of another project, so that the month stays and the events go in chunks.
  await sql`
    insert into projects (id, uuid, organization_id, api_token)
    select ${project + 1}, gen_random_uuid(), organization_id, 'phc_other' from projects
    where id = ${project}`
  await fill(sql, (project + 1) as ProjectId, { distinctId: 'z', day: DAY, events: 1 })
  await ask()
  await sql`update projects set events_retention_days = 10 where id = ${project}`
  await startRetention(sql, signal)
  await work(sql)
  t.same(await keptOf(), { kept: 0, named: [] }, 'in chunks')

  await fill(sql, project, { distinctId: 'c', day: DAY, events: 5 })
  await ask()
  await sql`update projects set events_retention_days = 10`
  await startRetention(sql, signal)
  const [row] = await sql<{ there: boolean }[]>`
    select exists (select from events where project_id = ${project}) as there`
  t.equal(row?.there, false, 'the month was dropped')
  t.same(await keptOf(), { kept: 0, named: [] }, 'with the month')
})

t.test('an answer that was counted before is not kept after', async (t) => {
  const { sql, project, askKept, keptOf } = await site(t)
  const counted = createGate()
  const asked = createGate()
  const cache = createAnswerCache(sql, silentLog)
  const slow: AnswerCache = {
    ...cache,
    async keep(...rows) {
      counted.open()
      await asked.opened
      await cache.keep(...rows)
    },
  }
  const answer = askKept(slow)
  await counted.opened
  await askForPerson(sql, project, 'a')
  asked.open()
  await answer
  t.equal((await keptOf()).kept, 0)
})

t.test('an answer that is being kept meanwhile is found', async (t) => {
  const { sql, project, askKept, keptOf } = await site(t)
  await sql.unsafe(`
    create function hold() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(99, 1); return new; end $$;
    create trigger hold before insert on kept_answers for each row execute function hold()`)
  const held = createGate()
  const release = createGate()
  const holding = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(99, 1)`
    held.open()
    await release.opened
  })
  await held.opened
  const answer = askKept(createAnswerCache(sql, silentLog))
  await waitsFor(sql, 'insert into kept_answers')
  const asking = askForPerson(sql, project, 'a')
  await waitsFor(sql, 'select pg_advisory_xact_lock')
  release.open()
  await Promise.all([holding, answer, asking])
  t.equal((await keptOf()).kept, 0)
})

t.test('a question that runs while something is deleted keeps nothing', async (t) => {
  const { sql, project, jobs, keptOf } = await site(t)
  const begun = createGate()
  const end = createGate()
  const question = async () => {
    begun.open()
    await end.opened
    return '{"results":["a"]}'
  }
  const named = { project, id: 'slow', total: 1, work: question }
  await jobs.start(named, ORGANIZATION)
  await begun.opened
  await askForPerson(sql, project, 'a')
  end.open()
  await until('it has ended', async () => {
    const text = await jobs.status(project, 'slow')
    return text !== undefined && JSON.parse(text).query_status.complete === true
  })
  const status = JSON.parse((await jobs.status(project, 'slow')) ?? '').query_status
  t.match(status, { error: true, error_code: 'query_cancelled', results: null })
  t.same(await keptOf(), { kept: 0, named: [{ id: 'slow', state: 'failure' }] })

  // A question begins before or after a deletion, never with a look at what goes.
  const committing = createGate()
  const deletion = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(730512, ${project})`
    committing.open()
    await waitsFor(sql, 'select pg_advisory_xact_lock')
    const { count } = await tx`select from insight_queries where id = 'later'`
    t.equal(count, 0, 'the question waits')
  })
  await committing.opened
  const later = jobs.wait({ ...named, id: 'later' }, new AbortController().signal)
  await Promise.all([deletion, later])
})

t.test('a worker that dies before the end leaves it to the next', async (t) => {
  const { sql, project, ask, keptOf } = await site(t)
  const { id } = await askForPerson(sql, project, 'a')
  await sql.unsafe(`
    create function cut() returns trigger language plpgsql as $$ begin
      raise exception 'cut off'; end $$;
    create trigger cut before update on deletions
      for each row when (new.state = 'completed') execute function cut()`)
  await work(sql)
  await ask()
  t.match(await findDeletion(sql, project, id), { state: 'running', isWalked: true, deleted: 20 })
  await sql.unsafe('drop trigger cut on deletions')
  await Promise.all([work(sql), work(sql)])
  t.match(await findDeletion(sql, project, id), { state: 'completed', deleted: 20 })
  t.same(await keptOf(), { kept: 0, named: [] })
  const audited = await sql`select from audit_log where item_id = ${id}`
  t.equal(audited.count, 1)
})

t.test('an answer under a name goes after its hour, asked for or not', async (t) => {
  const { sql, ask, keptOf } = await site(t)
  await ask()
  await removeOldJobs(sql)
  t.equal((await keptOf()).named.length, 1)
  await sql`update insight_queries set seen_at = now() - interval '61 minutes'`
  await removeOldJobs(sql)
  t.same((await keptOf()).named, [])
})

/** A project with events of two persons, and what asks it and looks at what is kept. */
async function site(t: Test) {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  await fill(sql, project, { distinctId: 'a', day: DAY, events: 20 })
  await fill(sql, project, { distinctId: 'b', day: DAY, events: 20 })
  const jobs = createQueryJobs({ sql, clock, log: silentLog })
  const { signal } = new AbortController()
  const askKept = async (cache: AnswerCache) => {
    const deps = { sql, clock, scans: anyScans(), cache }
    const asking = { id: project, timezone: 'UTC', testAccountFilters: [] }
    const answer = await answerQuestion(deps, asking, BY_ID, { path: 'query' }, signal)
    if (!answer.ok) throw new Error(answer.error.detail)
    return JSON.stringify(answer.value)
  }
  const ask = async () => {
    const work = () => askKept(createAnswerCache(sql, silentLog))
    await jobs.wait({ project, id: 'asked', total: 1, work }, signal)
  }
  const keptOf = async () => {
    const kept = await sql`select from kept_answers where project_id = ${project}`
    const named = await sql<{ id: string; state: string }[]>`
      select id, case when answer is not null then 'answer' when failure is not null then 'failure'
        else 'running' end as state
      from insight_queries where project_id = ${project} order by id`
    return { kept: kept.count, named: [...named] }
  }
  return { sql, project, jobs, ask, askKept, keptOf }
}

async function waitsFor(sql: Sql, statement: string): Promise<void> {
  await until(`it waits: ${statement}`, async () => {
    const waiting = await sql`
      select from pg_stat_activity
      where wait_event = 'advisory' and ltrim(query, E' \n') like ${`${statement}%`}`
    return waiting.count > 0
  })
}
