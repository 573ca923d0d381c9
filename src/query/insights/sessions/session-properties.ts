/** Properties of sessions: the members of events that they are read from, and their values. */

import type { Condition } from '../../../conditions/condition.ts'
import type { SessionEvents, SessionMember } from '../../../event-store/session-events.ts'
import { isBot } from '../../../events/sessions/bots.ts'
import { type Origin, originOf } from '../../../events/sessions/channel.ts'
import { isBounce, type Session } from '../../../events/sessions/fold-sessions.ts'
import { memoized } from './memoized.ts'

/** Members of a session's first event. */
const MEMBERS = {
  session_id: text('$session_id'),
  user_agent: text('$raw_user_agent', '$user_agent'),
  utm_source: text('utm_source'),
  utm_medium: text('utm_medium'),
  utm_campaign: text('utm_campaign'),
  utm_term: text('utm_term'),
  utm_content: text('utm_content'),
  google_click: { properties: ['gclid', 'gad_source', 'gbraid', 'wbraid'], isPresence: true },
  microsoft_click: { properties: ['msclkid'], isPresence: true },
  facebook_click: { properties: ['fbclid'], isPresence: true },
  referrer: text('$referring_domain', '$referrer'),
  host: text('$host'),
  browser: text('$browser'),
  os: text('$os'),
  device_type: text('$device_type'),
  viewport_width: text('$viewport_width'),
  viewport_height: text('$viewport_height'),
  country: text('$geoip_country_code'),
  region: text('$geoip_subdivision_1_code'),
  region_name: text('$geoip_subdivision_1_name'),
  city: text('$geoip_city_name'),
  language: text('$browser_language'),
  timezone: text('$timezone'),
} as const satisfies Readonly<Record<string, SessionMember>>
export type MemberName = keyof typeof MEMBERS

function text(...properties: readonly string[]): SessionMember {
  return { properties }
}

/** Members that the channel, the referring domain and the source follow from. */
const ORIGIN: readonly MemberName[] = [
  'utm_source',
  'utm_medium',
  'google_click',
  'microsoft_click',
  'facebook_click',
  'referrer',
  'host',
]

/**
 * All members but the session id, in groups whose texts change together: a few tuples of a group
 * serve many sessions.
 */
export const MEMBER_GROUPS: readonly (readonly MemberName[])[] = [
  ORIGIN,
  ['user_agent'],
  ['browser', 'os', 'device_type', 'viewport_width', 'viewport_height'],
  ['country', 'region', 'region_name', 'city', 'language', 'timezone'],
]
export const [ORIGIN_GROUP, AGENT_GROUP] = [0, 1]

export type SessionValue = string | number | boolean | undefined

type SessionProperty = {
  readonly members: readonly MemberName[]
  /** Whether it is read from the pages that were viewed. */
  readonly hasPages?: boolean
  readonly valueOf: (session: Session, texts: SessionTexts) => SessionValue
}

/** Properties by the names that PostHog gives them; those of the first event keep their names. */
const SESSION_PROPERTIES = {
  $session_duration: { members: [], valueOf: durationOf },
  $is_bounce: { members: [], valueOf: isBounce },
  $pageview_count: { members: [], valueOf: ({ views }) => views },
  $entry_pathname: { members: [], hasPages: true, valueOf: ({ entry }, { page }) => page(entry) },
  $exit_pathname: { members: [], hasPages: true, valueOf: ({ exit }, { page }) => page(exit) },
  $channel_type: { members: ORIGIN, valueOf: (session, { origin }) => origin(session).channel },
  $entry_referring_domain: {
    members: ORIGIN,
    valueOf: (session, { origin }) => origin(session).referrer,
  },
  $entry_source: { members: ORIGIN, valueOf: (session, { origin }) => origin(session).source },
  $entry_utm_source: ofMember('utm_source'),
  $entry_utm_medium: ofMember('utm_medium'),
  $entry_utm_campaign: ofMember('utm_campaign'),
  $entry_utm_term: ofMember('utm_term'),
  $entry_utm_content: ofMember('utm_content'),
  $browser: ofMember('browser'),
  $os: ofMember('os'),
  $device_type: ofMember('device_type'),
  $viewport: {
    members: ['viewport_width', 'viewport_height'],
    valueOf: (session, { text: of }) => {
      const [width, height] = [of(session, 'viewport_width'), of(session, 'viewport_height')]
      return width === undefined || height === undefined ? undefined : `${width}x${height}`
    },
  },
  $geoip_country_code: ofMember('country'),
  $geoip_subdivision_1_code: ofMember('region'),
  $geoip_subdivision_1_name: ofMember('region_name'),
  $geoip_city_name: ofMember('city'),
  $browser_language: ofMember('language'),
  $timezone: ofMember('timezone'),
} as const satisfies Readonly<Record<string, SessionProperty>>
export type SessionPropertyName = keyof typeof SESSION_PROPERTIES

