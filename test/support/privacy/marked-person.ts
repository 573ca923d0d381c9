/** A person with a mark in every text, and all copies that the product makes. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Sql } from '../../../src/postgres/connect.ts'
import { answered, request } from '../servers/product.ts'
import { until } from '../until.ts'

/** A product as its users reach it, and its database. */
export type MarkedSite = {
  /** Database of ClickHouse that holds the events; undefined when Postgres does. */
  readonly eventsUrl?: string | undefined
  readonly url: string
  readonly projectKey: string
  readonly personalKey: string
  readonly sql: Sql
}

export type MarkedPerson = {
  /** In lower case. */
  readonly mark: string
  readonly distinctId: string
  /** Name of a question whose answer is kept under it. */
  readonly question: string
}

/** Lower case letters and digits, as searches compare. */
const newMark = () => `mark${randomBytes(8).toString('hex')}`

export function callsOf({ url, personalKey: key, projectKey }: MarkedSite) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await answered(`${url}${path}`, { key, method, ...(body && { body }) })
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    return answer.body
  }
  return {
    call,
    capture: async (batch: readonly object[]) => {
      const events = batch.map((event) => ({ uuid: randomUUID(), ...event }))
      const body = { api_key: projectKey, batch: events }
      const { status } = await answered(`${url}/batch/`, { body })
      if (status !== 200) throw new Error(`the batch was answered with ${status}`)
    },
    /** Status alone: what is not there any more is 404. */
    statusOf: async (path: string) => (await request(`${url}${path}`, { key })).status,
  }
}

const PROJECT = '/api/projects/1'
const PLUGIN = `
  export async function processEvent(event, { storage }) {
    if (event.properties.logged) {
      console.log('seen ' + event.distinct_id)
      await storage.set('last', event.distinct_id)
    }
    return event
  }`

/** Once for a site: what all persons of it pass through. */
export async function prepareSite(site: MarkedSite): Promise<void> {
  const { call } = callsOf(site)
  const { sql } = site
  const table = site.eventsUrl === undefined ? 'events' : 'event_ledger'
  // Refused by Postgres as a row, and for want of space while a table says so.
  await sql.unsafe(`
    create table test_full (reason text);
    create function refuse() returns trigger language plpgsql as $$ begin
      if exists (select from test_full) then
        raise exception 'no space left on device' using errcode = '53100';
      end if;
      if new.uuid::text like 'dead%' then
        raise exception 'poison' using errcode = '22P05';
      end if;
      return new;
    end $$;
    create trigger refuse before insert on ${table} for each row execute function refuse()`)
  const filters = {
    groups: [{ rollout_percentage: 50, properties: [] }],
    multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
  }
  const flag = { key: 'kept', active: true, filters, ensure_experience_continuity: true }
  await call('POST', `${PROJECT}/feature_flags/`, flag)
  const files = { 'index.ts': PLUGIN, 'plugin.json': '{}' }
  const plugin = { plugin_type: 'source', name: 'keeper', files }
  const made = await call('POST', '/api/organizations/@current/plugins/', plugin)
  const config = { plugin: Number(memberOf(made, 'id')), order: 1, enabled: true }
  await call('POST', `${PROJECT}/plugin_configs/`, config)
}

export function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined
}

