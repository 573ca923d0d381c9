/** Panels of the page about a site: their tabs, and the filters that a row stands for. */
import { countryName } from '../../../../src/core/charts/country.ts'
import { formatPercent } from '../../data/format.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'

/** A text, several where one alone names different things, or null for none. */
export type WebValue = string | null | readonly (string | null)[]

export type PanelTab = {
  /** `breakdownBy` of the question. */
  readonly by: string
  readonly label: string
  /** The filter of a row, by its last text; undefined where no filter can name it. */
  readonly filter: Pick<PropertyFilter, 'type' | 'key'> | undefined
}

export type Panel = {
  readonly key: string
  readonly title: string
  readonly tabs: readonly [PanelTab, ...PanelTab[]]
}

function ofSession(by: string, label: string, key: string): PanelTab {
  return { by, label, filter: { type: 'session', key } }
}

const PATH = { type: 'event', key: '$pathname' } as const

export const PANELS: readonly Panel[] = [
  {
    key: 'sources',
    title: 'Sources',
    tabs: [
      ofSession('InitialChannelType', 'Channel', '$channel_type'),
      ofSession('InitialReferringDomain', 'Referrer', '$entry_referring_domain'),
      ofSession('InitialUTMSource', 'UTM source', '$entry_utm_source'),
      ofSession('InitialUTMMedium', 'Medium', '$entry_utm_medium'),
      ofSession('InitialUTMCampaign', 'Campaign', '$entry_utm_campaign'),
      ofSession('InitialUTMTerm', 'Term', '$entry_utm_term'),
      ofSession('InitialUTMContent', 'Content', '$entry_utm_content'),
    ],
  },
  {
    key: 'pages',
    title: 'Pages',
    tabs: [
      { by: 'Page', label: 'Top pages', filter: PATH },
      ofSession('InitialPage', 'Entry pages', '$entry_pathname'),
      ofSession('ExitPage', 'Exit pages', '$exit_pathname'),
      { by: 'ExitClick', label: 'Exit clicks', filter: undefined },
    ],
  },
  {
    key: 'locations',
    title: 'Locations',
    tabs: [
      ofSession('Country', 'Countries', '$geoip_country_code'),
      ofSession('Region', 'Regions', '$geoip_subdivision_1_name'),
      ofSession('City', 'Cities', '$geoip_city_name'),
      ofSession('Language', 'Languages', '$browser_language'),
      ofSession('Timezone', 'Time zones', '$timezone'),
    ],
  },
  {
    key: 'devices',
    title: 'Devices',
    tabs: [
      ofSession('DeviceType', 'Type', '$device_type'),
      ofSession('Browser', 'Browser', '$browser'),
      ofSession('OS', 'System', '$os'),
      ofSession('Viewport', 'Viewport', '$viewport'),
    ],
  },
]

/** The tab with this breakdown; the first one for any other. */
export function tabOf({ tabs }: Panel, by: string | null): PanelTab {
  return tabs.find((tab) => tab.by === by) ?? tabs[0]
}

/** The text that a filter compares with; undefined for a row without a value. */
export function filterValue(value: WebValue): string | undefined {
  const text = Array.isArray(value) ? value.at(-1) : value
  return typeof text === 'string' ? text : undefined
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

export function labelOfValue(by: string, value: WebValue): string {
  if (value === null) return TEXTS.none
  if (typeof value !== 'string') {
    const [country = null] = value
    const place = value.at(-1) ?? TEXTS.none
    return country === null ? place : `${place}, ${countryName(country)}`
  }
  if (by === 'Country') return countryName(value)
  if (by === 'Language') return languageName(value)
  if (by === 'InitialReferringDomain' && value === '$direct') return TEXTS.direct
  return value === '' ? TEXTS.none : value
}

function languageName(code: string): string {
  try {
    return languages.of(code) ?? code
  } catch {
    // Browsers may send anything.
    return code
  }
}

/** `↑ 12 %`, or "new" where there was nothing before. */
export function changeOf(now: number, before: number): string {
  if (before === now) return ''
  if (before === 0) return 'new'
  const share = (now - before) / before
  return `${share > 0 ? '↑' : '↓'} ${formatPercent(Math.abs(share))}`
}
