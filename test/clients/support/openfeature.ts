/** The suite's flags as OpenFeature's providers see them, checked alike for all of them. */
import type { Test } from 'tap'
import { answered, request } from '../../support/servers/product.ts'
import { checkFlags, checkPayload, type Names } from './expected.ts'
import { GROUP_TYPE, PLAN, TIER, type World } from './world.ts'

/** An evaluation in OpenFeature's words. */
export type Details = {
  readonly value: unknown
  readonly variant?: string
  readonly reason?: string
  readonly errorCode?: string
  readonly flagMetadata: Readonly<Record<string, unknown>>
}

/** Evaluations that the drivers ask for, by the name they give them. */
export type SeenDetails = Readonly<
  Record<
    | 'boolean'
    | 'off'
    | 'variant'
    | 'plan'
    | 'tier'
    | 'otherPlan'
    | 'noGroup'
    | 'object'
    | 'unknown'
    | 'refused',
    Details
  >
>

/** The group of `names` has the property that a flag asks for; its key alone is in contexts. */
export async function storeGroup({ product }: World, names: Names): Promise<void> {
  const properties = {
    $group_type: GROUP_TYPE,
    $group_key: names.group,
    $group_set: { tier: TIER },
  }
  const event = { event: '$groupidentify', distinct_id: names.user, properties }
  const body = { api_key: product.projectKey, ...event }
  const { status } = await answered(`${product.url}/capture/`, { body })
  if (status !== 200) throw new Error(`the group is not stored: ${status}`)
}

export function checkDetails(t: Test, seen: SeenDetails): void {
  const { boolean, off, variant, plan, tier } = seen
  checkFlags(t, {
    boolean: boolean.value,
    off: off.value,
    variant: variant.value,
    plan: plan.value,
    tier: tier.value,
  })
  const everybody = { reason: 'STATIC', flagMetadata: { version: 1, conditionIndex: 0 } }
  t.match(boolean, { ...everybody, variant: 'on' })
  t.match(variant, { ...everybody, variant: 'test' })
  t.match(plan, { reason: 'TARGETING_MATCH', variant: 'on' })
  const left = { value: false, reason: 'DEFAULT', variant: 'off' }
  t.match(off, left)
  t.match(seen.otherPlan, left, `a plan other than ${PLAN}`)
  t.match(seen.unknown, { value: 'default', reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' })
  t.match(
    seen.object,
    { value: { is: 'default' }, errorCode: 'TYPE_MISMATCH' },
    'values are no objects: payloads are',
  )
}

export function checkGroupDetails(t: Test, { tier, noGroup }: SeenDetails): void {
  t.match(tier, { value: true, reason: 'TARGETING_MATCH', variant: 'on' })
  t.match(noGroup, { value: false, reason: 'DEFAULT', variant: 'off' })
}

/** JSON text in the metadata, which holds no objects. */
export function checkMetadataPayload(t: Test, { variant, boolean, off }: SeenDetails): void {
  for (const { flagMetadata } of [variant, boolean]) {
    checkPayload(t, JSON.parse(String(flagMetadata['payload'])))
  }
  t.notOk('payload' in off.flagMetadata)
}

/** A flag for everybody on the suite's plan, which the snippets ask for. */
export async function createSnippetFlag({ product }: World): Promise<void> {
  const plan = { key: 'plan', value: PLAN, operator: 'exact', type: 'person' }
  const filters = { groups: [{ properties: [plan], rollout_percentage: 100 }] }
  const { url, personalKey } = product
  const body = { key: 'new-checkout', filters }
  const made = await request(`${url}/api/projects/1/feature_flags/`, { key: personalKey, body })
  if (made.status !== 201) throw new Error(JSON.stringify(made))
}