/** Test of a session, by one of its properties. */
export type SessionFilter = {
  readonly property: SessionPropertyName
  readonly condition: Condition
}

export const SESSION_PROPERTY_NAMES = Object.keys(SESSION_PROPERTIES).filter(isSessionProperty)

/** Properties that are numbers. */
const NUMBERS = ['$session_duration', '$pageview_count'] as const
export type SessionNumberName = (typeof NUMBERS)[number]

export function isSessionNumber(name: string): name is SessionNumberName {
  return NUMBERS.some((each) => each === name)
}

export function isSessionProperty(name: string): name is SessionPropertyName {
  return Object.hasOwn(SESSION_PROPERTIES, name)
}

export function sessionProperty(name: SessionPropertyName): SessionProperty {
  return SESSION_PROPERTIES[name]
}

function ofMember(name: MemberName): SessionProperty {
  return { members: [name], valueOf: (session, { text: of }) => of(session, name) }
}

const US_PER_SECOND = 1_000_000

/** Seconds between the first event of a session and its last one. */
export function durationOf({ beginUs, endUs }: Session): number {
  return (endUs - beginUs) / US_PER_SECOND
}

/** Texts of the sessions of one read. */
export type SessionTexts = {
  /** Text of a member; undefined for none, as an empty one is. */
  text(session: Session, name: MemberName): string | undefined
  /** Text of a member of any event, by the number of its members. */
  textOf(members: number, member: SessionMember): string | undefined
  /** Path of a page, or another item; undefined for none. */
  page(item: number): string | undefined
  origin(session: Session): Origin
  isBot(session: Session): boolean
}

export function membersOfEvents(names: readonly MemberName[]): readonly SessionMember[] {
  return names.map((name) => MEMBERS[name])
}

/** Texts behind the numbers of a read. */
export type TextSource = {
  /** Text of a member of an event, by the number of its members; undefined and null for none. */
  textOf(members: number, member: SessionMember): string | null | undefined
  itemOf(item: number): string | undefined
  /** Number of the members that an origin follows from: equal ones have one origin. */
  originKey(members: number): number
  /** Number of the user agent. */
  agentKey(members: number): number
}

/** @param read the members that were read, in their order. */
export function textsOfRead(
  { members, items }: Pick<SessionEvents, 'members' | 'items'>,
  read: readonly SessionMember[],
): TextSource {
  const places = new Map(read.map((member, place) => [member, place]))
  return {
    textOf: (number, member) => members.get(number)?.[places.get(member) ?? -1],
    itemOf: (item) => items.get(item),
    originKey: (number) => number,
    agentKey: (number) => number,
  }
}

export function createTexts(source: TextSource): SessionTexts {
  const textOf = (number: number, member: SessionMember) =>
    source.textOf(number, member) || undefined
  const textIn = (number: number, name: MemberName) =>
    source.textOf(number, MEMBERS[name]) ?? undefined
  const origins = remembered(source.originKey, (number): Origin => {
    return originOf({
      medium: textIn(number, 'utm_medium'),
      source: textIn(number, 'utm_source'),
      hasGoogleClick: textIn(number, 'google_click') !== undefined,
      hasMicrosoftClick: textIn(number, 'microsoft_click') !== undefined,
      hasFacebookClick: textIn(number, 'facebook_click') !== undefined,
      referrer: textIn(number, 'referrer'),
      host: textIn(number, 'host'),
    })
  })
  const bots = remembered(source.agentKey, (number) => isBot(textIn(number, 'user_agent')))
  return {
    textOf,
    text: (session, name) => textOf(session.members, MEMBERS[name]),
    page: (item) => (item > 0 ? source.itemOf(item) : undefined),
    origin: (session) => origins(session.members),
    isBot: (session) => bots(session.members),
  }
}

/** @param keyOf numbers with equal keys have the same value. */
function remembered<T extends object | boolean>(
  keyOf: (number: number) => number,
  of: (number: number) => T,
): (number: number) => T {
  const byKey = memoized((_, number: number) => of(number))
  const byNumber = memoized((number) => byKey(keyOf(number), number))
  return (number) => byNumber(number, undefined)
}
