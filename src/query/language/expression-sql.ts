/** Writes a checked expression as SQL. */
import { instant } from '../../store/events/event-selection.ts'
import { type Fragment, fragment, numbered } from '../../store/pool/fragment.ts'
import { FIELDS, propertyText } from './fields.ts'
import type { Typed, ValueType } from './typed.ts'

/**
 * The SQL of an expression, over the row aliases `e` (events) and `p` (the event's person), or over
 * the columns of groups. Literals and keys are bound, so the statement has no text of a request.
 */
export function expressionSql(node: Typed): Fragment {
  switch (node.kind) {
    case 'constant':
      return constantSql(node.type, node.value)
    case 'null':
      return NULLS[node.type]
    case 'field':
      return FIELDS[node.field].sql
    case 'property':
      return propertyText(node.source, node.key)
    case 'column':
      return numbered(node.of, node.place)
    case 'apply':
      return node.build(...node.args.map(expressionSql))
    default:
      return node satisfies never
  }
}

/** Whether the event's person must be joined. */
export function needsPerson(node: Typed): boolean {
  switch (node.kind) {
    case 'field':
      return FIELDS[node.field].ofPerson
    case 'property':
      return node.source === 'person'
    case 'apply':
      return node.args.some(needsPerson)
    default:
      return false
  }
}

function constantSql(type: ValueType, value: string): Fragment {
  switch (type) {
    case 'Bool':
      return fragment`(${value}::boolean)`
    case 'DateTime':
      return instant(value)
    case 'UUID':
      return fragment`(${value}::uuid)`
    case 'String':
      return fragment`(${value}::text)`
    default:
      return fragment`(${value}::numeric)`
  }
}

const NULLS: Readonly<Record<ValueType, Fragment>> = {
  String: fragment`(null::text)`,
  UInt64: fragment`(null::numeric)`,
  Int64: fragment`(null::numeric)`,
  Float64: fragment`(null::numeric)`,
  Bool: fragment`(null::boolean)`,
  UUID: fragment`(null::uuid)`,
  DateTime: fragment`(null::timestamptz)`,
}
