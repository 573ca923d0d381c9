/**
 * Arrays of the types that our statements use, by the server's numbers for them, which never change
 * (`select oid, typarray from pg_type`). The driver would ask each new connection instead.
 */
import type { PostgresType } from 'postgres'

type ElementType = {
  readonly array: number
  /** Text of one element; without quotes and escapes. */
  readonly serialize: (value: unknown) => string
  readonly parse: (text: string) => unknown
}

const text = { serialize: String, parse: (value: string) => value }
const number = { serialize: String, parse: Number }

const ELEMENTS: Readonly<Record<string, ElementType>> = {
  boolean: {
    array: 1000,
    serialize: (value) => (value === true ? 't' : 'f'),
    parse: (value) => value === 't',
  },
  name: { array: 1003, ...text },
  smallint: { array: 1005, ...number },
  integer: { array: 1007, ...number },
  text: { array: 1009, ...text },
  bigint: { array: 1016, serialize: String, parse: BigInt },
  real: { array: 1021, ...number },
  double: { array: 1022, ...number },
  date: { array: 1182, ...moments() },
  timestamptz: { array: 1185, ...moments() },
  uuid: { array: 2951, ...text },
}

function moments(): Omit<ElementType, 'array'> {
  return {
    serialize: (value) => new Date(value instanceof Date ? value : String(value)).toISOString(),
    parse: (value) => new Date(value),
  }
}

export const ARRAY_TYPES: Readonly<Record<string, PostgresType>> = Object.fromEntries(
  Object.entries(ELEMENTS).map(([name, { array, serialize, parse }]) => [
    `${name}Array`,
    {
      to: array,
      from: [array],
      // A text is an array in the server's own form already.
      serialize: (value: unknown) =>
        Array.isArray(value) ? arrayText(value, serialize) : String(value),
      parse: (value: string) => parseArray(value, parse),
    },
  ]),
)

/** `{"a","b",NULL}`. Arrays of arrays are not needed. */
export function arrayText(
  values: readonly unknown[],
  serialize: (value: unknown) => string,
): string {
  const texts = values.map((value) =>
    value === null ? 'NULL' : `"${serialize(value).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${texts.join(',')}}`
}

/** One element: in quotes, with escapes, or up to the comma. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs

/** Parses an array of one dimension. */
export function parseArray(value: string, parse: (text: string) => unknown): unknown[] {
  return Array.from(value.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return bare === undefined || bare === 'NULL' ? null : parse(bare)
  })
}
