/** Sessions by the specification alone: from the events of a world, an actor at a time. */
import { isbot } from 'isbot'
import type { Json } from '../../../src/core/json.ts'
import { byCodePoint } from '../../../src/core/order/by-code-point.ts'
import { originOf } from '../../../src/events/sessions/channel.ts'
import { type Filter, matcherOf, textOf } from './filters.ts'
import { grouped, type Micros, type Seen, seenIn, type World, type WorldEvent } from './world.ts'
import { DAY, MINUTE } from './zones.ts'

export type ReferenceSession = {
  readonly actor: string
  readonly begin: Micros
  readonly events: readonly Seen[]
  readonly isBot: boolean
  /** By the names that filters have for them; only those with a value. */
  readonly properties: WorldEvent['properties']
}

const SERVERS = ['posthog-node', 'posthog-python']
const PASSIVE = ['$pageview', '$screen', '$pageleave', '$set', '$identify', '$web_vitals']
export const VIEWS = ['$pageview', '$screen']

/** All sessions of a world, whenever they begin. */
export function sessionsIn(world: World): readonly ReferenceSession[] {
  const inSession = seenIn(world)
    .filter(mayHaveSession)
    .sort((a, b) => a.at - b.at || byCodePoint(a.distinctId, b.distinctId))
  return [...grouped(inSession, ({ actor }) => actor).values()].flatMap(sessionsOf)
}

function textIn({ properties }: WorldEvent, ...names: readonly string[]): string | undefined {
  const texts = names.map((name) => textOf(properties[name]))
  return (
    texts.find((text) => text !== undefined && text !== '') ?? texts.find((text) => text === '')
  )
}

function idOf(event: WorldEvent): string | undefined {
  return textIn(event, '$session_id') || undefined
}

function mayHaveSession(event: WorldEvent): boolean {
  return idOf(event) !== undefined || !SERVERS.includes(textIn(event, '$lib') ?? '')
}

function sessionsOf(events: readonly Seen[]): readonly ReferenceSession[] {
  const at = (place: number) => events[place]?.at ?? 0
  const ids = events.map(idOf)
  const firsts: number[] = []
  for (const [place, id] of ids.entries()) {
    const last = id === undefined ? place - 1 : ids.slice(0, place).lastIndexOf(id)
    const silence = id === undefined ? 30 * MINUTE : DAY
    const isFirst = last < 0 || at(place) - at(last) >= silence
    firsts.push(isFirst ? place : (firsts[last] ?? place))
  }
  const members = events.map((event, place) => ({ event, first: firsts[place] ?? place }))
  const near = members.filter(({ event, first }) => event.at - at(first) < DAY)
  return [...grouped(near, ({ first }) => String(first)).values()].map((own) =>
    sessionOf(own.map(({ event }) => event)),
  )
}

function sessionOf(events: readonly Seen[]): ReferenceSession {
  const [first] = events
  if (first === undefined) throw new Error('a session has an event')
  const agent = textIn(first, '$raw_user_agent', '$user_agent') ?? ''
  const found = Object.entries(propertiesOf(first, events))
  const some = found.filter((entry): entry is [string, Json] => (entry[1] ?? '') !== '')
  return {
    actor: first.actor,
    begin: first.at,
    events,
    isBot: agent !== '' && isbot(agent),
    properties: Object.fromEntries(some),
  }
}

function propertiesOf(
  first: Seen,
  events: readonly Seen[],
): Readonly<Record<string, Json | undefined>> {
  const pages = events.filter(({ event }) => event === '$pageview')
  const views = events.filter(({ event }) => VIEWS.includes(event))
  const duration = ((events.at(-1)?.at ?? 0) - first.at) / 1_000_000
  const acts = events.filter(({ event }) => !PASSIVE.includes(event))
  const page = (event: Seen | undefined) => event && textIn(event, '$pathname')
  const origin = originOf({
    medium: textIn(first, 'utm_medium'),
    source: textIn(first, 'utm_source'),
    hasGoogleClick: Boolean(textIn(first, 'gclid')),
    referrer: textIn(first, '$referring_domain', '$referrer'),
    host: textIn(first, '$host'),
  })
  return {
    $session_duration: duration,
    $is_bounce: views.length === 1 && acts.length === 0 && duration < 10,
    $pageview_count: views.length,
    $entry_pathname: page(pages[0]),
    $exit_pathname: page(pages.at(-1)),
    $channel_type: origin.channel,
    $entry_referring_domain: origin.referrer,
    $entry_utm_source: textIn(first, 'utm_source'),
    $entry_utm_medium: textIn(first, 'utm_medium'),
    $browser: textIn(first, '$browser'),
    $geoip_country_code: textIn(first, '$geoip_country_code'),
    $geoip_city_name: textIn(first, '$geoip_city_name'),
  }
}

/** Filters of sessions, which have a type that others have not. */
export type SessionFilter = Omit<Filter, 'type'> & { readonly type: 'session' }
export type WebFilter = Filter | SessionFilter

/** Whether a session passes the filters that are of sessions. */
export function sessionMatcher(world: World, filters: readonly WebFilter[]) {
  const properties = filters
    .filter(({ type }) => type === 'session')
    .map((filter): Filter => ({ ...filter, type: 'event' }))
  const matches = matcherOf(world, { properties }, { kind: 'EventsNode', event: null })
  return (session: ReferenceSession): boolean => {
    const [first] = session.events
    return first !== undefined && matches({ ...first, properties: session.properties })
  }
}

/** Whether an event passes the other filters. */
export function eventMatcher(
  world: World,
  filters: readonly WebFilter[],
  filterTestAccounts: boolean | undefined,
) {
  const properties = filters.filter((filter): filter is Filter => filter.type !== 'session')
  const tests = filterTestAccounts === undefined ? {} : { filterTestAccounts }
  return matcherOf(world, { properties, ...tests }, { kind: 'EventsNode', event: null })
}
