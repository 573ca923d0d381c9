import { formatNumber } from '../../data/format.ts'

export const TABS = [
  { id: 'events', name: 'Events' },
  { id: 'properties', name: 'Properties' },
] as const

export const DEFINITIONS_TEXTS = {
  title: 'Data management',
  parts: 'Events and properties',
  events: 'Event definitions',
  properties: 'Properties',
  searchEvents: 'Search events by name',
  searchProperties: 'Search by name or description',
  type: 'Type',
  order: 'Sort by',
  name: 'Name',
  tags: 'Tags',
  owner: 'Owner',
  noOwner: 'No owner',
  user: (id: number) => `User ${id}`,
  verified: 'Verified',
  verifiedBy: 'by',
  volume: 'Volume (30 days)',
  queries: 'Queries (30 days)',
  lastSeen: 'Last seen',
  firstSeen: 'First seen',
  unknown: '—',
  kind: 'Type',
  kinds: { event: 'Event', person: 'Person' },
  seenIn: 'Found in',
  ofNewest: (count: number, all: number, kind: 'event' | 'person') =>
    `${formatNumber(count)} of ${formatNumber(all)} ${kind}${all === 1 ? '' : 's'}`,
  values: 'Values',
  note: 'Properties of the newest 100 events and of the newest 100 persons.',
  noteOfEvent: 'Properties of the newest 100 events of this name.',
  description: 'Description',
  tagsHint: 'Separate tags with commas.',
  save: 'Save',
  saved: 'Saved',
  list: 'Events of this name',
  explore: 'Explore',
  noProperties: 'The newest events of this name have no properties.',
  emptyTitle: 'No events yet',
  empty: 'Each event name appears here with the first event of that name.',
  noPropertiesTitle: 'No properties yet',
  noPropertiesYet: 'Properties appear here with the first events.',
  noneTitle: 'Nothing found',
  none: 'No name matches the search.',
  clear: 'Show all',
  newer: 'Previous page',
  older: 'Next page',
  pages: (from: number, to: number, count: number) =>
    `${formatNumber(from)} to ${formatNumber(to)} of ${formatNumber(count)}`,
} as const

export const TYPES = [
  { value: 'event', label: 'All events' },
  { value: 'event_custom', label: 'Custom events' },
  { value: 'event_posthog', label: 'Default events' },
] as const

export const ORDERS = [
  { value: '-volume_30_day', label: 'Volume' },
  { value: '-query_usage_30_day', label: 'Queries' },
  { value: 'name', label: 'Name' },
] as const
