/** Texts that load with the settings of tables. */

export const TABLE_TEXTS = {
  settings: 'Settings',
  event: 'Event',
  columns: 'Columns',
  columnsHint: 'One expression a line: event, timestamp, count(), properties.plan.',
  conditions: 'Conditions',
  conditionsHint: 'One expression a line; all must hold.',
  sort: 'Sort by',
  sortHint: 'A column, with - in front from the largest down.',
  rows: 'Limit',
} as const
