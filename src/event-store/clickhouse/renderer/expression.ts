/** Writes checked expressions as SQL of ClickHouse. */

import { ColumnError } from '../../../clickhouse/column-error.ts'
import type { Applied, FieldName, Typed } from '../../../events/trees/expression.ts'
import { isNumeric, type ValueType } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment, numbered } from '../../../postgres/fragment.ts'
import { normalDecimal } from './decimals.ts'
import { memberText } from './json-member.ts'
import { exactNumber } from './numbers.ts'
import { OPERATIONS } from './operations.ts'
import { type Written, written } from './written.ts'

/**
 * An expression over the row alias `e` (events), or over the columns of groups. Literals and keys
 * are bound, so the statement has no text of a request. Run it with `READ_SETTINGS`.
 * @param columnOf what a column of groups is; by itself its name says it.
 * @throws {ColumnError} `not_here` where it asks of persons, who are in Postgres.
 */
export function expressionIn(node: Typed, columnOf: ColumnOf = named): Written {
  switch (node.kind) {
    case 'constant':
      return constant(node.type, node.value)
    case 'null':
      return written(NULLS[node.type], isNumeric(node.type) ? NO_TEXT : undefined)
    case 'field':
      return field(node.field)
    case 'property':
      if (node.source === 'person') throw ofPersons()
      return written(fragment`ifNull(${memberText(fragment`e.properties`, node.key)}, '')`)
    case 'column':
      return columnOf(node)
    case 'apply':
      return applied(node, columnOf)
    default:
      return node satisfies never
  }
}

/** A column of groups. */
export type ColumnOf = (column: Extract<Typed, { kind: 'column' }>) => Written

function named({ of, place }: { of: 'key' | 'aggregate'; place: number }): Written {
  return written(numbered(of, place))
}

export function ofPersons(): ColumnError {
  return new ColumnError('not_here', 'persons and groups are in Postgres')
}

/** Writes any operation: its node is its own, and has the arguments that its signature wants. */
type Write = (args: readonly Written[], node: Applied) => Written

function applied(node: Applied, columnOf: ColumnOf): Written {
  const write = OPERATIONS[node.operation] as Write
  const args = node.args.map((each) => expressionIn(each, columnOf))
  return write(args, node)
}

function constant(type: ValueType, value: string): Written {
  switch (type) {
    case 'Bool':
      return written(fragment`(${value} = 'true')`)
    case 'DateTime':
      return written(fragment`toInt64(${value})`)
    case 'UUID':
      return written(fragment`${value.toLowerCase()}`)
    case 'String':
      return written(fragment`${value}`)
    default:
      return exactNumber(fragment`${normalDecimal(value)}`)
  }
}

const NO_TEXT = fragment`CAST(null, 'Nullable(String)')`
const NO_NUMBER = fragment`CAST(null, 'Nullable(Float64)')`
const NULLS: Readonly<Record<ValueType, Fragment>> = {
  String: NO_TEXT,
  UInt64: NO_NUMBER,
  Int64: NO_NUMBER,
  Float64: NO_NUMBER,
  Bool: fragment`CAST(null, 'Nullable(Bool)')`,
  UUID: NO_TEXT,
  DateTime: fragment`CAST(null, 'Nullable(Int64)')`,
}

function field(name: FieldName): Written {
  switch (name) {
    case 'uuid':
      return written(fragment`toString(e.uuid)`)
    case 'event':
      return written(fragment`toString(e.event)`)
    case 'timestamp':
      return written(fragment`e.timestamp_us`)
    case 'created_at':
      return written(fragment`e.created_us`)
    case 'distinct_id':
      return written(fragment`e.distinct_id`)
    case 'properties':
      return written(fragment`e.properties`)
    case 'elements_chain':
      return written(fragment`e.elements_chain`)
    case 'team_id':
      return exactNumber(fragment`toString(e.project_id)`)
    case 'person.id':
    case 'person.created_at':
    case 'person.properties':
      throw ofPersons()
    default:
      return name satisfies never
  }
}
