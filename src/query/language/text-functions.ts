/** Functions of texts. */
import { byType, MANY, type Rule, taking } from './rules.ts'
import { concatenated, textOf } from './text-of.ts'

export const TEXT_FUNCTIONS: Readonly<Record<string, Rule>> = {
  toString: byType(textOf),
  length: taking(['String'], 'UInt64', 'length'),
  lower: taking(['String'], 'String', 'lower'),
  upper: taking(['String'], 'String', 'upper'),
  trim: taking(['String'], 'String', 'trim'),
  empty: taking(['String'], 'Bool', 'is_empty'),
  notEmpty: taking(['String'], 'Bool', 'is_not_empty'),
  concat: { arityMin: 1, arityMax: MANY, apply: concatenated },
  substring: taking(['String', 'Float64', 'Float64'], 'String', 'substring', 1),
  startsWith: taking(['String', 'String'], 'Bool', 'starts_with'),
  endsWith: taking(['String', 'String'], 'Bool', 'ends_with'),
  like: taking(['String', 'String'], 'Bool', 'like'),
  ilike: taking(['String', 'String'], 'Bool', 'ilike'),
  notLike: taking(['String', 'String'], 'Bool', 'not_like'),
  replace: taking(['String', 'String', 'String'], 'String', 'replace'),
  replaceOne: taking(['String', 'String', 'String'], 'String', 'replace_first'),
}
