/** The operators of the expression language. */
import { commas, type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { like } from './patterns.ts'
import { alike, MANY, numeric, type Rule, taking, widest } from './rules.ts'
import { concatenated, textOf } from './text-of.ts'
import type { Operator } from './tree.ts'
import type { Build, ValueType } from './typed.ts'

export const OPERATOR_RULES: Readonly<Record<Operator, Rule>> = {
  or: conditions((all, each) => fragment`${all} or ${each}`),
  and: conditions((all, each) => fragment`${all} and ${each}`),
  not: taking(['Bool'], 'Bool', (condition) => fragment`(not (${condition}))`),

  '=': comparison((left, right) => fragment`(${left} = ${right})`),
  '!=': comparison((left, right) => fragment`(${left} <> ${right})`),
  '<': comparison((left, right) => fragment`(${left} < ${right})`),
  '<=': comparison((left, right) => fragment`(${left} <= ${right})`),
  '>': comparison((left, right) => fragment`(${left} > ${right})`),
  '>=': comparison((left, right) => fragment`(${left} >= ${right})`),
  between: alike([3, 3], 'Bool', ordered(between)),
  'not between': alike(
    [3, 3],
    'Bool',
    ordered((value, low, high) => fragment`(not ${between(value, low, high)})`),
  ),
  in: alike([2, MANY], 'Bool', () => isIn),
  'not in': alike([2, MANY], 'Bool', () => (value, ...items) => {
    return fragment`(not ${isIn(value, ...items)})`
  }),
  'is null': isNull((value) => fragment`((${value}) is null)`),
  'is not null': isNull((value) => fragment`((${value}) is not null)`),

  like: like('like'),
  ilike: like('ilike'),
  'not like': like('notLike'),
  'not ilike': like('notIlike'),

  '+': numeric(2, widest, (left, right) => fragment`(${left} + ${right})`),
  '-': numeric(2, widest, (left, right) => fragment`(${left} - ${right})`),
  '*': numeric(2, widest, (left, right) => fragment`(${left} * ${right})`),
  '/': numeric(
    2,
    () => 'Float64',
    (left, right) => fragment`(${left} / nullif(${right}, 0))`,
  ),
  '%': numeric(2, widest, (left, right) => fragment`(${left} % nullif(${right}, 0))`),
  minus: numeric(1, widest, (value) => fragment`(- ${value})`),
  '||': {
    arityMin: 2,
    arityMax: MANY,
    apply: (args) => apply('String', args.map(textOf), concatenated),
  },
}

/** Texts are ordered by bytes, so that the locale of a server does not matter. */
function ordered(build: Build): (type: ValueType) => Build {
  const byBytes = (value: Fragment) => fragment`((${value}) collate "C")`
  return (type) => (type === 'String' ? (...args) => build(...args.map(byBytes)) : build)
}

function comparison(build: Build): Rule {
  return alike([2, 2], 'Bool', ordered(build))
}

function between(value: Fragment, low: Fragment, high: Fragment): Fragment {
  return fragment`(${value} between ${low} and ${high})`
}

function isIn(value: Fragment, ...items: readonly Fragment[]): Fragment {
  return fragment`(${value} in (${commas(items)}))`
}

function isNull(build: Build): Rule {
  return { arityMin: 1, arityMax: 1, apply: (args) => apply('Bool', args, build) }
}

function conditions(add: (all: Fragment, each: Fragment) => Fragment): Rule {
  return {
    arityMin: 2,
    arityMax: MANY,
    apply: (args, nowMs) => {
      const wants = args.map((): ValueType => 'Bool')
      const build: Build = (first, ...others) => fragment`(${others.reduce(add, first)})`
      return taking(wants, 'Bool', build).apply(args, nowMs)
    },
  }
}
