/** Tasks for clients of all kinds, and checks of the stored result. */
import type { Test } from 'tap'
import { GROUP_TYPE, PAYLOAD, PLAN, type Stored, TIER, type World } from './world.ts'

/** Names of one version's doings: no two versions share an event name or an id. */
export type Names = {
  readonly captured: string
  readonly batched: string
  readonly aliased: string
  readonly grouped: string
  readonly anonymous: string
  readonly user: string
  readonly alias: string
  readonly group: string
  /** A property of the user's person, and of no other's. */
  readonly email: string
}

/** Hard enough to be told from a lossy encoding. */
export const PROPERTIES = {
  total: 12.5,
  items: ['a', 'b'],
  note: 'naïve ☃ 𝄞 "quoted" <b>',
  nested: { deep: { yes: true, no: false } },
  empty: '',
}
export const BATCH_SIZE = 45

export function namesOf(client: string, version: string): Names {
  const start = `${client} ${version}`
  return {
    captured: `${start} captured`,
    batched: `${start} batched`,
    aliased: `${start} aliased`,
    grouped: `${start} grouped`,
    anonymous: `${start}/anonymous`,
    user: `${start}/user`,
    alias: `${start}/alias`,
    group: `${start}/group`,
    email: `${start.replace(/[^a-z0-9.]/g, '-')}@example.com`,
  }
}

/** One event `captured` of `user` with `PROPERTIES`. */
export async function checkCapture(t: Test, world: World, names: Names): Promise<Stored> {
  const [event] = await world.waitForEvents(names.captured, 1)
  if (event === undefined) throw new Error('the event is not stored')
  t.match(event.properties, PROPERTIES, 'properties as sent')
  return event
}

/** `BATCH_SIZE` events `batched` with `index` from 0, each stored once. */
export async function checkBatch(t: Test, world: World, names: Names): Promise<void> {
  const stored = await world.waitForEvents(names.batched, BATCH_SIZE)
  const indexes = stored.map(({ properties }) => Number(properties['index'])).sort((a, b) => a - b)
  t.strictSame(indexes, [...Array(BATCH_SIZE).keys()], 'each once')
}

/** The person of `user` has the properties that identify was given: `plan` and `email`. */
export async function checkIdentify(t: Test, world: World, names: Names): Promise<void> {
  const property = { key: 'plan', value: PLAN, operator: 'exact', type: 'person' }
  const properties = JSON.stringify([property])
  const [event, ...others] = await world.events(names.captured, { properties })
  t.equal(others.length, 0)
  t.match(event, { distinct_id: names.user, person: { properties: { email: names.email } } })
}

/** The same, and the event `anonymous` of before belongs to that person. */
export async function checkVisitorIdentified(t: Test, world: World, names: Names): Promise<void> {
  await checkIdentify(t, world, names)
  const [event] = await world.events(names.anonymous)
  t.match(event?.person?.properties, { email: names.email }, 'the anonymous visitor is known')
  t.not(event?.distinct_id, names.user)
}

/** An event `aliased` by `alias` belongs to the person of `user`. */
export async function checkAlias(t: Test, world: World, names: Names): Promise<void> {
  const [event] = await world.waitForEvents(names.aliased, 1)
  t.match(event, { distinct_id: names.alias, person: { properties: { email: names.email } } })
}

/** An event `grouped` in the group, whose type has an index. */
export async function checkGroups(t: Test, world: World, names: Names): Promise<void> {
  const [event] = await world.waitForEvents(names.grouped, 1)
  t.match(event?.properties, { $groups: { [GROUP_TYPE]: names.group }, $group_0: names.group })
}

/** Values of the suite's flags that a client reports for `user`, in `group`. */
export type SeenFlags = Readonly<
  Partial<Record<'boolean' | 'off' | 'variant' | 'plan' | 'tier', unknown>>
>

/** `without`: what the version cannot ask. Off may be undefined: old answers leave it out. */
export function checkFlags(
  t: Test,
  seen: SeenFlags,
  without: readonly (keyof SeenFlags)[] = [],
): void {
  const expected = { boolean: true, variant: 'test', plan: true, tier: true } as const
  for (const [flag, value] of Object.entries(expected)) {
    if (without.some((each) => each === flag)) continue
    t.equal(seen[flag as keyof SeenFlags], value, `the flag ${flag}`)
  }
  t.notOk(seen.off, 'a flag rolled out to nobody is off')
}

export function checkPayload(t: Test, payload: unknown): void {
  t.strictSame(payload, PAYLOAD, 'the payload, parsed')
}

/** Arguments of drivers; the same for every language. */
export type Task = {
  readonly url: string
  readonly projectKey: string
  readonly personalKey: string
  /** Path of the library, or its version where it is found by name. */
  readonly library: string
  readonly version: string
  readonly names: Names
  readonly properties: typeof PROPERTIES
  readonly batchSize: number
  readonly plan: string
  readonly groupType: string
  readonly tier: string
}

export function taskOf(world: World, library: string, version: string, names: Names): Task {
  const { url, projectKey, personalKey } = world.product
  return {
    url,
    projectKey,
    personalKey,
    library,
    version,
    names,
    properties: PROPERTIES,
    batchSize: BATCH_SIZE,
    plan: PLAN,
    groupType: GROUP_TYPE,
    tier: TIER,
  }
}
