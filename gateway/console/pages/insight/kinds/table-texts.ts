/** Texts that load with the settings of tables. */

export const TABLE_TEXTS = {
  settings: 'Settings',
  event: 'Event',
  columns: 'Columns',
  columnsHint: 'One expression per line: event, timestamp, count(), properties.plan.',
  conditions: 'Conditions',
  conditionsHint: 'One expression per line. All must match.',
  sort: 'Sort by',
  sortHint: 'A column, with - in front for descending.',
  rows: 'Limit',
} as const
