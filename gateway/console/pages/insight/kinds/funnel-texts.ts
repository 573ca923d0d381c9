/** Texts that load with the settings of a funnel. */
import type { Options } from '../texts.ts'

export const FUNNEL_TEXTS = {
  settings: 'Settings',
  order: 'Order of the steps',
  within: 'Within',
  unit: 'Unit of time',
  shape: 'Show',
  exclusions: 'Without persons who do',
  addExclusion: 'Add an exclusion',
  fromStep: 'After step',
  toStep: 'Before step',
  removeExclusion: 'Remove exclusion',
} as const

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
