/** Statements with their parameters. */

import type { Parameters } from '../../../clickhouse/address.ts'
import type { Fragment } from '../../../postgres/fragment.ts'

/** Doubles are the nearest ones to their text; ClickHouse by itself may be one beside. */
export const READ_SETTINGS = 'settings precise_float_parsing = 1'

/** Each value as a parameter of type `String`; equal ones are one. */
export function toStatement({ text, values }: Fragment): { sql: string; parameters: Parameters } {
  const names = new Map<string, string>()
  const parts = text.map((part, index) => {
    if (index === 0) return part
    const value = values[index - 1] ?? ''
    const name = names.get(value) ?? `v${names.size}`
    names.set(value, name)
    return `{${name}: String}${part}`
  })
  const parameters = Object.fromEntries([...names].map(([value, name]) => [name, value]))
  return { sql: parts.join(''), parameters }
}
