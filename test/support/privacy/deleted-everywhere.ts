/** Deletes a person of a whole cluster, and looks for it everywhere. */
import type { Test } from 'tap'
import { type Cluster, startCluster } from '../servers/cluster-processes.ts'
import type { Settings } from '../servers/product.ts'
import { until } from '../until.ts'
import {
  callsOf,
  type MarkedPerson,
  type MarkedSite,
  memberOf,
  prepareSite,
} from './marked-person.ts'
import {
  type Fate,
  type Places,
  STORES,
  type Stores,
  searchClickHouse,
  searchFiles,
  searchJetStream,
  searchPostgres,
  searchRedis,
} from './stores.ts'

type Kind = keyof Stores

export type Site = MarkedSite & {
  readonly cluster: Cluster
}

/** Objects of the test itself. */
const OF_TEST = ['test_full']

export async function startSite(t: Test, eventsUrl?: string): Promise<Site> {
  const settings: Settings = {
    RETENTION_WAIT_HOURS: '0',
    ...(eventsUrl === undefined ? {} : { EVENTS_URL: eventsUrl }),
  }
  const cluster = await startCluster(t, { workers: 2, gateways: 1, settings })
  const { projectKey, personalKey } = cluster
  const [gateway] = cluster.gateways
  if (gateway === undefined) throw new Error('there is a gateway')
  const { sql } = cluster.database
  const site = { cluster, eventsUrl, projectKey, personalKey, sql, url: gateway.url }
  await prepareSite(site)
  return site
}

/** Places that have the mark, and all places that were searched. */
export async function search(site: Site, mark: string): Promise<Record<Kind, Places>> {
  const { cluster, eventsUrl, sql } = site
  const files = [...cluster.workers, ...cluster.gateways].map(({ dataDir }) =>
    searchFiles(dataDir, mark),
  )
  const none = { all: Object.keys(STORES.clickHouse), found: [] }
  return {
    postgres: await searchPostgres(sql, mark),
    jetStream: await searchJetStream(cluster.nats.url, mark),
    redis: await searchRedis(cluster.redis.url, mark, Object.keys(STORES.redis)),
    clickHouse: eventsUrl === undefined ? none : await searchClickHouse(eventsUrl, mark),
    files: {
      all: [...new Set(files.flatMap(({ all }) => all))],
      found: files.flatMap(({ found }) => found),
    },
  }
}

/** Stores that no list names, and listed stores that do not exist. */
export function unlisted(places: Record<Kind, Places>): readonly string[] {
  return kinds().flatMap((kind) => {
    const { all } = places[kind]
    const listed = Object.keys(STORES[kind])
    const isMissing = (name: string) => kind !== 'redis' && !all.includes(name)
    return [
      ...all
        .filter((name) => !listed.includes(name) && !OF_TEST.includes(name))
        .map((name) => `${kind} ${name} is in no list`),
      ...listed.filter(isMissing).map((name) => `${kind} ${name} is not there`),
    ]
  })
}

/** Places of the mark, such as `postgres persons`. */
export function foundIn(places: Record<Kind, Places>): readonly string[] {
  return kinds()
    .flatMap((kind) => places[kind].found.map((name) => `${kind} ${name}`))
    .sort()
}

/** Places that have the mark and may not, by `STORES`. @param more places allowed besides. */
export function leftIn(
  places: Record<Kind, Places>,
  more: readonly string[] = [],
): readonly string[] {
  const isAllowed = (fate: Fate | undefined) => typeof fate === 'object'
  return kinds()
    .flatMap((kind) =>
      places[kind].found
        .filter((name) => !isAllowed(STORES[kind][name]))
        .map((name) => `${kind} ${name}`),
    )
    .filter((place) => !more.includes(place))
    .sort()
}

const kinds = () => ['postgres', 'jetStream', 'redis', 'clickHouse', 'files'] as const

/** Waits until it is completed. */
export async function completed(site: Site, deletion: unknown): Promise<void> {
  const { call } = callsOf(site)
  const path = `/api/projects/1/deletions/${String(memberOf(deletion, 'id'))}/`
  await until('it is completed', async () => {
    return memberOf(await call('GET', path), 'state') === 'completed'
  })
}

/** Waits until everything was sent to ClickHouse, removals too. */
export async function copied(site: Site): Promise<void> {
  if (site.eventsUrl === undefined) return
  await until('ClickHouse has been told', async () => {
    const copy = await callsOf(site).call('GET', '/api/cluster/copy/')
    const changes = await site.sql`select from distinct_id_changes`
    return memberOf(copy, 'waiting_flushes') === 0 && changes.count === 0
  })
}

/** Puts events of the person into the spill. @returns a function that lets them be stored. */
export async function spill(
  site: Site,
  { mark, distinctId }: MarkedPerson,
): Promise<() => Promise<void>> {
  const { sql, cluster } = site
  await sql`insert into test_full values ('full')`
  await callsOf(site).capture([
    { event: 'seen', distinct_id: distinctId, properties: { ref: mark, spilled: true } },
  ])
  const isSpilled = async () => {
    const { found } = await searchJetStream(cluster.nats.url, mark)
    return found.length > 0
  }
  await until('it is in the spill', isSpilled)
  return async () => {
    await sql`delete from test_full`
    await until('it has come home', async () => !(await isSpilled()))
  }
}
