export const EVENTS_TEXTS = {
  title: 'Events',
  rows: 'Events',
  columns: 'Columns',
  columnsHint: 'A field, a property, or any expression. Text after “--” is the title.',
  column: 'Column',
  add: 'Add',
  apply: 'Apply',
  standard: 'Standard columns',
  csv: 'CSV',
  save: 'Save',
  saveTitle: 'Save as insight',
  name: 'Name',
  saved: 'Saved to insights',
  allTime: 'All time',
  range: 'Date range',
  asText: 'As text',
  asFilters: 'As filters',
  expression: 'Expression',
  expressionPlace: "event = 'paid' and properties.amount > 100",
  expressionHint: 'Enter applies it; Shift and Enter begins a line.',
  facet: 'Top values',
  facetOf: 'Property',
  facetNone: 'No event here has this property.',
  facetFailed: 'These values could not be loaded.',
  shown: (shown: number, count: number) =>
    `${shown.toLocaleString('en')} of ${count.toLocaleString('en')}`,
  counted: (at: string) => `counted at ${at}`,
  emptyTitle: 'No events yet',
  empty: 'Events appear here as soon as an app sends the first one with the key of this project.',
  noneTitle: 'No matching events',
  none: 'No events match these filters.',
  clear: 'Clear all filters',
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
