import t, { type Test } from 'tap'
import { overviewQueries } from '../../../../gateway/console/pages/overview/overview-questions.ts'
import { type Clock, systemClock } from '../../../../src/core/clock.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { createAnswerCache } from '../../../../src/query/insights/cache/answer-cache.ts'
import { createPage } from '../../../../src/query/insights/page.ts'
import {
  createPrecompute,
  PRECOMPUTE_AGAIN_MS,
} from '../../../../src/query/insights/precompute/precompute.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import { asker, toldBy } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const NOW = '2026-11-25T12:00:00Z'
const ZONE = 'Asia/Kolkata'
/** Midnight of the zone. */
const TODAY = '2026-11-24T18:30:00Z'
const DAYS = 62
const HOUR_MS = 3_600_000

/** Three events every seven hours, by two persons and an unknown one. */
async function projectOf(t: Test) {
  const { sql } = await testDatabase(t, { connectionsMax: 6 })
  const project = await createProject(sql)
  await sql`update projects set timezone = ${ZONE} where id = ${project}`
  await putPerson(sql, project, { distinctIds: ['ina', 'ina on her phone'] })
  await putPerson(sql, project, { distinctIds: ['jon'] })
  const ids = ['ina', 'ina on her phone', 'jon', 'unknown']
  const times = Array.from({ length: (DAYS * 24) / 7 }, (_, place) => place * 7 * HOUR_MS)
  const events = times.flatMap((ago, place) =>
    ['$pageview', 'paid', '$feature_flag_called'].map((event, kind) => ({
      event,
      distinctId: ids[(place + kind) % ids.length] ?? '',
      timestamp: new Date(Date.parse(NOW) - 1_000 - ago).toISOString(),
      properties: {
        $session_id: `s${Math.floor(place / 3)}`,
        $pathname: `/${place % 5}`,
        $browser: kind === 0 ? 'Firefox' : 'Chrome',
        $feature_flag: `flag-${place % 3}`,
      },
    })),
  )
  await putEvents(sql, project, events)
  return { sql, project }
}

function keeperOf(
  { sql }: Awaited<ReturnType<typeof projectOf>>,
  { isOwn = true, eventsMin = 100 } = {},
) {
  const time = { monotonic: 0, slept: 0 }
  const clock: Clock = {
    ...systemClock,
    now: () => Date.parse(NOW),
    monotonic: () => time.monotonic,
    sleep: async () => {
      time.slept += 1
    },
  }
  const deps = { sql, scans: sql, columnar: undefined, clock, log: silentLog, isOwn: () => isOwn }
  const run = createPrecompute(deps, { eventsMin })
  const kept = async () => {
    const [row] = await sql<{ kept: number }[]>`select count(*)::int as kept from kept_answers`
    return row?.kept ?? 0
  }
  return { time, kept, run: () => run(new AbortController().signal) }
}

t.test("ended days of the console's overview are precomputed", async (t) => {
  const parts = await projectOf(t)
  const { sql, project } = parts
  const pages = ['-7d', '-30d'].map((date) =>
    // How many are active now is no matter of days.
    overviewQueries({ date, filters: [], compare: '' }, Date.parse(NOW)).filter(
      (_, place) => place !== 1,
    ),
  )
  const asked = { project, timezone: ZONE, now: NOW }
  const counted = []
  for (const page of pages) counted.push((await asker(sql, asked).askPage(page)).map(toldBy))
  const keeper = keeperOf(parts)
  await keeper.run()
  t.equal(await keeper.kept(), 0, 'they may still be moving')
  await keeper.run()
  t.ok(keeper.time.slept >= DAYS - 1, 'with a rest after each day')
  // Gone, and nobody is told: what is still answered was kept.
  // Read are today, and as much of the days that it is compared with.
  await sql`
    delete from events where timestamp < ${TODAY}::text::timestamptz
      and (${TODAY}::text::timestamptz at time zone ${ZONE})::date
        - (timestamp at time zone ${ZONE})::date not in (8, 31)`
  const clock = { ...systemClock, now: () => Date.parse(NOW) }
  const deps = { sql, clock, scans: anyScans(), cache: createAnswerCache(sql, silentLog) }
  for (const [place, queries] of pages.entries()) {
    const page = createPage(deps, { id: project, timezone: ZONE, testAccountFilters: [] }, queries)
    const { signal } = new AbortController()
    const answers = queries.map((query) => page.answer(query, { path: 'query' }, signal))
    t.same((await Promise.all(answers)).map(toldBy), counted[place])
  }
})

t.test('days are precomputed once they are quiet, or have long been changing', async (t) => {
  const parts = await projectOf(t)
  const { sql, project } = parts
  const keeper = keeperOf(parts)
  const late = () => putEvents(sql, project, [{ timestamp: '2026-11-20T10:00:00Z' }])
  await keeper.run()
  await late()
  await keeper.run()
  t.equal(await keeper.kept(), 0)
  await late()
  keeper.time.monotonic += PRECOMPUTE_AGAIN_MS
  await keeper.run()
  const first = await keeper.kept()
  t.ok(first > 0)
  await sql`delete from kept_answers`
  await keeper.run()
  t.equal(await keeper.kept(), 0, 'and not again while nothing comes')
})

t.test('few events are left to who asks, and projects of others to their workers', async (t) => {
  const parts = await projectOf(t)
  for (const options of [{ isOwn: false }, { eventsMin: 1_000_000 }]) {
    const keeper = keeperOf(parts, options)
    await keeper.run()
    await keeper.run()
    t.equal(await keeper.kept(), 0)
  }
})

t.test('a project that cannot be counted does not keep others from it', async (t) => {
  const parts = await projectOf(t)
  const { sql, project } = parts
  const other = await createProject(sql)
  const day = { timestamp: '2026-11-20T10:00:00Z' }
  await putEvents(
    sql,
    other,
    Array.from({ length: 200 }, () => day),
  )
  await sql`update projects set timezone = 'Not/A_Zone' where id = ${project}`
  const keeper = keeperOf(parts)
  await keeper.run()
  await keeper.run()
  const projects = await sql<{ id: number }[]>`select distinct project_id as id from kept_answers`
  t.same(
    projects.map(({ id }) => id),
    [other],
  )
})

t.test('days whose sessions take too long do not keep the overview from its days', async (t) => {
  const parts = await projectOf(t)
  const { sql } = parts
  await sql.unsafe(`
    create function cut() returns trigger language plpgsql as $$
      begin raise exception 'cut' using errcode = 'query_canceled'; end $$;
    create trigger cut before insert on session_blocks execute function cut()`)
  const keeper = keeperOf(parts)
  await keeper.run()
  await keeper.run()
  t.ok((await keeper.kept()) > 0)
})
