/** Makes JSON Schemas of requests and answers. */
import protobuf from 'protobufjs'
import { messageType } from '../../src/wire/proto/proto.ts'
import type { FieldRules } from '../../src/wire/proto/rules.ts'
import type { FieldPlan } from '../../src/wire/validation/plan.ts'
import {
  answerTypes,
  bodyMembers,
  hiddenFields,
  isJsonText,
  isNullable,
  type Member,
  type Operation,
  optionalFields,
  publicName,
  sentence,
  shownFields,
} from './model.ts'

export type Schema = Readonly<Record<string, unknown>>

export function objectOf(
  fields: readonly FieldPlan[],
  commentOf: (name: string) => string | null | undefined,
): Schema {
  const properties = Object.fromEntries(
    fields.map((field) => [
      field.publicName,
      { ...described(commentOf(field.name)), ...inputType(field) },
    ]),
  )
  const required = fields.filter(({ rules }) => rules.required).map((each) => each.publicName)
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties }
}

/** Comments of the fields of a message within a body, by name. */
export function commentsOf(field: FieldPlan): Readonly<Record<string, string | null>> {
  const { fields } = messageType(field.message().name)
  return Object.fromEntries(Object.entries(fields).map(([name, { comment }]) => [name, comment]))
}

export function inputType(field: FieldPlan): Schema {
  const one = singleInput(field)
  if (field.repeated) return { type: 'array', items: one }
  return field.rules.nullable ? orNull(one) : one
}

function singleInput(field: FieldPlan): Schema {
  const { rules } = field
  switch (field.kind) {
    case 'text':
      return textType(rules)
    case 'integer':
    case 'reference':
      return integerType(rules)
    case 'double':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'json':
      return jsonType(rules)
    case 'message':
      return objectOf(bodyMembers(field), (name) => commentsOf(field)[name])
    case 'parts':
      return { type: 'string' }
    default:
      return field.kind satisfies never
  }
}

const FORMATS: Readonly<Record<string, Schema>> = {
  email: { format: 'email' },
  uuid: { format: 'uuid' },
  datetime: { format: 'date-time' },
  flag_key: { pattern: '^[A-Za-z0-9_-]+$' },
}

function textType(rules: FieldRules): Schema {
  const minimum = rules.min_length || (rules.blank || rules.choices.length > 0 ? 0 : 1)
  return {
    type: 'string',
    ...(rules.choices.length === 0 ? {} : { enum: rules.choices }),
    ...(FORMATS[rules.format] ?? {}),
    ...(minimum === 0 ? {} : { minLength: minimum }),
    ...(rules.max_length === 0 ? {} : { maxLength: rules.max_length }),
  }
}

function integerType({ minimum, maximum }: FieldRules): Schema {
  if (minimum === 0 && maximum === 0) return { type: 'integer', format: 'int32' }
  return { type: 'integer', minimum: Number(minimum), maximum: Number(maximum) }
}

function jsonType(rules: FieldRules): Schema {
  switch (rules.json) {
    case 'object':
      return { type: 'object' }
    case 'object_or_list':
      return { type: ['object', 'array'] }
    case 'list':
      return { type: 'array', ...maxItems(rules) }
    case 'string_list':
      return {
        type: 'array',
        items: {
          type: rules.item_nullable ? ['string', 'null'] : 'string',
          ...(rules.item_max_length === 0 ? {} : { maxLength: rules.item_max_length }),
        },
        ...maxItems(rules),
      }
    default:
      return {}
  }
}

function maxItems({ max_items: max }: FieldRules): Schema {
  return max === 0 ? {} : { maxItems: max }
}

export function schemasOf(all: readonly Operation[]): Schema {
  return Object.fromEntries(
    answerTypes(all).map((type) => {
      const optional = optionalFields(all, type)
      const fields = shownFields(type, hiddenFields(all, type))
      const properties = Object.fromEntries(
        fields.map((field) => [
          publicName(field),
          { ...described(field.comment), ...shownType(field) },
        ]),
      )
      const required = fields.filter(({ name }) => !optional.has(name)).map(publicName)
      const comment = described(type.comment)
      return [type.name, { type: 'object', ...comment, required, properties }]
    }),
  )
}

/** The schema of an answer's field. */
export function shownType(field: Member): Schema {
  field.resolve()
  const one = singleShown(field)
  if (field.repeated) return { type: 'array', items: one }
  return isNullable(field) && !isAnything(one) ? orNull(one) : one
}

function singleShown(field: Member): Schema {
  const { resolvedType } = field
  if (isJsonText(field)) return {}
  if (resolvedType instanceof protobuf.Enum) {
    return { type: 'string', enum: Object.keys(resolvedType.values) }
  }
  if (resolvedType instanceof protobuf.Type) {
    if (resolvedType.fullName === '.google.protobuf.Struct') return { type: 'object' }
    if (resolvedType.fullName === '.google.protobuf.ListValue') return { type: 'array' }
    if (resolvedType.fullName === '.google.protobuf.Value') return {}
    return reference(resolvedType.name)
  }
  switch (field.type) {
    case 'string':
      return { type: 'string' }
    case 'bool':
      return { type: 'boolean' }
    case 'double':
    case 'float':
      return { type: 'number' }
    default:
      return { type: 'integer' }
  }
}

function isAnything(schema: Schema): boolean {
  return Object.keys(schema).length === 0
}

function orNull(schema: Schema): Schema {
  const { type, enum: choices } = schema
  if (isAnything(schema)) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const more = Array.isArray(choices) ? { enum: [...choices, null] } : {}
  return { ...schema, ...more, type: [type, 'null'] }
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

export function described(comment: string | null | undefined): Schema {
  const text = sentence(comment)
  return text === '' ? {} : { description: text }
}
