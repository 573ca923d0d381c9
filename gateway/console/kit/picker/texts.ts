import { formatNumber } from '../../data/format.ts'
import type { Source } from './choice.ts'

const GROUPS: Readonly<Record<Source, string>> = {
  event: 'Events',
  page: 'Pages',
  screen: 'Screens',
  event_property: 'Event properties',
  person_property: 'Person properties',
  group_property: 'Group properties',
  metadata: 'Event',
}

export const PICKER_TEXTS = {
  groups: GROUPS,
  search: (label: string) => `Search: ${label}`,
  place: 'Search, or type a name',
  loading: 'Loading',
  found: (count: number) => `${formatNumber(count)} found`,
  use: (name: string) => `Use “${name}”`,
  never: 'Never seen in this project',
  notLately: 'Not seen in the newest events',
  in30Days: (count: number) => `${formatNumber(count)} events in 30 days`,
  ofNewest: (count: number) => `In ${formatNumber(count)} of the newest 100 events`,
  ofNewestPersons: (count: number) => `In ${formatNumber(count)} of the newest 100 persons`,
  lastSeen: 'Last seen',
  samples: (values: readonly string[]) => `Values: ${values.join(', ')}`,
} as const
