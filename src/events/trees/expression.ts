/** Checked expressions as trees: every part has a type, and all of it is data. */

import type { LocalTime } from './local-time.ts'
import type { ArgumentsOf, Operation } from './operations.ts'
import type { TimeUnit, ValueType } from './value-type.ts'

export type Typed =
  /** `value` is digits, a text, `true`, or microseconds since the epoch. */
  | { readonly kind: 'constant'; readonly type: ValueType; readonly value: string }
  | { readonly kind: 'null'; readonly type: ValueType }
  | { readonly kind: 'field'; readonly type: ValueType; readonly field: FieldName }
  /** Text of the property, without JSON's quotes; empty when it is missing or null. */
  | {
      readonly kind: 'property'
      readonly type: 'String'
      readonly source: 'event' | 'person'
      readonly key: string
    }
  | Applied
  /** A column of a grouped query: a key or an aggregate. */
  | {
      readonly kind: 'column'
      readonly type: ValueType
      readonly of: 'key' | 'aggregate'
      readonly place: number
      /** The key is a plain property, so it may be read as another type. */
      readonly isProperty: boolean
    }

/** An operation on arguments, which are as `OPERATIONS` says. */
export type Applied = Plain | Rounding | OfUnit

type Node = {
  readonly kind: 'apply'
  readonly type: ValueType
  readonly args: readonly Typed[]
}
type Plain = Node & { readonly operation: PlainOperation }
type Rounding = Node & { readonly operation: 'round'; readonly digits: number }
type OfUnit = Node & {
  readonly operation: 'start_of' | 'difference'
  readonly unit: TimeUnit
  /** Zone of the units; UTC without one. */
  readonly local?: LocalTime | undefined
}

/** Operations that are defined by their arguments alone. */
export type PlainOperation = Exclude<Operation, 'round' | 'start_of' | 'difference'>

type NodeOf<Name extends Operation> = Name extends 'round'
  ? Rounding
  : Name extends 'start_of' | 'difference'
    ? OfUnit
    : Plain

/** How a store writes each operation over arguments that are written already. */
export type Dialect<Written> = {
  readonly [Name in Operation]: (args: ArgumentsOf<Name, Written>, node: NodeOf<Name>) => Written
}

/** Whether something is asked of the event's person. */
export function needsPerson(node: Typed): boolean {
  switch (node.kind) {
    case 'field':
      return FIELDS[node.field].ofPerson
    case 'property':
      return node.source === 'person'
    case 'apply':
      return node.args.some(needsPerson)
    case 'constant':
    case 'null':
    case 'column':
      return false
    default:
      return node satisfies never
  }
}

/** The fields of events and of their persons that an expression may name. */
type FieldRule = { readonly type: ValueType; readonly ofPerson: boolean }

const FIELD_RULES = {
  uuid: ofEvent('UUID'),
  event: ofEvent('String'),
  timestamp: ofEvent('DateTime'),
  distinct_id: ofEvent('String'),
  /** JSON text, as `person.properties` is. */
  properties: ofEvent('String'),
  elements_chain: ofEvent('String'),
  created_at: ofEvent('DateTime'),
  team_id: ofEvent('Int64'),
  'person.id': ofPerson('UUID'),
  'person.created_at': ofPerson('DateTime'),
  'person.properties': ofPerson('String'),
} satisfies Record<string, FieldRule>

export type FieldName = keyof typeof FIELD_RULES
export const FIELDS: Readonly<Record<FieldName, FieldRule>> = FIELD_RULES

function ofEvent(type: ValueType): FieldRule {
  return { type, ofPerson: false }
}

function ofPerson(type: ValueType): FieldRule {
  return { type, ofPerson: true }
}
