/** The flags of the demo, and their values for its persons, exactly as the server decides. */
import type { JsonObject } from '../../core/json.ts'
import type { DemoPerson } from './demo-persons.ts'

export const CHECKOUT_FLAG = 'demo-new-checkout'
export const BANNER_FLAG = 'demo-banner'

const GREEN_COUNTRIES: readonly string[] = ['DE', 'NL', 'FR']

type DemoFlag = {
  readonly key: string
  readonly name: string
  readonly active: boolean
  readonly filters: JsonObject
}

/** No share of a condition is between none and all, so that nothing depends on the hash. */
export const DEMO_FLAGS: readonly DemoFlag[] = [
  {
    key: CHECKOUT_FLAG,
    name: 'One-page checkout for paying customers',
    active: true,
    filters: { groups: [{ properties: [person('plan', 'pro')], rollout_percentage: 100 }] },
  },
  {
    key: BANNER_FLAG,
    name: 'The colour of the banner by country',
    active: true,
    filters: {
      groups: [
        {
          properties: [person('country', GREEN_COUNTRIES)],
          rollout_percentage: 100,
          variant: 'green',
        },
        { properties: [], rollout_percentage: 100, variant: 'blue' },
      ],
      multivariate: {
        variants: [
          { key: 'blue', rollout_percentage: 50 },
          { key: 'green', rollout_percentage: 50 },
        ],
      },
    },
  },
  {
    key: 'demo-old-search',
    name: 'The search of last year',
    active: false,
    filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
  },
]

export function hasNewCheckout({ plan }: Pick<DemoPerson, 'plan'>): boolean {
  return plan === 'pro'
}

export function bannerOf({ country }: Pick<DemoPerson, 'country'>): 'blue' | 'green' {
  return GREEN_COUNTRIES.includes(country) ? 'green' : 'blue'
}

function person(key: string, value: string | readonly string[]): JsonObject {
  return { key, type: 'person', operator: 'exact', value }
}
