/** Texts that load with the settings of a funnel. */
import type { Options } from '../texts.ts'

export const FUNNEL_TEXTS = {
  settings: 'Settings',
  order: 'Step order',
  within: 'Conversion window',
  unit: 'Time unit',
  shape: 'Graph type',
  exclusions: 'Exclusion steps',
  addExclusion: 'Add exclusion',
  fromStep: 'After step',
  toStep: 'Before step',
  removeExclusion: 'Remove exclusion',
} as const

export const ORDERS: Options = [
  { value: 'ordered', label: 'Sequential' },
  { value: 'strict', label: 'Strict order' },
  { value: 'unordered', label: 'Any order' },
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
  { value: 'trends', label: 'Historical trends' },
]
