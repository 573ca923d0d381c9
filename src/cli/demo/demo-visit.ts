/** Visit of a demo person to the demo shop, step by step. */
import type { JsonObject } from '../../core/json.ts'
import { BANNER_FLAG, bannerOf, CHECKOUT_FLAG, hasNewCheckout } from './demo-flags.ts'
import type { DemoPerson } from './demo-persons.ts'
import type { Random, Some } from './random.ts'

export type Step = {
  readonly event: string
  readonly properties: JsonObject
  /** Seconds since the step before. */
  readonly afterS: number
}

const HOST = 'shop.example.com'

type Product = { readonly slug: string; readonly price: number }
const PRODUCTS: Some<Product> = [
  { slug: 'enamel-mug', price: 14 },
  { slug: 'desk-lamp', price: 59 },
  { slug: 'wool-blanket', price: 89 },
  { slug: 'notebook', price: 12.5 },
  { slug: 'teapot', price: 42 },
  { slug: 'oak-stool', price: 129 },
  { slug: 'linen-apron', price: 35 },
  { slug: 'wall-clock', price: 48 },
]
const LANDINGS: Some<string> = ['/', '/', '/', '/products', '/blog/a-slow-kitchen', '/gifts']
const ASIDES: Some<string> = ['/products', '/about', '/shipping', '/gifts', '/blog/a-slow-kitchen']

/** How a visit begins: members of its first view. */
type Arrival = { readonly share: number; readonly domain: string; readonly more?: JsonObject }
const ARRIVALS: Some<Arrival> = [
  { share: 30, domain: '$direct' },
  { share: 24, domain: 'www.google.com' },
  { share: 3, domain: 'www.bing.com' },
  { share: 3, domain: 'duckduckgo.com' },
  { share: 5, domain: 'chatgpt.com' },
  { share: 4, domain: 'www.linkedin.com' },
  { share: 3, domain: 'news.ycombinator.com' },
  { share: 5, domain: 'partner.example.net' },
  {
    share: 9,
    domain: 'www.google.com',
    more: { gclid: 'demo', ...campaign('google', 'cpc', 'brand') },
  },
  { share: 6, domain: 'l.instagram.com', more: campaign('instagram', 'paid_social', 'gifts') },
  { share: 8, domain: '$direct', more: campaign('newsletter', 'email', 'autumn') },
]

function campaign(source: string, medium: string, name: string): JsonObject {
  return { utm_source: source, utm_medium: medium, utm_campaign: name }
}

function arrivalOf(random: Random): JsonObject {
  const { domain, more = {} } = random.weighted(ARRIVALS)
  const referrer = domain === '$direct' ? domain : `https://${domain}/`
  return { $referring_domain: domain, $referrer: referrer, ...more }
}

/** Share of visits that end with their first view. */
const BOUNCES = 0.35

/** @param isFirst of this person. */
export function demoVisit(random: Random, person: DemoPerson, isFirst: boolean): readonly Step[] {
  const steps: Step[] = []
  const pause = () => 3 + random.below(70)
  const add = (event: string, properties: JsonObject = {}) => {
    steps.push({ event, properties, afterS: steps.length === 0 ? 0 : pause() })
  }
  const view = (path: string, more: JsonObject = {}) => {
    add('$pageview', {
      $pathname: path,
      $current_url: `https://${HOST}${path}`,
      $host: HOST,
      ...more,
    })
  }
  const landing = random.pick(LANDINGS)
  const arrival = arrivalOf(random)
  if (isFirst) add('$identify', { $anon_distinct_id: person.anonymousId, $host: HOST, ...arrival })
  view(landing, arrival)
  if (!isFirst && random.chance(BOUNCES)) return steps
  if (random.chance(0.4)) add('$feature_flag_called', called(BANNER_FLAG, bannerOf(person)))
  if (random.chance(0.5)) view(random.pick(ASIDES))
  if (isFirst && random.chance(0.55)) {
    view('/signup')
    add('signed up', { plan: person.plan })
  }
  let seen: Product | undefined
  for (let looks = random.below(4); looks > 0; looks--) {
    seen = random.pick(PRODUCTS)
    view(`/products/${seen.slug}`)
    add('product viewed', { product: seen.slug, price: seen.price })
  }
  if (seen !== undefined && random.chance(0.4)) buy(random, person, seen, { add, view })
  return steps
}

/** Share of visits that a slow page ends at its first view. */
const LEAVES = 0.5

/** The part of a visit that happens while the checkout does not open. */
export function brokenVisit(random: Random, steps: readonly Step[]): readonly Step[] {
  const isLeft = random.chance(LEAVES)
  const last = steps.findIndex(({ event, properties: { $pathname } }) => {
    return event === '$pageview' && (isLeft || $pathname === '/checkout')
  })
  return last === -1 ? steps : steps.slice(0, last + 1)
}

type Doing = {
  readonly add: (event: string, properties?: JsonObject) => void
  readonly view: (path: string) => void
}

/** The steps from the cart to an order; some persons drop out at each. */
function buy(random: Random, person: DemoPerson, { slug, price }: Product, does: Doing): void {
  const items = 1 + random.below(3)
  does.add('product added', { product: slug, price, items })
  if (!random.chance(0.62)) return
  does.view('/checkout')
  const isNew = hasNewCheckout(person)
  does.add('$feature_flag_called', called(CHECKOUT_FLAG, isNew))
  does.add('checkout started', { items })
  if (!random.chance(isNew ? 0.8 : 0.6)) return
  does.add('order placed', { product: slug, items, total: price * items, currency: 'EUR' })
  does.view('/thanks')
}

function called(flag: string, response: boolean | string): JsonObject {
  return { $feature_flag: flag, $feature_flag_response: response }
}
