/** Expressions that are understood: every part has a type, and says how it is made in SQL. */
import type { Fragment } from '../../store/pool/fragment.ts'
import type { FieldName } from './fields.ts'

/** As answers name them. In SQL the three kinds of numbers are numeric. */
export type ValueType = 'String' | 'UInt64' | 'Int64' | 'Float64' | 'Bool' | 'UUID' | 'DateTime'

export type Typed =
  /** `value` is bound: digits, a text, `true`, or microseconds since the epoch. */
  | { readonly kind: 'constant'; readonly type: ValueType; readonly value: string }
  | { readonly kind: 'null'; readonly type: ValueType }
  | { readonly kind: 'field'; readonly type: ValueType; readonly field: FieldName }
  | {
      readonly kind: 'property'
      readonly type: 'String'
      readonly source: 'event' | 'person'
      readonly key: string
    }
  | {
      readonly kind: 'apply'
      readonly type: ValueType
      readonly args: readonly Typed[]
      readonly build: Build
    }
  /** A column of a grouped query: what it is grouped by, or an aggregate. */
  | {
      readonly kind: 'column'
      readonly type: ValueType
      readonly of: 'key' | 'aggregate'
      readonly place: number
      /** The key is a property as it is, and so may be read as another type. */
      readonly isProperty: boolean
    }

/**
 * Makes SQL of arguments that are SQL already, each in brackets of its own where it needs them. An
 * argument is put in once unless it is a leaf: nested, two of each would double the statement at
 * every level.
 */
export type Build = (...args: readonly Fragment[]) => Fragment

export function isNumeric(type: ValueType): boolean {
  return type === 'UInt64' || type === 'Int64' || type === 'Float64'
}

/** A property as it is, which takes the type that is wanted of it. */
export function isProperty(node: Typed): boolean {
  return node.kind === 'property' || (node.kind === 'column' && node.isProperty)
}

const NAMES: Readonly<Record<ValueType, string>> = {
  String: 'a text',
  UInt64: 'a number',
  Int64: 'a number',
  Float64: 'a number',
  Bool: 'a condition',
  UUID: 'a UUID',
  DateTime: 'a time',
}

/** What a type is called in the text of an error. */
export function nameOf(type: ValueType): string {
  return NAMES[type]
}
