/** The types of values in expressions. */

/** Their names in answers. A store may have one type for the three of numbers. */
export type ValueType = 'String' | 'UInt64' | 'Int64' | 'Float64' | 'Bool' | 'UUID' | 'DateTime'

export function isNumeric(type: ValueType): boolean {
  return type === 'UInt64' || type === 'Int64' || type === 'Float64'
}

export const TIME_UNITS = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const
export type TimeUnit = (typeof TIME_UNITS)[number]
