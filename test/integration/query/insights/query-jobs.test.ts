import t from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { organizationId, projectId } from '../../../../src/core/ids.ts'
import { INSIGHT_JOBS_RUNNING_MAX } from '../../../../src/core/limits/limits-query.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { createSql, type Sql } from '../../../../src/postgres/connect.ts'
import {
  createQueryJobs,
  INSIGHT_JOB_ANSWER_BYTES_MAX,
} from '../../../../src/query/insights/jobs/query-jobs.ts'
import { INSIGHT_JOBS_KEPT_MAX } from '../../../../src/store/answers/query-job-store.ts'
import { testDatabase } from '../../../support/servers/database.ts'
import { until as untilWithin } from '../../../support/until.ts'
import { createGate } from '../../../support/workers/gate.ts'

const ORGANIZATION = organizationId('0191a2b3-0000-7000-8000-000000000001')
const PROJECT = projectId(1)
const until = (condition: () => Promise<boolean>) => untilWithin('the state is reached', condition)

t.test('questions under a name, at two workers', async (t) => {
  const { sql, connection } = await testDatabase(t)
  await putProject(sql)
  // As a worker opens the connections of its queries.
  const scans = createSql(connection, {
    ...{ applicationName: 'scans', connectionsMax: 4, log: silentLog },
    endsWithCallers: true,
  })
  t.teardown(() => scans.end({ timeout: 0 }))
  const worker = () => createQueryJobs({ sql, clock: systemClock, log: silentLog })
  const [here, there] = [worker(), worker()]
  const named = (id: string, work: (signal: AbortSignal) => Promise<string>) => ({
    ...{ project: PROJECT, id, total: 1, work },
  })
  const sleeping = async (signal: AbortSignal) => {
    await scans.withSignal(signal)`select pg_sleep(600)`
    return '{}'
  }
  const statements = async () =>
    (
      await sql`select from pg_stat_activity
      where state = 'active' and query like 'select pg_sleep%'`
    ).count
  const statusAt = async (jobs: typeof here, id: string) => {
    const text = await jobs.status(PROJECT, id)
    return text === undefined ? undefined : JSON.parse(text).query_status
  }

  t.test('any worker tells what became of it', async (t) => {
    let end = (_answer: string) => {}
    const work = () => new Promise<string>((resolve) => (end = resolve))
    const begun = await here.start(named('q', work), ORGANIZATION)
    t.strictSame(JSON.parse(begun).query_status, {
      ...{ id: 'q', complete: false, error: false },
      ...{ error_message: null, error_code: null, error_attr: null },
      query_progress: { done: 0, total: 1 },
    })
    t.match(await statusAt(there, 'q'), { complete: false, error: false })
    end('{"results":[7]}')
    await until(async () => (await statusAt(there, 'q')).complete)
    t.match(await statusAt(there, 'q'), { error: false, results: { results: [7] } })
    t.equal(await there.status(projectId(2), 'q'), undefined, 'another project')
  })

  t.test('cancelled at another worker, its statement ends', async (t) => {
    await here.start(named('slow', sleeping), ORGANIZATION)
    await until(async () => (await statements()) === 1)
    t.ok(await there.cancel(PROJECT, 'slow'))
    await until(async () => (await statements()) === 0)
    t.equal(await here.status(PROJECT, 'slow'), undefined)
    t.notOk(await here.cancel(PROJECT, 'slow'))
  })

  t.test('a waiting caller of a cancelled question is notified', async (t) => {
    const waiting = here.wait(named('slow', sleeping), new AbortController().signal)
    const refused = t.rejects(waiting, { code: 'invalid_argument', message: /cancelled/ })
    await until(async () => (await statements()) === 1)
    t.ok(await there.cancel(PROJECT, 'slow'))
    await refused
    await until(async () => (await statements()) === 0)
  })

  t.test('a caller that leaves ends the statement', async (t) => {
    const leaving = new AbortController()
    const waiting = here.wait(named('left', sleeping), leaving.signal)
    const refused = t.rejects(waiting)
    await until(async () => (await statements()) === 1)
    leaving.abort()
    await refused
    await until(async () => (await statements()) === 0)
    t.match(await statusAt(there, 'left'), { complete: true, error: true })
  })

  t.test('a question of a worker that was killed is reported lost', async (t) => {
    await sql`
      insert into insight_queries (project_id, id, run, is_async, seen_at, total)
      values (1, 'lost', gen_random_uuid(), true, now() - interval '1 minute', 1)`
    t.match(await statusAt(here, 'lost'), { complete: true, error: true, error_code: 'query_lost' })
  })

  t.test('an answer that is too large, and one of a name that was asked again', async (t) => {
    const large = async () => `"${'x'.repeat(INSIGHT_JOB_ANSWER_BYTES_MAX)}"`
    await here.wait(named('large', large), new AbortController().signal)
    t.match(await statusAt(there, 'large'), { error: true, error_code: 'answer_too_large' })
    const first = t.rejects(here.wait(named('twice', sleeping), new AbortController().signal))
    await until(async () => (await statements()) === 1)
    await there.wait(
      named('twice', async () => '2'),
      new AbortController().signal,
    )
    await first
    t.match(await statusAt(here, 'twice'), { complete: true, error: false, results: 2 })
  })

  t.test('questions of a project that run, and that are kept, are bounded', async (t) => {
    const ended = createGate()
    const work = (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        void ended.opened.then(() => resolve('1'))
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    for (let n = 0; n < INSIGHT_JOBS_RUNNING_MAX; n++) {
      await here.start(named(`many ${n}`, work), ORGANIZATION)
    }
    const more = there.start(named('one more', work), ORGANIZATION)
    await t.rejects(more, { code: 'resource_exhausted' })
    ended.open()
    const running = () =>
      sql`select from insight_queries where finished_at is null and id <> 'lost'`
    await until(async () => (await running()).count === 0)
    await here.wait(named('last', work), new AbortController().signal)
    const kept = await sql`select from insight_queries where finished_at is not null`
    t.equal(kept.count, INSIGHT_JOBS_KEPT_MAX)
  })
})

async function putProject(sql: Sql): Promise<void> {
  await sql`insert into organizations (id, name, slug) values (${ORGANIZATION}, 'O', 'o')`
  await sql`
    insert into projects (id, uuid, organization_id, api_token)
    values (1, gen_random_uuid(), ${ORGANIZATION}, 'phc_x')`
}
