/** Writes checked expressions as SQL of Postgres. */
import type { Applied, FieldName, Typed } from '../../../events/trees/expression.ts'
import type { ValueType } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment, numbered } from '../../../postgres/fragment.ts'
import { instant } from './instants.ts'
import { OPERATIONS_SQL } from './operations-sql.ts'

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
      return FIELDS[node.field]
    case 'property':
      return propertyText(node.source, node.key)
    case 'column':
      return numbered(node.of, node.place)
    case 'apply':
      return appliedSql(node)
    default:
      return node satisfies never
  }
}

/** Writes any operation: its node is its own, and has the arguments that its signature wants. */
type Write = (args: readonly Fragment[], node: Applied) => Fragment

function appliedSql(node: Applied): Fragment {
  const write = OPERATIONS_SQL[node.operation] as Write
  return write(node.args.map(expressionSql), node)
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

/** The three types of numbers are numeric. */
const NULLS: Readonly<Record<ValueType, Fragment>> = {
  String: fragment`(null::text)`,
  UInt64: fragment`(null::numeric)`,
  Int64: fragment`(null::numeric)`,
  Float64: fragment`(null::numeric)`,
  Bool: fragment`(null::boolean)`,
  UUID: fragment`(null::uuid)`,
  DateTime: fragment`(null::timestamptz)`,
}

const FIELDS: Readonly<Record<FieldName, Fragment>> = {
  uuid: fragment`e.uuid`,
  event: fragment`e.event`,
  timestamp: fragment`e.timestamp`,
  distinct_id: fragment`e.distinct_id`,
  properties: fragment`e.properties::text`,
  elements_chain: fragment`e.elements_chain`,
  created_at: fragment`e.created_at`,
  team_id: fragment`e.project_id::numeric`,
  'person.id': fragment`p.uuid`,
  'person.created_at': fragment`p.created_at`,
  'person.properties': fragment`p.properties::text`,
}

function propertyText(source: 'event' | 'person', key: string): Fragment {
  return source === 'event'
    ? fragment`coalesce(e.properties ->> ${key}, '')`
    : fragment`coalesce(p.properties ->> ${key}, '')`
}
