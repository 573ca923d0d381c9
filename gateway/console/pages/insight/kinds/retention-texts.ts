/** Texts that load with the settings of retention. */
import type { Options } from '../texts.ts'

export const RETENTION_TEXTS = {
  settings: 'Settings',
  target: 'Who performed',
  returning: 'And came back to perform',
  period: 'Period',
  intervals: 'Number of periods',
  first: 'Retention type',
  cumulative: 'Rolling retention: count later returns too',
} as const

export const PERIODS: Options = [
  { value: 'Hour', label: 'Hour' },
  { value: 'Day', label: 'Day' },
  { value: 'Week', label: 'Week' },
  { value: 'Month', label: 'Month' },
]

export const RETENTION_TYPES: Options = [
  { value: 'retention_recurring', label: 'Recurring: each time in the period' },
  { value: 'retention_first_time', label: 'For the first time' },
]
