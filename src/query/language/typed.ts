/** The tree of checked expressions: every part has a type and can be written as SQL. */
import type { Fragment } from '../../store/pool/fragment.ts'

export type FieldName =
  | 'uuid'
  | 'event'
  | 'timestamp'
  | 'distinct_id'
  | 'properties'
  | 'elements_chain'
  | 'created_at'
  | 'team_id'
  | 'person.id'
  | 'person.created_at'
  | 'person.properties'

/** The names of types in answers. In SQL the three number types are numeric. */
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
  /** A column of a grouped query: a key or an aggregate. */
  | {
      readonly kind: 'column'
      readonly type: ValueType
      readonly of: 'key' | 'aggregate'
      readonly place: number
      /** The key is a plain property, so it may be read as another type. */
      readonly isProperty: boolean
    }

/**
 * Makes SQL of arguments in SQL, each in brackets where it needs them. An argument occurs once in
 * the result unless it is a leaf: an argument that occurs twice doubles the statement at every
 * level.
 */
export type Build = (...args: readonly Fragment[]) => Fragment

export function isNumeric(type: ValueType): boolean {
  return type === 'UInt64' || type === 'Int64' || type === 'Float64'
}

/** True for a plain property, which can be read as any type. */
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

/** The name of a type in an error. */
export function nameOf(type: ValueType): string {
  return NAMES[type]
}
