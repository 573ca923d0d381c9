/** Channel by which a session arrived, from the members of its first event. */
import { isList } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { DIRECT, type Site, siteOf } from './referrer.ts'
import { kindOfName, type SiteKind } from './sites.ts'

export const CHANNELS = [
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Paid Shopping',
  'Display',
  'Affiliate',
  'Email',
  'SMS',
  'Push',
  'Organic Search',
  'Organic Social',
  'Organic Video',
  'Organic Shopping',
  'AI',
  'Referral',
  'Direct',
  'Unknown',
] as const
export type Channel = (typeof CHANNELS)[number]

/** Members of a session's first event; undefined where it has none. */
export type Arrival = {
  readonly medium?: string | undefined
  readonly source?: string | undefined
  readonly hasGoogleClick?: boolean
  readonly hasMicrosoftClick?: boolean
  readonly hasFacebookClick?: boolean
  /** `$referring_domain`, or else `$referrer`: empty for a visit without a referrer. */
  readonly referrer?: string | undefined
  /** `$host` of the own site. */
  readonly host?: string | undefined
}

export type Origin = {
  readonly channel: Channel
  /** Site of the referrer, `$direct` for none and for the own site; undefined when unknown. */
  readonly referrer: string | undefined
  /** `utm_source`, or else the referrer. */
  readonly source: string | undefined
}

/** Channel and source of a session. */
export function originOf(arrival: Arrival): Origin {
  const { referrer = undefined, host } = arrival
  const site = referrer === undefined || isDirect(referrer) ? undefined : siteOf(referrer)
  const own = host === undefined ? undefined : siteOf(host)
  const isOwn = site !== undefined && site.domain === own?.domain
  const other = isOwn ? undefined : site
  const isDirectVisit = isOwn || (referrer !== undefined && isDirect(referrer))
  const domain = isDirectVisit ? DIRECT : other?.domain
  const source = firstText(arrival.source)
  return {
    channel: channelOf(arrival, other, isDirectVisit),
    referrer: domain,
    source: source ?? domain,
  }
}

function isDirect(referrer: string): boolean {
  return referrer.trim() === '' || referrer === DIRECT
}

/** Input of the rules: texts in lower case, and the kind of the site that sent the visitor. */
type Facts = {
  readonly medium: string
  readonly source: string
  readonly kind: SiteKind | undefined
  readonly isPaid: boolean
}

const PAID_MEDIUM = /^(.*cp.*|ppc|retargeting|remarketing|paid.*|.*[-_ ]paid|.*[-_ ]ads?|ads?)$/
const DISPLAY_MEDIUM = /^(display|banner|expandable|interstitial|cpm|native|programmatic)$/
const AFFILIATE = /^(affiliates?|partners?|partnership)$/
const MAIL = /^(e[-_ ]?mails?|newsletters?|mailing|drip)$/
const SOCIAL_MEDIUM = /^(sm|smm|.*social.*)$/
const VIDEO_MEDIUM = /^.*video.*$/
const SHOPPING_MEDIUM = /^(.*[^a-df-z])?shop(ping)?.*$/
const REFERRAL_MEDIUM = /^(referral|referrer|link|app|blog|web|website|qr|qr[-_]?code)$/

/** Ordered rules: the first one that applies names the channel. */
const RULES: readonly (readonly [Channel, (facts: Facts) => boolean])[] = [
  ['Paid Shopping', ({ isPaid, kind, medium }) => isPaid && isKind(kind, medium, 'shopping')],
  ['Paid Social', ({ isPaid, kind, medium }) => isPaid && isKind(kind, medium, 'social')],
  ['Paid Video', ({ isPaid, kind, medium }) => isPaid && isKind(kind, medium, 'video')],
  ['Paid Search', ({ isPaid, kind, medium }) => isPaid && isKind(kind, medium, 'search')],
  ['Display', ({ medium }) => DISPLAY_MEDIUM.test(medium)],
  ['Affiliate', ({ medium, source }) => AFFILIATE.test(medium) || AFFILIATE.test(source)],
  ['Email', ({ medium, source }) => MAIL.test(medium) || MAIL.test(source)],
  ['SMS', ({ medium, source }) => medium === 'sms' || source === 'sms'],
  ['Push', ({ medium, source }) => isPush(medium) || source === 'firebase' || isPush(source)],
  // A paid visit from none of these kinds of sites.
  ['Unknown', ({ isPaid }) => isPaid],
  ['AI', ({ kind }) => kind === 'assistant'],
  ['Email', ({ kind }) => kind === 'mail'],
  ['Organic Shopping', ({ kind, medium }) => isKind(kind, medium, 'shopping')],
  ['Organic Social', ({ kind, medium }) => isKind(kind, medium, 'social')],
  ['Organic Video', ({ kind, medium }) => isKind(kind, medium, 'video')],
  ['Organic Search', ({ kind, medium }) => isKind(kind, medium, 'search')],
]

function channelOf(arrival: Arrival, site: Site | undefined, isDirectVisit: boolean): Channel {
  const medium = wordOf(arrival.medium)
  const source = wordOf(arrival.source)
  const { hasGoogleClick = false, hasMicrosoftClick = false, hasFacebookClick = false } = arrival
  const kind =
    kindOfSource(source) ??
    site?.kind ??
    (hasGoogleClick || hasMicrosoftClick ? 'search' : hasFacebookClick ? 'social' : undefined)
  const isPaid = PAID_MEDIUM.test(medium) || hasGoogleClick || hasMicrosoftClick
  const facts = { medium, source, kind, isPaid }
  const found = RULES.find(([, applies]) => applies(facts))
  if (found !== undefined) return found[0]
  if (site !== undefined || REFERRAL_MEDIUM.test(medium)) return 'Referral'
  return isDirectVisit && medium === '' && (source === '' || source === 'direct')
    ? 'Direct'
    : 'Unknown'
}

function kindOfSource(source: string): SiteKind | undefined {
  return kindOfName(source) ?? (source.includes('.') ? siteOf(source)?.kind : undefined)
}

/** The medium names a kind where the site has none. */
function isKind(kind: SiteKind | undefined, medium: string, wanted: SiteKind): boolean {
  if (kind !== undefined) return kind === wanted
  switch (wanted) {
    case 'social':
      return SOCIAL_MEDIUM.test(medium)
    case 'video':
      return VIDEO_MEDIUM.test(medium)
    case 'shopping':
      return SHOPPING_MEDIUM.test(medium)
    case 'search':
      return medium === 'organic' || medium.includes('search')
    default:
      return false
  }
}

function isPush(text: string): boolean {
  return text.endsWith('push') || text === 'notification' || text === 'notifications'
}

function wordOf(text: string | undefined): string {
  return firstText(text)?.trim().toLowerCase() ?? ''
}

/**
 * A parameter that an address has twice is a list: its first text counts. Undefined for none, and
 * for nothing but spaces.
 */
function firstText(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (!text.startsWith('[')) return text
  try {
    const list = parseJson(text)
    const first = isList(list)
      ? list.find((item) => typeof item === 'string' && item.trim() !== '')
      : text
    return typeof first === 'string' ? first : undefined
  } catch {
    // No list but a name that begins with a bracket.
    return text
  }
}
