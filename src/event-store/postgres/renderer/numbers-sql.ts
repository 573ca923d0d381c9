/** Operations on numbers, all of which are numeric. */
import { fragment } from '../../../postgres/fragment.ts'
import type { Postgres } from './postgres-dialect.ts'

export const NUMBERS_SQL = {
  add: ([left, right]) => fragment`(${left} + ${right})`,
  subtract: ([left, right]) => fragment`(${left} - ${right})`,
  multiply: ([left, right]) => fragment`(${left} * ${right})`,
  divide: ([left, right]) => fragment`(${left} / nullif(${right}, 0))`,
  modulo: ([left, right]) => fragment`(${left} % nullif(${right}, 0))`,
  negate: ([number]) => fragment`(- ${number})`,
  abs: ([number]) => fragment`abs(${number})`,
  floor: ([number]) => fragment`floor(${number})`,
  ceil: ([number]) => fragment`ceil(${number})`,
  round: ([number], { digits }) => fragment`round(${number}, ${String(digits)}::integer)`,
  greatest: ([left, right]) => fragment`greatest(${left}, ${right})`,
  least: ([left, right]) => fragment`least(${left}, ${right})`,
  number: ([number]) => number,
  whole: ([number]) => fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= -9223372036854775808 && @ <= 9223372036854775807)')::numeric`,
} satisfies Partial<Postgres>
