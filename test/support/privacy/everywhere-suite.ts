/** Checks of a deleted person in every store, with events in Postgres and in ClickHouse. */
import type { Test } from 'tap'
import { readLive } from '../live/live-reader.ts'
import { until } from '../until.ts'
import {
  completed,
  copied,
  foundIn,
  leftIn,
  type Site,
  search,
  spill,
  startSite,
  unlisted,
} from './deleted-everywhere.ts'
import { callsOf, makeMarkedPerson } from './marked-person.ts'

/** Places in which the mark must be first; otherwise a search that finds nothing proves nothing. */
const PLANTED = [
  'dead_letters',
  'distinct_ids',
  'flag_hash_key_overrides',
  'ingestion_warnings',
  'insight_queries',
  'kept_answers',
  'persons',
  'plugin_log_entries',
  'plugin_storage',
]
const DAY_MS = 86_400_000

/** Place of the events. */
function homeOf({ eventsUrl }: Site): string {
  return eventsUrl === undefined ? 'postgres events' : 'clickHouse events'
}

/** @param eventsUrl of a database in ClickHouse, if there is to be one. */
export function everywhere(t: Test, eventsUrl: (t: Test) => Promise<string | undefined>): void {
  t.test('deletions reach every store, and every store is known', async (t) => {
    const site = await startSite(t, await eventsUrl(t))
    await t.test('a person with its events', (t) => ofPerson(t, site))
    await t.test('by filter', (t) => byFilter(t, site))
    await t.test('by age', (t) => byAge(t, site))
  })
}

async function ofPerson(t: Test, site: Site) {
  const { call, statusOf } = callsOf(site)
  const person = await makeMarkedPerson(site)
  const { mark, distinctId, question } = person
  const reader = await readLive(t, { url: site.url, key: site.personalKey })
  const comeHome = await spill(site, person)
  await copied(site)
  const before = await search(site, mark)
  t.strictSame(unlisted(before), [], 'each store is in a list')
  const planted = PLANTED.map((name) => `postgres ${name}`)
  const expected = [...planted, 'jetStream sluice_spill', homeOf(site)]
  const found = foundIn(before)
  const lacking = expected.filter((place) => !found.includes(place))
  t.strictSame(lacking, [], 'there are copies of it')

  const path = `/api/projects/1/persons/${distinctId}/?by=distinct_id&delete_events=true`
  await completed(site, await call('DELETE', path))
  await comeHome()
  await copied(site)
  await until('it is counted as dropped', async () => {
    const dropped = await site.sql`select from dropped_events where reason = 'deleted_person'`
    return dropped.count > 0
  })
  const after = await search(site, mark)
  t.strictSame(leftIn(after), [], 'nothing is left of it')
  t.strictSame(unlisted(after), [], 'no store came with the deletion')
  t.equal(await statusOf(`/api/projects/1/query/${encodeURIComponent(question)}/`), 404)
  t.equal(await statusOf(`/api/projects/1/persons/${distinctId}/?by=distinct_id`), 404)
  const { cluster } = site
  for (const { name, lines } of [...cluster.workers, ...cluster.gateways]) {
    t.notOk(JSON.stringify(lines).includes(mark), `the log of ${name}`)
  }
  reader.leave()
}

/** Only events and what was counted from them go where no person is deleted. */
const OF_PERSONS = [
  'dead_letters',
  'distinct_ids',
  'flag_hash_key_overrides',
  'ingestion_warnings',
  'persons',
  'deletions',
].map((name) => `postgres ${name}`)

async function byFilter(t: Test, site: Site) {
  const { mark, distinctId } = await makeMarkedPerson(site)
  const properties = JSON.stringify([{ key: 'ref', operator: 'exact', value: mark }])
  const path = '/api/projects/1/deletions/'
  await completed(site, await callsOf(site).call('POST', path, { properties }))
  await copied(site)
  t.strictSame(leftIn(await search(site, mark), OF_PERSONS), [])

  t.ok(foundIn(await search(site, mark)).includes('postgres dead_letters'))
  const ofId = { distinct_id: distinctId }
  await completed(site, await callsOf(site).call('POST', path, ofId))
  const refused = foundIn(await search(site, mark)).includes('postgres dead_letters')
  t.notOk(refused, 'a filter that Postgres can answer of dead letters removes them as well')
}

async function byAge(t: Test, site: Site) {
  const { mark } = await makeMarkedPerson(site, new Date(Date.now() - 40 * DAY_MS).toISOString())
  await copied(site)
  t.ok(foundIn(await search(site, mark)).includes(homeOf(site)))
  await callsOf(site).call('PATCH', '/api/projects/1/', { events_retention_days: 10 })
  // A worker checks at its start.
  const [worker] = site.cluster.workers
  await worker?.term()
  await worker?.start()
  await until('they are gone', async () => {
    const ended = await site.sql`
      select from deletions where kind = 'retention' and state = 'completed'`
    return ended.count > 0
  })
  await copied(site)
  t.strictSame(leftIn(await search(site, mark), OF_PERSONS), [])
}
