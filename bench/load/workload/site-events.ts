/**
 * Events as a busy site sends them: page views and clicks of the browser library, events of its own
 * servers, sign-ins, and the companies that its users belong to.
 *
 * The forms are those that posthog-js 1.434 and posthog-node 5.70 send in the tests of client
 * libraries. The shares are ours, since nobody publishes any: a consultancy counts about as many
 * clicks as page views where autocapture is on (visionlabs.com/academy/posthog/events), and the rest
 * is what a shop with sign-in does.
 */
import { assert } from '../../../src/core/code.ts'
import { pageViewOf } from './page-view.ts'
import type { Prng } from './prng.ts'

export type SiteKind = 'view' | 'click' | 'server' | 'identify' | 'company'

/** Shares of all events; they add up to 1. */
export const SITE_SHARES: readonly (readonly [SiteKind, number])[] = [
  ['view', 0.4],
  ['click', 0.4],
  ['server', 0.15],
  ['identify', 0.04],
  ['company', 0.01],
]

/** Names with a meaning to the server, which no bench can make unique. */
export const SHARED_NAMES = ['$identify', '$groupidentify'] as const

const COMPANIES = 2_000
const PLANS = ['free', 'pro', 'team'] as const
const ELEMENTS = 6

export type SiteEvent = {
  /** Undefined: the name of the bench. */
  readonly name?: (typeof SHARED_NAMES)[number]
  readonly properties: Record<string, unknown>
} & (
  | { readonly kind: 'view' | 'click' | 'server' }
  /** Needs `$anon_distinct_id`: the visitor that signs in. */
  | { readonly kind: 'identify' }
  /** Sent for the company itself. */
  | { readonly kind: 'company'; readonly distinctId: string }
)

export function siteEventOf(prng: Prng, profile: number): SiteEvent {
  const kind = drawKind(prng)
  switch (kind) {
    case 'view':
      return { kind, properties: pageViewOf(prng, profile) }
    case 'click':
      return { kind, properties: clickOf(prng, profile) }
    case 'server':
      return { kind, properties: serverProperties(prng) }
    case 'identify':
      return { kind, name: '$identify', properties: signInOf(prng, profile) }
    case 'company': {
      const key = companyOf(prng)
      const distinctId = `company_${key}`
      return { kind, name: '$groupidentify', distinctId, properties: updateOf(prng, key) }
    }
  }
}

function drawKind(prng: Prng): SiteKind {
  let left = prng.float()
  for (const [kind, share] of SITE_SHARES) {
    left -= share
    if (left < 0) return kind
  }
  const [last] = SITE_SHARES.at(-1) ?? []
  assert(last !== undefined, 'there are kinds')
  return last
}

/** A click: the page's properties, and the clicked element with those around it as a chain. */
function clickOf(prng: Prng, profile: number): Record<string, unknown> {
  const { $set_once: _once, ...page } = pageViewOf(prng, profile)
  const item = prng.below(24)
  return {
    ...page,
    $event_type: 'click',
    $ce_version: 1,
    $el_text: `Add item ${item} to basket`,
    $elements_chain: chainOf(item),
  }
}

function chainOf(item: number): string {
  const button =
    `button.btn.btn-primary:attr__class="btn btn-primary"attr__id="add-${item}"attr__type="button"` +
    `attr_id="add-${item}"nth-child="2"nth-of-type="1"text="Add item ${item} to basket"`
  const around = Array.from({ length: ELEMENTS - 1 }, (_, depth) => {
    const name = `layer-${depth} grid`
    return `div.grid.layer-${depth}:attr__class="${name}"nth-child="${depth + 1}"nth-of-type="${item % 7}"`
  })
  return [button, ...around, 'body:nth-child="2"nth-of-type="1"'].join(';')
}

/** As posthog-node sends it for a user of a company. */
function serverProperties(prng: Prng): Record<string, unknown> {
  return {
    order_id: prng.below(1_000_000),
    amount: prng.below(100_000) / 100,
    currency: 'EUR',
    items: 1 + prng.below(5),
    payment: 'card',
    $groups: { company: companyOf(prng) },
    $lib: 'posthog-node',
    $lib_version: '5.70.0',
    $geoip_disable: true,
    $is_server: true,
  }
}

function signInOf(prng: Prng, profile: number): Record<string, unknown> {
  const { $set_once: _once, ...page } = pageViewOf(prng, profile)
  const user = prng.below(1_000_000)
  return {
    ...page,
    $is_identified: true,
    $set: { email: `user.${user}@example.com`, plan: PLANS[prng.below(PLANS.length)] },
    $set_once: { first_signed_in_from: page['$pathname'] },
  }
}

function updateOf(prng: Prng, key: string): Record<string, unknown> {
  return {
    $group_type: 'company',
    $group_key: key,
    $group_set: { name: `Company ${key}`, seats: prng.below(500), plan: PLANS[prng.below(3)] },
    $lib: 'posthog-node',
    $lib_version: '5.70.0',
  }
}

function companyOf(prng: Prng): string {
  return `c-${prng.below(COMPANIES)}`
}
