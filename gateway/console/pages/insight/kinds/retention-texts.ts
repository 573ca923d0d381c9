/** Texts that load with the settings of retention. */
import type { Options } from '../texts.ts'

export const RETENTION_TEXTS = {
  settings: 'Settings',
  target: 'Persons who do',
  returning: 'And come back with',
  period: 'Period',
  intervals: 'Number of periods',
  first: 'Which persons',
  cumulative: 'Cumulative: count later returns too',
} as const

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
