/** The operators of the expression language. */
import type { PlainOperation } from '../../events/trees/expression.ts'
import type { ValueType } from '../../events/trees/value-type.ts'
import { apply } from './apply.ts'
import { alike, MANY, numeric, type Rule, taking, widest } from './rules.ts'
import { concatenated } from './text-of.ts'
import type { Operator } from './tree.ts'

export const OPERATOR_RULES: Readonly<Record<Operator, Rule>> = {
  or: conditions('or'),
  and: conditions('and'),
  not: taking(['Bool'], 'Bool', 'not'),

  '=': alike([2, 2], 'Bool', 'equal'),
  '!=': alike([2, 2], 'Bool', 'unequal'),
  '<': alike([2, 2], 'Bool', 'less'),
  '<=': alike([2, 2], 'Bool', 'less_or_equal'),
  '>': alike([2, 2], 'Bool', 'greater'),
  '>=': alike([2, 2], 'Bool', 'greater_or_equal'),
  between: alike([3, 3], 'Bool', 'between'),
  'not between': alike([3, 3], 'Bool', 'not_between'),
  in: alike([2, MANY], 'Bool', 'in'),
  'not in': alike([2, MANY], 'Bool', 'not_in'),
  'is null': ofAny('is_null'),
  'is not null': ofAny('is_not_null'),

  like: taking(['String', 'String'], 'Bool', 'like'),
  ilike: taking(['String', 'String'], 'Bool', 'ilike'),
  'not like': taking(['String', 'String'], 'Bool', 'not_like'),
  'not ilike': taking(['String', 'String'], 'Bool', 'not_ilike'),

  '+': numeric(2, widest, 'add'),
  '-': numeric(2, widest, 'subtract'),
  '*': numeric(2, widest, 'multiply'),
  '/': numeric(2, () => 'Float64', 'divide'),
  '%': numeric(2, widest, 'modulo'),
  minus: numeric(1, widest, 'negate'),
  '||': { arityMin: 2, arityMax: MANY, apply: concatenated },
}

function ofAny(operation: PlainOperation): Rule {
  return { arityMin: 1, arityMax: 1, apply: (args) => apply('Bool', operation, args) }
}

function conditions(operation: PlainOperation): Rule {
  return {
    arityMin: 2,
    arityMax: MANY,
    apply: (args, at) => {
      const wants = args.map((): ValueType => 'Bool')
      return taking(wants, 'Bool', operation).apply(args, at)
    },
  }
}
