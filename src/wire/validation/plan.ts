/** Reading plans for the fields of a request message: made once per type from the contract. */
import protobuf from 'protobufjs'
import { assert } from '../../core/code.ts'
import { fieldRules } from '../proto/proto.ts'
import type { FieldRules } from '../proto/rules.ts'

export type FieldKind =
  | 'text'
  | 'integer'
  | 'reference'
  | 'double'
  | 'boolean'
  | 'json'
  | 'message'
  /** Files or keys from the parts of a form; see the rule `form_parts`. */
  | 'parts'

export type FieldPlan = {
  readonly name: string
  /** Name in bodies, queries and errors: the declared `json_name`, or the name. */
  readonly publicName: string
  readonly kind: FieldKind
  readonly repeated: boolean
  readonly rules: FieldRules
  /** A message shows whether the field was set, other than to its zero value. */
  readonly hasPresence: boolean
  /** The rules of each item of a list of texts. */
  readonly itemRules: FieldRules
  /** The google.protobuf type that holds JSON; only for kind `json`. */
  readonly holder: 'Value' | 'Struct' | 'ListValue'
  /** Whether messages hold files, rather than the keys alone; only for kind `parts`. */
  readonly holdsFiles: boolean
  /** Only for kind `message`; late, for messages may hold themselves. */
  readonly message: () => MessagePlan
}

export type MessagePlan = {
  /** Full name of the type. */
  readonly name: string
  /** In the order of their numbers, which is the order of checks; without `null_fields`. */
  readonly fields: readonly FieldPlan[]
  /** Fields that a body or a query may set. */
  readonly writable: readonly FieldPlan[]
  /** True when the message can distinguish null from absent. */
  readonly hasNullFields: boolean
}

export const NULL_FIELDS = 'null_fields'

const INTEGERS: ReadonlySet<string> = new Set(
  ['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'].concat([
    'int64',
    'uint64',
    'sint64',
    'fixed64',
    'sfixed64',
  ]),
)
const HOLDER_RULE = { Value: '', Struct: 'object', ListValue: 'list' } as const

const plans = new WeakMap<protobuf.Type, MessagePlan>()

/** @throws {InvariantError} for fields that no REST body can hold, such as maps and raw bytes. */
export function messagePlan(type: protobuf.Type): MessagePlan {
  const known = plans.get(type)
  if (known !== undefined) return known
  const fields = type.fieldsArray
    .filter((field) => field.name !== NULL_FIELDS)
    .sort((one, other) => one.id - other.id)
    .map(fieldPlan)
  const plan: MessagePlan = {
    name: type.fullName.replace(/^\./, ''),
    fields,
    writable: fields.filter((field) => !field.rules.path_only),
    hasNullFields: type.fields[NULL_FIELDS] !== undefined,
  }
  plans.set(type, plan)
  return plan
}

function fieldPlan(field: protobuf.Field): FieldPlan {
  field.resolve()
  const declared = fieldRules(field)
  const holder = holderOf(field)
  const rules: FieldRules = {
    ...declared,
    json: declared.json === '' && holder !== undefined ? HOLDER_RULE[holder] : declared.json,
    choices:
      field.resolvedType instanceof protobuf.Enum
        ? enumNames(field.resolvedType)
        : declared.choices,
  }
  const kind = kindOf(field, rules, holder)
  const jsonName: unknown = field.options?.['json_name']
  return {
    name: field.name,
    publicName: typeof jsonName === 'string' ? jsonName : field.name,
    kind,
    repeated: field.repeated,
    rules,
    hasPresence: field.resolvedType instanceof protobuf.Type || field.partOf !== null,
    itemRules: itemRulesOf(rules),
    holder: holder ?? 'Value',
    holdsFiles: kind === 'parts' && field.resolvedType instanceof protobuf.Type,
    message: () => {
      assert(field.resolvedType instanceof protobuf.Type, `${field.fullName} is no message`)
      return messagePlan(field.resolvedType)
    },
  }
}

function kindOf(
  field: protobuf.Field,
  rules: FieldRules,
  holder: FieldPlan['holder'] | undefined,
): FieldKind {
  assert(!field.map, `${field.fullName}: a map has no place in a body; use a Struct`)
  if (rules.form_parts !== '') return 'parts'
  if (holder !== undefined) return 'json'
  if (field.resolvedType instanceof protobuf.Type) return 'message'
  if (field.resolvedType instanceof protobuf.Enum || field.type === 'string') return 'text'
  if (field.type === 'bool') return 'boolean'
  if (field.type === 'double' || field.type === 'float') return 'double'
  assert(INTEGERS.has(field.type), `${field.fullName}: ${field.type} has no place in a body`)
  return rules.reference ? 'reference' : 'integer'
}

function holderOf(field: protobuf.Field): FieldPlan['holder'] | undefined {
  switch (field.resolvedType?.fullName) {
    case '.google.protobuf.Value':
      return 'Value'
    case '.google.protobuf.Struct':
      return 'Struct'
    case '.google.protobuf.ListValue':
      return 'ListValue'
    default:
      return undefined
  }
}

function itemRulesOf(rules: FieldRules): FieldRules {
  return {
    ...rules,
    nullable: rules.item_nullable,
    max_length: rules.item_max_length,
    min_length: 0,
    required: false,
  }
}

/** A query parameter is taken as sent, empty too; only choices stay choices. */
export function asQueryField(field: FieldPlan): FieldPlan {
  if (field.rules.choices.length > 0 || field.rules.format !== '') return field
  const loose = { blank: true, verbatim: true }
  return {
    ...field,
    rules: { ...field.rules, ...loose },
    itemRules: { ...field.itemRules, ...loose },
  }
}

/** Names without the zero member, which stands for an unset field. */
function enumNames(type: protobuf.Enum): readonly string[] {
  return Object.entries(type.values)
    .filter(([, number]) => number !== 0)
    .map(([name]) => name)
}
