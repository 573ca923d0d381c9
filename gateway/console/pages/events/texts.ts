export const EVENTS_TEXTS = {
  title: 'Events',
  rows: 'Events',
  columns: 'Columns',
  columnsHint: 'A field, a property, or any expression. What follows “--” is the title.',
  column: 'Column',
  add: 'Add',
  apply: 'Apply',
  standard: 'Standard columns',
  csv: 'CSV',
  save: 'Save',
  saveTitle: 'Save as an insight',
  name: 'Name',
  saved: 'Saved: it is among the insights now',
  allTime: 'All time',
  range: 'Date range',
  asText: 'As text',
  asFilters: 'As filters',
  expression: 'Expression',
  expressionPlace: "event = 'paid' and properties.amount > 100",
  expressionHint: 'Enter applies it; Shift and Enter begins a line.',
  facet: 'Top values',
  facetOf: 'Property',
  facetNone: 'No event here has one.',
  facetFailed: 'These values could not be counted.',
  shown: (shown: number, count: number) =>
    `${shown.toLocaleString('en')} of ${count.toLocaleString('en')}`,
  counted: (at: string) => `counted at ${at}`,
  emptyTitle: 'No events yet',
  empty: 'Events appear here as soon as an app sends the first one with the key of this project.',
  noneTitle: 'No event passes',
  none: 'No stored event passes these filters.',
  clear: 'Clear all filters',
  reference: 'How to send events',
} as const

/** Titles of columns without a comment of their own. */
export const TITLES: Readonly<Record<string, string>> = {
  event: 'Event',
  person: 'Person',
  timestamp: 'Time',
  distinct_id: 'Distinct id',
  'count()': 'Count',
}

export const RANGES = [
  { value: undefined, label: EVENTS_TEXTS.allTime },
  { value: '-24h', label: 'Last 24 hours' },
  { value: '-7d', label: 'Last 7 days' },
  { value: '-30d', label: 'Last 30 days' },
  { value: '-90d', label: 'Last 90 days' },
] as const
