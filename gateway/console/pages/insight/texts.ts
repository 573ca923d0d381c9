export const INSIGHT_TEXTS = {
  neverSeen: 'Never seen in this project:',
  title: 'New insight',
  insight: 'Insight',
  back: 'All insights',
  unreadable: 'The link holds no valid query. This is a new one.',
  kinds: 'Insight type',
  undo: 'Undo',
  redo: 'Redo',
  question: 'Query',
  answer: 'Results',
  // Series.
  series: 'Events',
  steps: 'Steps',
  event: 'Event',
  allEvents: 'All events',
  count: 'Count',
  property: 'Property',
  addSeries: 'Add events',
  addStep: 'Add step',
  more: 'More for',
  up: 'Move up',
  down: 'Move down',
  copy: 'Duplicate',
  remove: 'Remove',
  settings: 'Settings',
  goal: 'Goal',
  addGoal: 'Add goal line',
  formula: 'Formula',
  formulaHint: 'Letters of the events: A / B, (A + B) / C.',
  // For all.
  filters: 'Filters',
  filtersAsJson: 'Edit these filters as JSON.',
  testAccounts: 'Filter out internal and test users',
  breakdown: 'Breakdown',
  breakdownAsJson: 'Edit this breakdown as JSON.',
  values: 'Breakdown limit',
  attribution: 'Attribution type',
  interval: 'Interval',
  display: 'Chart type',
  compare: 'Compare to',
  json: 'Edit as JSON',
} as const

export type Options = readonly { readonly value: string; readonly label: string }[]

export const MATHS: Options = [
  { value: 'total', label: 'Total count' },
  { value: 'dau', label: 'Unique persons' },
  { value: 'weekly_active', label: 'Weekly active persons' },
  { value: 'monthly_active', label: 'Monthly active persons' },
  { value: 'unique_session', label: 'Unique sessions' },
  { value: 'first_time_for_user', label: 'First time for person' },
  { value: 'first_matching_event_for_user', label: 'First matching event for person' },
  { value: 'sum', label: 'Sum of' },
  { value: 'avg', label: 'Average of' },
  { value: 'min', label: 'Minimum of' },
  { value: 'max', label: 'Maximum of' },
  { value: 'median', label: 'Median of' },
  ...[75, 90, 95, 99].map((part) => ({ value: `p${part}`, label: `${part}th percentile of` })),
]

/** Offsets of the comparison; a period is as long as the range. */
export const COMPARED: Options = [
  { value: '', label: 'No comparison' },
  { value: 'period', label: 'Previous period' },
  { value: '-7d', label: 'Same days of the week before' },
  { value: '-28d', label: 'Same days 4 weeks before' },
  { value: '-1m', label: 'Month before' },
  { value: '-1y', label: 'Year before' },
]

export const INTERVALS: Options = [
  { value: 'minute', label: 'Minute' },
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

export const DISPLAYS: Options = [
  { value: 'ActionsLineGraph', label: 'Line chart' },
  { value: 'ActionsLineGraphCumulative', label: 'Cumulative line chart' },
  { value: 'ActionsBar', label: 'Bar chart' },
  { value: 'ActionsBarValue', label: 'Horizontal bar chart' },
  { value: 'ActionsPie', label: 'Pie chart' },
  { value: 'BoldNumber', label: 'Number' },
  { value: 'ActionsTable', label: 'Table' },
]

export const BREAKDOWNS: Options = [
  { value: '', label: 'No breakdown' },
  { value: 'event', label: 'Event property' },
  { value: 'person', label: 'Person property' },
  { value: 'event_metadata', label: 'Event name' },
  { value: 'cohort', label: 'Cohorts' },
]

export const ATTRIBUTIONS: Options = [
  { value: 'first_touch', label: 'First touchpoint' },
  { value: 'last_touch', label: 'Last touchpoint' },
  { value: 'all_events', label: 'All steps' },
]

export const SAVE_TEXTS = {
  save: 'Save',
  saveChanges: 'Save changes',
  discard: 'Discard changes',
  more: 'More for this insight',
  saveAs: 'Save as…',
  rename: 'Rename…',
  alerts: 'Alerts',
  share: 'Share',
  toDashboard: 'Add to dashboard…',
  subscribe: 'Subscribe',
  download: 'Download',
  remove: 'Delete…',
  saved: 'Saved',
} as const
