/**
 * Page views as the browser library of PostHog sends them (posthog-js 1.434), and who sends them:
 * 95 of 100 visits are of persons that have been here before. A visit has three page views.
 */
import type { Prng, Sampler } from './prng.ts'

/** Kinds of browsers. Every page view of a person comes from the same one. */
export const PROFILES = 16
const NEW_SHARE = 0.05
const PAGES_PER_VISIT = 3
/** Concurrent visits of each kind of browser. */
const VISITS = 32
const PAGES = 300

const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Microsoft Edge'] as const
const SYSTEMS = ['Windows', 'Mac OS X', 'Linux', 'Android'] as const

export type Visitors = {
  /** Chooses the number of the person of a page view, for a kind of browser. */
  readonly next: (profile: number) => number
  /** The number of a new person who signs in, each of them once. */
  readonly stranger: () => number
}

/** New persons that wait to sign in; older ones never do. */
const STRANGERS_MAX = 1_000

/**
 * @param returning chooses among the persons of one kind of browser that were here before.
 * @param newFrom no person has had this number or a higher one.
 */
export function createVisitors(prng: Prng, returning: Sampler, newFrom: number): Visitors {
  let fresh = newFrom
  const strangers: number[] = []
  const make = () => {
    if (strangers.length < STRANGERS_MAX) strangers.push(fresh)
    return fresh++
  }
  const visit = (profile: number) => ({
    person: prng.float() < NEW_SHARE ? make() : returning() * PROFILES + profile,
    left: PAGES_PER_VISIT,
  })
  const visits = Array.from({ length: PROFILES }, (_, profile) =>
    Array.from({ length: VISITS }, () => visit(profile)),
  )
  const next = (profile: number) => {
    const at = prng.below(VISITS)
    const found = visits[profile]?.[at] ?? visit(profile)
    found.left -= 1
    if (found.left === 0) visits[profile]?.splice(at, 1, visit(profile))
    return found.person
  }
  return { next, stranger: () => strangers.shift() ?? fresh++ }
}

/**
 * Properties of one page view: the first of a visit tells where the person came from. The server
 * promotes some of them to `$set` and `$set_once`.
 */
export function pageViewOf(prng: Prng, profile: number): Record<string, unknown> {
  const page = prng.below(PAGES)
  const path = `/products/category-${page % 12}/item-${page}`
  const url = `https://shop.example.com${path}?ref=list&position=${page % 24}`
  const browser = BROWSERS[profile % BROWSERS.length]
  const system = SYSTEMS[(profile >> 2) % SYSTEMS.length]
  const version = 120 + profile
  const session = hexText(prng, 32)
  return {
    token: 'phc_0123456789abcdef0123456789abcdef0123456789a',
    $os: system,
    $os_version: `${10 + (profile % 5)}.15.7`,
    $browser: browser,
    $device_type: system === 'Android' ? 'Mobile' : 'Desktop',
    $timezone: 'Europe/Berlin',
    $timezone_offset: -120,
    $current_url: url,
    $host: 'shop.example.com',
    $pathname: path,
    $raw_user_agent: `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}/${version}.0.0.0 Safari/537.36`,
    $browser_version: version,
    $browser_language: 'de-DE',
    $browser_language_prefix: 'de',
    $screen_height: 1_080,
    $screen_width: 1_920,
    $viewport_height: 919,
    $viewport_width: 1_903,
    $lib: 'web',
    $lib_version: '1.434.18',
    $insert_id: hexText(prng, 16),
    $time: 1_764_000_000.123 + page,
    $device_id: `019ab0c2-7d1e-7f2a-9c51-${session.slice(0, 12)}`,
    $referrer: 'https://www.google.com/',
    $referring_domain: 'www.google.com',
    $is_identified: false,
    $process_person_profile: true,
    $session_id: `019ab0c2-7d1e-7f2a-9c51-${session.slice(12, 24)}`,
    $window_id: `019ab0c2-7d1e-7f2a-9c51-${session.slice(20, 32)}`,
    $pageview_id: `019ab0c2-7d1e-7f2a-9c51-${hexText(prng, 12)}`,
    title: `Item ${page} | Shop`,
    ...(prng.below(PAGES_PER_VISIT) === 0 ? { $set_once: initialsOf(url, path) } : {}),
  }
}

function initialsOf(url: string, path: string): Record<string, unknown> {
  return {
    $initial_current_url: url,
    $initial_host: 'shop.example.com',
    $initial_pathname: path,
    $initial_referrer: 'https://www.google.com/',
    $initial_referring_domain: 'www.google.com',
    $initial_utm_source: null,
    $initial_utm_medium: null,
    $initial_utm_campaign: null,
    $initial_gclid: null,
    $initial_fbclid: null,
  }
}

const HEX = '0123456789abcdef'

function hexText(prng: Prng, length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += HEX[prng.below(16)] ?? '0'
  return text
}
