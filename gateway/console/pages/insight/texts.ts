export const INSIGHT_TEXTS = {
  title: 'New insight',
  insight: 'Insight',
  back: 'All insights',
  unreadable: 'The address holds no question that can be read. This is a new one.',
  kinds: 'Kind of question',
  undo: 'Undo',
  redo: 'Redo',
  question: 'Question',
  answer: 'Answer',
  // Series.
  series: 'Events',
  steps: 'Steps',
  event: 'Event',
  allEvents: 'All events',
  count: 'Count',
  property: 'Property',
  addSeries: 'Add events',
  addStep: 'Add a step',
  more: 'More for',
  up: 'Move up',
  down: 'Move down',
  copy: 'Duplicate',
  remove: 'Remove',
  formula: 'Formula',
  formulaHint: 'With the letters of the events: A / B, (A + B) / C.',
  // For all.
  filters: 'Filters of all events',
  filtersAsJson: 'These filters are of a kind that can be changed in the JSON only.',
  testAccounts: 'Leave out test accounts',
  breakdown: 'Break down by',
  breakdownAsJson: 'This breakdown can be changed in the JSON only.',
  values: 'Values at most',
  interval: 'Each',
  display: 'Show as',
  compare: 'Compare with the range before',
  // Funnels.
  settings: 'Settings',
  order: 'Order of the steps',
  within: 'Within',
  unit: 'Unit of time',
  shape: 'Show',
  attribution: 'Which value counts',
  exclusions: 'Without persons who do',
  addExclusion: 'Add an exclusion',
  fromStep: 'After step',
  toStep: 'Before step',
  removeExclusion: 'Remove exclusion',
  // Retention.
  target: 'Persons who do',
  returning: 'And come back with',
  period: 'Period',
  intervals: 'Number of periods',
  first: 'Which persons',
  cumulative: 'Count those too who come back later',
  // Paths.
  start: 'Start at',
  end: 'End at',
  ofPath: 'A page or an event; empty for all.',
  stepLimit: 'Steps at most',
  edgeLimit: 'Ways at most',
  types: 'Made of',
  // Table.
  columns: 'Columns',
  columnsHint: 'One expression a line: event, timestamp, count(), properties.plan.',
  conditions: 'Conditions',
  conditionsHint: 'One expression a line; all must hold.',
  sort: 'Sort by',
  sortHint: 'A column, with - in front from the largest down.',
  rows: 'Rows at most',
  // JSON.
  json: 'As JSON',
  jsonLabel: 'The question as JSON',
  jsonHint: 'What goes into query. What is changed here holds for the builder too.',
  jsonWrong: 'This is no JSON object.',
  apply: 'Apply',
  copyJson: 'Copy',
} as const

type Options = readonly { readonly value: string; readonly label: string }[]

export const MATHS: Options = [
  { value: 'total', label: 'Events' },
  { value: 'dau', label: 'Persons' },
  { value: 'weekly_active', label: 'Persons of 7 days' },
  { value: 'monthly_active', label: 'Persons of 30 days' },
  { value: 'unique_session', label: 'Sessions' },
  { value: 'first_time_for_user', label: 'Persons, first time' },
  { value: 'sum', label: 'Sum of' },
  { value: 'avg', label: 'Average of' },
  { value: 'min', label: 'Smallest of' },
  { value: 'max', label: 'Largest of' },
  { value: 'median', label: 'Median of' },
  { value: 'p75', label: '75th percentile of' },
  { value: 'p90', label: '90th percentile of' },
  { value: 'p95', label: '95th percentile of' },
  { value: 'p99', label: '99th percentile of' },
]

export const INTERVALS: Options = [
  { value: 'minute', label: 'Minute' },
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

export const DISPLAYS: Options = [
  { value: 'ActionsLineGraph', label: 'Lines' },
  { value: 'ActionsLineGraphCumulative', label: 'Running total' },
  { value: 'ActionsBar', label: 'Bars' },
  { value: 'BoldNumber', label: 'Number' },
  { value: 'ActionsTable', label: 'Table' },
]

export const BREAKDOWNS: Options = [
  { value: '', label: 'Nothing' },
  { value: 'event', label: 'Property of the event' },
  { value: 'person', label: 'Property of the person' },
  { value: 'event_metadata', label: 'Name of the event' },
]

export const ORDERS: Options = [
  { value: 'ordered', label: 'One after the other' },
  { value: 'strict', label: 'With no other event between' },
  { value: 'unordered', label: 'In any order' },
]

export const UNITS: Options = [
  { value: 'second', label: 'Seconds' },
  { value: 'minute', label: 'Minutes' },
  { value: 'hour', label: 'Hours' },
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
]

export const SHAPES: Options = [
  { value: 'steps', label: 'Steps' },
  { value: 'time_to_convert', label: 'Time to convert' },
  { value: 'trends', label: 'Conversion over time' },
]

export const ATTRIBUTIONS: Options = [
  { value: 'first_touch', label: 'That of the first step' },
  { value: 'last_touch', label: 'That of the last step' },
  { value: 'all_events', label: 'Those of all steps' },
]

export const PERIODS: Options = [
  { value: 'Hour', label: 'Hour' },
  { value: 'Day', label: 'Day' },
  { value: 'Week', label: 'Week' },
  { value: 'Month', label: 'Month' },
]

export const RETENTION_TYPES: Options = [
  { value: 'retention_recurring', label: 'All who do it in the period' },
  { value: 'retention_first_time', label: 'Those who do it for the first time' },
]

export const PATH_TYPES: Options = [
  { value: '$pageview', label: 'Pages' },
  { value: '$screen', label: 'Screens' },
  { value: 'custom_event', label: 'Own events' },
]

export const SAVE_TEXTS = {
  save: 'Save',
  saveChanges: 'Save changes',
  discard: 'Discard changes',
  more: 'More for this insight',
  saveAs: 'Save as…',
  rename: 'Rename…',
  toDashboard: 'Add to a dashboard…',
  remove: 'Delete…',
  saveTitle: 'Save the insight',
  name: 'Name',
  saved: 'Saved',
  renameTitle: 'Rename the insight',
  renameAction: 'Rename',
  removeTitle: 'Delete this insight?',
  removeText: 'It goes from all dashboards too, and cannot be brought back.',
  removeAction: 'Delete insight',
  removed: 'Insight deleted',
  toDashboardTitle: 'Add to a dashboard',
  dashboard: 'Dashboard',
  newDashboard: 'A new dashboard',
  add: 'Add',
  added: 'Added to the dashboard',
} as const
