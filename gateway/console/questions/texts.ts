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
  before: 'previous period',
  none: 'None',
  others: 'All others',
  series: 'Series',
  value: 'Number',
  nothing: 'No event of this range matches. A longer range or fewer filters may help.',
  unknown: 'This kind of question has no drawing. Its answer is below.',
  converted: 'Converted',
  stepTime: 'on average',
  open: 'still have time',
  seconds: 'Seconds',
  persons: 'Persons',
  pathsTitle: 'Paths',
  from: 'From',
  to: 'To',
  times: 'Times',
  average: 'On average after',
  group: 'Group',
  activeFor: 'Active for',
  rows: 'Events',
  moreRows: 'There are more rows than the limit of the question.',
} as const

export const STATUS_NAMES: Readonly<Record<string, string>> = {
  new: 'New',
  returning: 'Returning',
  resurrecting: 'Resurrecting',
  dormant: 'Dormant',
}
