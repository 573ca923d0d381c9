/** Sessions that no library makes: hostile ids, arrivals that are no addresses, a busy bot. */
import type { Test } from 'tap'
import type { Json } from '../../../src/core/json.ts'
import { putEvents, putPerson } from '../ingest/events.ts'
import { opener } from '../query/opened-numbers.ts'
import { asker } from '../query/questions.ts'
import { testDatabase } from '../servers/database.ts'
import type { EventsElsewhere } from './check.ts'

const NOW = { timezone: 'UTC', now: '2026-03-20T12:00:00Z' }
const dateRange = { date_from: '2026-03-10', date_to: '2026-03-10' }
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const BOT_EVENTS = 3_000
/** Ids of 10 kB: the first two are alike in the 200 characters that count, the third is not. */
const LONG = 'i'.repeat(10_000)
const LONG_IDS = [`${LONG}1`, `${LONG}2`, `j${LONG}`]

/** Arrivals: properties, referring domain, source and channel. */
const ARRIVALS: readonly (readonly [Record<string, Json>, Json, Json, string])[] = [
  [{ $referrer: 'no address' }, null, null, 'Unknown'],
  [{ $referrer: 'data:text/html,x' }, null, null, 'Unknown'],
  [{ $referrer: 'javascript:alert(1)' }, null, null, 'Unknown'],
  [{ $referrer: 'https://xn--mnchen-3ya.de/a' }, 'münchen.de', 'münchen.de', 'Referral'],
  [{ $referrer: 'https://münchen.de/' }, 'münchen.de', 'münchen.de', 'Referral'],
  [{ utm_source: ['google', 'x'], utm_medium: ['cpc', 'email'] }, null, 'google', 'Paid Search'],
  [{ utm_source: [], $referrer: '$direct' }, '$direct', '$direct', 'Direct'],
  [{ utm_source: [7, null, 'news'], utm_medium: 'email' }, null, 'news', 'Email'],
  [{ utm_source: { a: 'b' }, $referrer: '$direct' }, '$direct', '{"a": "b"}', 'Unknown'],
]

function view(distinctId: string, time: string, properties: Record<string, Json>) {
  const all = { $pathname: '/', ...properties }
  return { event: '$pageview', distinctId, timestamp: `2026-03-${time}:00Z`, properties: all }
}

/** @param events @default in Postgres */
export async function checkOddSessions(t: Test, events?: EventsElsewhere): Promise<void> {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  let project = 0
  const put = async (rows: Parameters<typeof putEvents>[2]) => {
    project += 1
    await putPerson(sql, project, { distinctIds: ['ann', 'ann at home'] })
    await putEvents(sql, project, rows)
    await events?.copy(sql, project)
    return asker(sql, { ...NOW, project, openEvents: events?.openEvents })
  }
  const list = async ({ rows }: Awaited<ReturnType<typeof put>>, range = dateRange) => {
    const found: readonly unknown[] = await rows({ kind: 'SessionsQuery', dateRange: range })
    return found as readonly { session_id: string; events: number; properties: Json }[]
  }

  await t.test('an id of 10 kB is told by its first 200 characters', async (t) => {
    const asked = await put(LONG_IDS.map(($session_id) => view('ann', '10T10:00', { $session_id })))
    const found = await list(asked)
    t.same(found.map(({ events: all }) => all).toSorted(), [1, 2])
    t.ok(found.every(({ session_id: { length } }) => length <= 400))
  })

  await t.test('an id of two persons is two sessions, that of two ids of one is one', async (t) => {
    const $session_id = 's'
    const ids = ['ann', 'ann at home', 'ben']
    const asked = await put(ids.map((id) => view(id, '10T10:00', { $session_id })))
    t.same((await list(asked)).map(({ events: all }) => all).toSorted(), [1, 2])
  })

  await t.test('an id that comes again after a week is another session', async (t) => {
    const $session_id = 's'
    const times = ['03T10:00', '10T10:00', '10T10:05', '17T10:00']
    const asked = await put(times.map((time) => view('ann', time, { $session_id })))
    t.match(await list(asked), [{ events: 2, properties: { $session_duration: 300 } }])
    const month = { date_from: '2026-03-01', date_to: '2026-03-19' }
    t.same(
      (await list(asked, month)).map(({ events: all }) => all),
      [1, 2, 1],
    )
  })

  await t.test('a bot of many events is one session that does not count', async (t) => {
    const bot = { $session_id: 'b', $raw_user_agent: BOT }
    const asked = await put([
      view('ann', '10T10:00', { $session_id: 's' }),
      ...Array.from({ length: BOT_EVENTS }, () => view('bot', '10T10:00', bot)),
    ])
    const overview = { kind: 'WebOverviewQuery', dateRange }
    const values = async (question: Json) => {
      return JSON.parse(JSON.stringify(await asked.rows(question))).map(
        ({ value }: { value: number }) => value,
      )
    }
    t.same((await values(overview)).slice(0, 3), [1, 1, 1])
    const all = await values({ ...overview, includeBots: true })
    t.same(all.slice(0, 3), [2, BOT_EVENTS + 1, 2])
    const answer = await asked.ask(overview)
    t.same(answer.ok && JSON.parse(JSON.stringify(answer.value['bots'])), [1, null])
  })

  await t.test('arrivals that are no addresses, and parameters that are lists', async (t) => {
    const arrived = ARRIVALS.map(([properties], place) => {
      return view(`v${place}`, `10T10:0${place}`, { $session_id: `s${place}`, ...properties })
    })
    const found = await list(await put(arrived))
    const told = found.toReversed().map(({ properties }) => {
      const origin = Object(properties)
      const { $entry_referring_domain: domain = null, $entry_source: source = null } = origin
      return [domain, source, origin.$channel_type]
    })
    t.same(
      told,
      ARRIVALS.map(([, ...origin]) => origin),
    )
  })

  await t.test('numbers of sessions open to their actors', async (t) => {
    const paid = { ...view('ann', '10T10:05', { $session_id: 's' }), event: 'paid' }
    const { actors } = opener(
      await put([
        view('ann', '10T10:00', { $session_id: 's' }),
        paid,
        view('ben', '10T10:00', { $session_id: 's' }),
      ]),
    )
    const long = { type: 'session', key: '$session_duration', operator: 'gte', value: 60 }
    const series = ['$pageview', 'paid'].map((event) => ({ kind: 'EventsNode', event }))
    const asked = { dateRange, properties: [long] }
    const retentionFilter = {
      totalIntervals: 1,
      targetEntity: { id: '$pageview' },
      returningEntity: { id: 'paid' },
    }
    const opened = [
      await actors({ kind: 'TrendsQuery', ...asked, series }, { series: 0, day: '2026-03-10' }),
      await actors({ kind: 'FunnelsQuery', ...asked, series }, { funnelStep: 2 }),
      await actors({ kind: 'RetentionQuery', ...asked, retentionFilter }, { interval: 0, day: 0 }),
    ]
    const ids = opened.map((all) => all.map(({ distinct_ids: own }) => own))
    t.same(ids, Array(opened.length).fill([['ann', 'ann at home']]))
  })
}
