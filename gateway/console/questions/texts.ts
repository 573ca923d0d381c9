import type { Kind } from './question.ts'

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  TrendsQuery: 'Trends',
  FunnelsQuery: 'Funnel',
  RetentionQuery: 'Retention',
  PathsQuery: 'Paths',
  StickinessQuery: 'Stickiness',
  LifecycleQuery: 'Lifecycle',
  EventsQuery: 'Table',
}

export const RESULT_TEXTS = {
  time: 'Time',
  result: 'Result',
  series: 'Series',
  value: 'Value',
  share: 'Share',
  nothing: 'No matching events in this date range. Try a longer range or fewer filters.',
  unknown: 'This type of query has no chart. Its raw result is below.',
  converted: 'Converted',
  stepTime: 'on average',
  open: 'in progress',
  persons: 'Persons',
  average: 'Average time',
  cohort: 'Cohort',
  mean: 'Mean',
  curve: 'Retention curve',
  notOver: '* This period is not over yet: the number may still rise.',
  activeFor: 'Active for',
  rows: 'Events',
  moreRows: 'Not all rows are shown: the limit is reached.',
} as const
