/** Makes TypeScript types of requests and answers, and their comments. */
import protobuf from 'protobufjs'
import type { FieldPlan } from '../../src/wire/validation/plan.ts'
import { bodyMembers, isJsonText, isNullable, type Member, sentence } from './model.ts'

const COLUMNS_MAX = 96

export function inputType(field: FieldPlan): string {
  if (field.kind === 'parts') {
    return field.holdsFiles ? 'Readonly<Record<string, Blob>>' : 'readonly string[]'
  }
  const one = singleInput(field)
  if (field.repeated) return `readonly ${wrapped(one)}[]`
  return field.rules.nullable ? `${one} | null` : one
}

function singleInput(field: FieldPlan): string {
  switch (field.kind) {
    case 'text':
      return field.rules.choices.length === 0
        ? 'string'
        : field.rules.choices.map((choice) => `'${choice}'`).join(' | ')
    case 'integer':
    case 'reference':
    case 'double':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'json':
      return jsonInput(field)
    case 'message':
      return messageInput(field)
    case 'parts':
      return 'string'
    default:
      return field.kind satisfies never
  }
}

function jsonInput({ rules }: FieldPlan): string {
  switch (rules.json) {
    case 'object':
      return 'JsonObject'
    case 'object_or_list':
      return 'JsonObject | readonly Json[]'
    case 'list':
      return 'readonly Json[]'
    case 'string_list':
      return rules.item_nullable ? 'readonly (string | null)[]' : 'readonly string[]'
    default:
      return 'Json'
  }
}

export function messageInput(field: FieldPlan): string {
  const members = bodyMembers(field).map((each) => {
    const mark = each.rules.required ? '' : '?'
    return `readonly ${property(each.publicName)}${mark}: ${inputType(each)}`
  })
  return `{ ${members.join('; ')} }`
}

function wrapped(type: string): string {
  return /[ |]/.test(type) && !type.startsWith('{') ? `(${type})` : type
}

export function shownType(field: Member): string {
  field.resolve()
  const one = singleShown(field)
  if (field.repeated) return `readonly ${wrapped(one)}[]`
  return isNullable(field) && one !== 'Json' ? `${one} | null` : one
}

export function withoutNull(type: string): string {
  return type.replace(/ \| null$/, '')
}

export function singleShown(field: Member): string {
  const { resolvedType } = field
  if (isJsonText(field)) return 'Json'
  if (resolvedType instanceof protobuf.Enum) {
    return Object.keys(resolvedType.values)
      .map((name) => `'${name}'`)
      .join(' | ')
  }
  if (resolvedType instanceof protobuf.Type) {
    if (resolvedType.fullName === '.google.protobuf.Struct') return 'JsonObject'
    if (resolvedType.fullName === '.google.protobuf.ListValue') return 'readonly Json[]'
    return resolvedType.fullName === '.google.protobuf.Value' ? 'Json' : resolvedType.name
  }
  if (field.type === 'string' || field.type === 'bytes') return 'string'
  return field.type === 'bool' ? 'boolean' : 'number'
}

export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}

/** @param last is put on its own line at the end. */
export function doc(comment: string | null | undefined, indent: string, last = ''): string {
  const text = wrap(sentence(comment), COLUMNS_MAX - indent.length)
  const lines = last === '' ? text : [...text, ...(text.length === 0 ? [] : ['']), last]
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines
    .map((line) => `${indent} * ${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('')}${indent} */\n`
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}
