import type { Test } from 'tap'
import { answered, type Product, startStandalone } from '../../support/servers/product.ts'

/** A stored event as the management interface shows it, with its JSON texts parsed. */
export type Stored = {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly elements_chain: string
  readonly person: {
    /** The list shows the e-mail address alone. */
    readonly properties: Readonly<Record<string, unknown>>
  } | null
}

/** A running product with the flags of the suite, which clients of all kinds are pointed at. */
export type World = {
  readonly product: Product
  /** Events of that name, newest first, at most 1,000. */
  events(name: string, more?: Readonly<Record<string, string>>): Promise<readonly Stored[]>
  /** The same, asked until there are `count` of them; fails with what there is in the end. */
  waitForEvents(name: string, count: number): Promise<readonly Stored[]>
}

/** Flag keys; values are told beside `createFlags`. */
export const FLAG = {
  boolean: 'suite-boolean',
  off: 'suite-off',
  variant: 'suite-variant',
  plan: 'suite-by-plan',
  tier: 'suite-by-tier',
} as const
export const PAYLOAD = { colour: 'red', sizes: [1, 2] }
/** Payload of `suite-by-plan`. */
export const PLAN = 'pro'
/** Payload of `suite-by-tier`: a property of groups of this type. */
export const GROUP_TYPE = 'company'
export const TIER = 'gold'

/** A machine that is busy is no failure. */
const WAIT_MS_MAX = 120_000
const WAIT_STEP_MS = 50

export async function startWorld(
  t: Test,
  settings: Readonly<Record<string, string>> = {},
): Promise<World> {
  const product = await startStandalone(t, settings)
  const events: World['events'] = async (name, more = {}) => {
    const query = new URLSearchParams({ event: name, limit: '1000', ...more })
    const { status, body } = await answered(`${product.url}/api/projects/1/events/?${query}`, {
      key: product.personalKey,
    })
    t.equal(status, 200, 'stored events are read')
    return (body as { results: unknown[] }).results.map(toStored)
  }
  await createFlags(product)
  return {
    product,
    events,
    async waitForEvents(name, count) {
      const end = Date.now() + WAIT_MS_MAX
      for (;;) {
        const stored = await events(name)
        if (stored.length >= count || Date.now() > end) {
          t.equal(stored.length, count, `${count} stored as ${name}`)
          return stored
        }
        await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS))
      }
    },
  }
}

/** The group type has its index before a flag may name it. */
async function createFlags(product: Product): Promise<void> {
  await expectStatus(200, product, '/capture/', {
    api_key: product.projectKey,
    event: '$groupidentify',
    distinct_id: 'suite',
    properties: { $group_type: GROUP_TYPE, $group_key: 'first', $group_set: {} },
  })
  const everybody = [{ properties: [], rollout_percentage: 100 }]
  const variants = [{ key: 'test', name: 'the one', rollout_percentage: 100 }]
  const plan = { key: 'plan', value: PLAN, operator: 'exact', type: 'person' }
  const tier = { key: 'tier', value: TIER, operator: 'exact', type: 'group', group_type_index: 0 }
  const payload = JSON.stringify(PAYLOAD)
  const filters = {
    [FLAG.boolean]: { groups: everybody, payloads: { true: payload } },
    [FLAG.off]: { groups: [{ properties: [], rollout_percentage: 0 }] },
    [FLAG.variant]: {
      groups: everybody,
      multivariate: { variants },
      payloads: { test: payload },
    },
    [FLAG.plan]: { groups: [{ properties: [plan], rollout_percentage: 100 }] },
    [FLAG.tier]: {
      aggregation_group_type_index: 0,
      groups: [{ properties: [tier], rollout_percentage: 100 }],
    },
  }
  for (const [key, filter] of Object.entries(filters)) {
    await expectStatus(201, product, '/api/projects/1/feature_flags/', { key, filters: filter })
  }
}

async function expectStatus(
  status: number,
  product: Product,
  path: string,
  body: object,
): Promise<void> {
  const answer = await answered(`${product.url}${path}`, { key: product.personalKey, body })
  if (answer.status !== status) throw new Error(`${path}: ${JSON.stringify(answer)}`)
}

function toStored(row: unknown): Stored {
  const stored = row as Stored & { properties: string; person: string | null }
  const person = stored.person === null ? null : JSON.parse(stored.person)
  return { ...stored, properties: JSON.parse(stored.properties), person }
}