/** Makes the person, and all copies of it that the product makes. */
export async function makeMarkedPerson(
  site: MarkedSite,
  timestamp = new Date().toISOString(),
): Promise<MarkedPerson> {
  const { call, capture, statusOf } = callsOf(site)
  const mark = newMark()
  const distinctId = `${mark}-id`
  const anonymous = `${mark}-anonymous`
  const email = `${mark}@example.com`
  const properties = {
    ref: mark,
    $session_id: `${mark}-session`,
    $current_url: `https://e/${mark}`,
  }
  const of = (distinct_id: string, more: object = {}) => ({
    event: 'seen',
    distinct_id,
    timestamp,
    properties: { ...properties, ...more },
  })
  await capture([of(anonymous), of(anonymous), { event: 'seen', distinct_id: 'somebody else' }])
  await decide(site, anonymous)
  const identified = { $anon_distinct_id: anonymous, $set: { email, name: `The ${mark}` } }
  await capture([{ ...of(distinctId, identified), event: '$identify' }])
  await decide(site, distinctId, anonymous)
  await capture([
    of(distinctId, { logged: true }),
    { ...of(distinctId, { $anon_distinct_id: 'null' }), event: '$identify' },
    { ...of(distinctId, { poison: true }), uuid: `dead${randomUUID().slice(4)}` },
    { ...of(`${mark}-other`, { $set: { email } }), event: 'seen' },
  ])
  const person = `${PROJECT}/persons/${encodeURIComponent(distinctId)}`
  const by = 'distinct_id'
  // The batch may have been acknowledged from the spill.
  await until('the person is there', async () => (await statusOf(`${person}/?by=${by}`)) === 200)
  await call('POST', `${PROJECT}/cohorts/`, {
    name: 'named',
    is_static: true,
    distinct_ids: [distinctId],
  })
  await call('PATCH', `${person}/`, { by, properties: { set: mark } })
  const others = [`${mark}-other`, `${mark}-attached`]
  await call('POST', `${person}/merge/`, { by, distinct_ids: others })
  const question = await ask(site, mark)
  await call('GET', `${PROJECT}/events/values/?key=ref`)
  await call('GET', `${PROJECT}/events/?format=csv`)
  await call('GET', `${person}/export/?by=distinct_id`)
  await call('GET', `${PROJECT}/persons/?search=${mark}`)
  return { mark, distinctId, question }
}

async function decide({ url, projectKey }: MarkedSite, distinctId: string, anonymous?: string) {
  const body = {
    api_key: projectKey,
    distinct_id: distinctId,
    ...(anonymous !== undefined && { $anon_distinct_id: anonymous }),
    person_properties: { email: `${distinctId}@example.com` },
  }
  for (let turn = 0; turn < 2; turn++) {
    const { status } = await answered(`${url}/flags/?v=2`, { body })
    if (status !== 200) throw new Error(`flags were answered with ${status}`)
  }
}

/** Each kind of question whose answer names persons, as it is kept; by name, in both ways. */
async function ask(site: MarkedSite, mark: string): Promise<string> {
  const { call } = callsOf(site)
  const series = [{ kind: 'EventsNode', event: 'seen', math: 'dau' }]
  const dateRange = { date_from: 'all' }
  const by = (type: string, breakdown: string) => ({
    kind: 'TrendsQuery',
    series,
    dateRange,
    breakdownFilter: { breakdown_type: type, breakdown },
  })
  const trends = { kind: 'TrendsQuery', series, dateRange }
  const steps = ['seen', '$identify'].map((event) => ({ kind: 'EventsNode', event }))
  const funnel = {
    kind: 'FunnelsQuery',
    series: steps,
    dateRange,
    breakdownFilter: { breakdown_type: 'event', breakdown: 'ref' },
  }
  const today = new Date().toISOString().slice(0, 10)
  const actors = {
    kind: 'ActorsQuery',
    source: { kind: 'InsightActorsQuery', source: trends, day: today, series: 0 },
  }
  // ClickHouse has no table of persons.
  const person = site.eventsUrl === undefined ? ['person'] : []
  const select = ['*', 'properties.ref', ...person]
  const table = { kind: 'EventsQuery', select, after: '-90d' }
  const query = `${PROJECT}/query/`
  const unnamed = [by('event', 'ref'), by('person', 'email'), trends, funnel]
  for (const each of unnamed) await call('POST', query, { query: each })
  await call('POST', query, { query: [...unnamed, actors] })
  const named = `question ${randomUUID()}`
  for (const each of [actors, table]) {
    await call('POST', query, { query: each, client_query_id: named })
  }
  const later = `later ${randomUUID()}`
  await call('POST', query, {
    query: by('event', 'ref'),
    client_query_id: later,
    refresh: 'async',
  })
  await until('it is answered', async () => {
    const status = await call('GET', `${query}${encodeURIComponent(later)}/`)
    return memberOf(memberOf(status, 'query_status'), 'complete') === true
  })
  // Its text has the mark, and belongs to the person alone.
  await call('GET', `${PROJECT}/events/?distinct_id=${mark}-id`)
  return named
}
