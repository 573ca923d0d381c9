/** Values of the rows of a table about a site. */

import type { ItemEvent } from '../../../event-store/session-events.ts'
import type { Session } from '../../../events/sessions/fold-sessions.ts'
import {
  type MemberName,
  type SessionPropertyName,
  type SessionTexts,
  sessionProperty,
} from '../sessions/session-properties.ts'
import type { EVENT_BREAKDOWNS, WebBreakdown } from './web-question.ts'

/** A text, several of them where a text alone names different things, or null for none. */
export type WebValue = string | null | readonly (string | null)[]

type OfEvents = (typeof EVENT_BREAKDOWNS)[number]
type OfSessions = Exclude<WebBreakdown, OfEvents>

/** Events whose items are the values. */
const ITEM_EVENTS: Readonly<Record<OfEvents, ItemEvent>> = {
  Page: '$pageview',
  ScreenName: '$screen',
  ExitClick: '$autocapture',
}

const PROPERTIES: Readonly<
  Record<OfSessions, SessionPropertyName | readonly SessionPropertyName[]>
> = {
  InitialPage: '$entry_pathname',
  ExitPage: '$exit_pathname',
  InitialChannelType: '$channel_type',
  InitialReferringDomain: '$entry_referring_domain',
  InitialUTMSource: '$entry_utm_source',
  InitialUTMMedium: '$entry_utm_medium',
  InitialUTMCampaign: '$entry_utm_campaign',
  InitialUTMTerm: '$entry_utm_term',
  InitialUTMContent: '$entry_utm_content',
  Browser: '$browser',
  OS: '$os',
  DeviceType: '$device_type',
  Viewport: '$viewport',
  Country: '$geoip_country_code',
  Region: ['$geoip_country_code', '$geoip_subdivision_1_code', '$geoip_subdivision_1_name'],
  City: ['$geoip_country_code', '$geoip_city_name'],
  Language: '$browser_language',
  Timezone: '$timezone',
}

/** Breakdowns with a row for sessions without a value. */
const WITH_NONE: readonly WebBreakdown[] = [
  'InitialUTMSource',
  'InitialUTMMedium',
  'InitialUTMCampaign',
  'InitialUTMTerm',
  'InitialUTMContent',
]

export function isOfEvents(by: WebBreakdown): by is OfEvents {
  return Object.hasOwn(ITEM_EVENTS, by)
}

function propertiesOf(by: OfSessions): readonly SessionPropertyName[] {
  const names = PROPERTIES[by]
  return typeof names === 'string' ? [names] : names
}

/** Members and items of events that a breakdown reads. */
export function readsOfBreakdown(by: WebBreakdown): {
  readonly members: readonly MemberName[]
  readonly items: readonly ItemEvent[]
} {
  if (isOfEvents(by))
    return { members: [], items: [...new Set<ItemEvent>(['$pageview', ITEM_EVENTS[by]])] }
  const properties = propertiesOf(by).map(sessionProperty)
  return {
    members: properties.flatMap(({ members }) => members),
    items: properties.some(({ hasPages = false }) => hasPages) ? ['$pageview'] : [],
  }
}

/** Number of a session that its value follows from: those of one read with equal ones have one value. */
export function keyOfSession(by: OfSessions, { entry, exit, members }: Session): number {
  if (by === 'InitialPage') return entry
  return by === 'ExitPage' ? exit : members
}

/** Value of a session; undefined when it is in no row. */
export function valueOfSession(
  by: OfSessions,
  session: Session,
  texts: SessionTexts,
): WebValue | undefined {
  const values = propertiesOf(by).map((name) => {
    const value = sessionProperty(name).valueOf(session, texts)
    return value === undefined ? null : String(value)
  })
  if (values.length > 1) return values.at(-1) === null ? undefined : values
  const [only = null] = values
  return only === null && !WITH_NONE.includes(by) ? undefined : only
}
