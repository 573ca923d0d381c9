/** Libraries of Segment's kind: one driver drives them, and what they did is checked alike. */
import type { Test } from 'tap'
import type { Client } from '../catalogue.ts'
import { runDriver } from './child.ts'
import {
  checkAlias,
  checkBatch,
  checkCapture,
  checkIdentify,
  type Names,
  namesOf,
  type Task,
  taskOf,
} from './expected.ts'
import { entryOf, versionsOf } from './installed.ts'
import { type Checks, checkFeatures } from './outcome.ts'
import { TIER, type World } from './world.ts'

type SegmentNames = Names & {
  /** An event of `anonymous`, before it is known who that is. */
  readonly unnamed: string
  /** An event that is sent twice with one message id. */
  readonly repeated: string
}

type Seen = { readonly errors: readonly string[]; readonly hasMessageIds: boolean }

/** A route of the product's own, where events of Segment's form are understood too. */
const OWN_ROUTE = '/batch/'
/** When `captured` was, by its client's clock. */
const AT = '2024-02-29T12:34:56.789Z'
/** Groups of Segment's have no type. */
const GROUP_TYPE = 'group'

/** Runs each version against the routes of its kind, and against the product's own route. */
export async function checkSegmentClient(t: Test, world: World, client: Client): Promise<void> {
  for (const version of versionsOf(client)) {
    await t.test(version, async (t) => {
      const { names, seen } = await drive(t, world, client, version, null)
      await checkFeatures(t, client, version, checksOf(world, names, seen))
    })
    await t.test(`${version}, told to send to ${OWN_ROUTE}`, async (t) => {
      const { names, seen } = await drive(t, world, client, version, OWN_ROUTE)
      for (const check of Object.values(checksOf(world, names, seen))) await check(t)
    })
  }
}

/** @param path of the route that the client is told; null for its own default. */
async function drive(
  t: Test,
  world: World,
  client: Client,
  version: string,
  path: string | null,
): Promise<{ names: SegmentNames; seen: Seen }> {
  const own = namesOf(client.name, path === null ? version : `${version} ${path}`)
  const names: SegmentNames = {
    ...own,
    unnamed: `${own.captured} unnamed`,
    repeated: `${own.captured} repeated`,
  }
  const task = taskOf(world, entryOf(client, version), version, names)
  const seen = await runDriver<Task & { client: string; at: string; path: string | null }, Seen>(
    [process.execPath],
    'segment.mjs',
    { ...task, client: client.name, at: AT, path },
  )
  t.strictSame(seen.errors, [], 'the client reports no error')
  return { names, seen }
}

function checksOf(world: World, names: SegmentNames, { hasMessageIds }: Seen): Checks {
  const { user: distinct_id, email } = names
  return {
    capture: async (t) => {
      const event = await checkCapture(t, world, names)
      t.equal(Date.parse(event.timestamp), Date.parse(AT), 'at the time of its client')
      const [view] = await world.events('$pageview', { distinct_id })
      const page = { name: 'Home', category: 'Docs', $current_url: 'https://example.com/docs' }
      t.match(view?.properties, page)
      const [screen] = await world.events('$screen', { distinct_id })
      t.match(screen?.properties, { $screen_name: 'Start' })
      const repeated = await world.events(names.repeated)
      t.equal(repeated.length, hasMessageIds ? 1 : 2, 'a message with an id is stored once')
    },
    batch: (t) => checkBatch(t, world, names),
    identify: async (t) => {
      await checkIdentify(t, world, names)
      const [event] = await world.events(names.unnamed)
      t.match(event, { distinct_id: names.anonymous, person: { properties: { email } } })
    },
    alias: (t) => checkAlias(t, world, names),
    groups: async (t) => {
      const [event] = await world.events(names.grouped)
      t.match(event?.properties, { $groups: { [GROUP_TYPE]: names.group }, $group_1: names.group })
      const [change] = await world.events('$groupidentify', { distinct_id })
      t.match(change?.properties, { $group_key: names.group, $group_set: { tier: TIER } })
    },
  }
}
