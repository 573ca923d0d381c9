/** Some days of a small shop, the same at every run but for their days. */

const PAGES = ['/', '/pricing', '/docs', '/checkout', '/blog/launch'] as const
const NAMES = ['$pageview', '$pageview', '$pageview', 'signed up', 'order placed', '$autocapture']
const COUNTRIES = ['DE', 'US', 'FR', 'NL', 'JP'] as const
const BROWSERS = ['Chrome', 'Safari', 'Firefox'] as const
const DAY_MS = 86_400_000

/** @param count of events, spread over `days` up to now, by about a tenth as many persons. */
export function sampleEvents(count = 600, days = 14): readonly object[] {
  const next = pseudoRandom(7)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]
  return Array.from({ length: count }, (_, index) => {
    const person = Math.floor(next() ** 2 * (count / 10))
    return {
      event: pick(NAMES),
      distinct_id: `person-${person}`,
      timestamp: new Date(Date.now() - next() * days * DAY_MS - 1000).toISOString(),
      properties: {
        ...{
          $pathname: pick(PAGES),
          $browser: pick(BROWSERS),
          $geoip_country_code: pick(COUNTRIES),
        },
        ...{ $session_id: `session-${person}-${index % 3}`, $referring_domain: 'example.org' },
        ...{ amount: Math.floor(next() * 200), $set: { plan: pick(['free', 'pro']) } },
      },
    }
  })
}

/** A linear congruential generator: the same numbers for the same seed. */
function pseudoRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
