/** Words and tables for JSON Schemas, in Markdown. */
import { isObject, type JsonObject } from '../../src/core/json.ts'

/** A table of the fields of an object; empty for what is no object with fields. */
export function fieldTable(schema: JsonObject, title: string): readonly string[] {
  const rows = rowsOf(schema, '')
  if (rows.length === 0) return []
  return [row([title, 'Type', 'Meaning']), row(['---', '---', '---']), ...rows]
}

function rowsOf(schema: JsonObject, before: string): readonly string[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const isBody = !isAnswer(schema)
  return Object.entries(objectOf(schema['properties'])).flatMap(([name, value]) => {
    const field = objectOf(value)
    const mark = isBody && required.includes(name) ? ', required' : ''
    const description = textOf(field['description'])
    const own = row([`\`${before}${name}\``, `${typeText(field)}${mark}`, description])
    const inner = isObject(field['properties']) ? field : objectOf(field['items'])
    return [own, ...rowsOf(inner, `${before}${name}${inner === field ? '' : '[]'}.`)]
  })
}

/** Answers name every field as required, which says nothing to a reader. */
function isAnswer(schema: JsonObject): boolean {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const names = Object.keys(objectOf(schema['properties']))
  return names.length > 2 && required.length >= names.length - 1
}

/** A schema in words: `text, at most 400 characters`. */
export function typeText(schema: JsonObject): string {
  const reference = textOf(schema['$ref'])
  if (reference !== '') {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  const choices = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(choices)) return choices.map((each) => typeText(objectOf(each))).join(' or ')
  if (schema['const'] !== undefined) return `\`${JSON.stringify(schema['const'])}\``
  const types = [schema['type'] ?? []].flat().filter((each) => each !== 'null')
  const nullable = [schema['type'] ?? []].flat().includes('null') ? ' or null' : ''
  const words = types.map((type) => wordFor(String(type), schema)).join(' or ') || 'JSON'
  const first = Array.isArray(schema['default']) ? undefined : schema['default']
  const bounds = [
    ...boundsOf(schema),
    ...(first === undefined ? [] : [`default \`${String(first)}\``]),
  ]
  return [`${words}${nullable}`, ...bounds].join(', ')
}

function wordFor(type: string, schema: JsonObject): string {
  const choices = schema['enum']
  if (Array.isArray(choices)) {
    const given = choices.filter((each) => each !== null)
    return given.map((each) => `\`${String(each)}\``).join(', ')
  }
  if (type === 'array') {
    const items = objectOf(schema['items'])
    return Object.keys(items).length === 0 ? 'list' : `list of ${typeText(items)}`
  }
  if (type === 'string') return FORMATS[textOf(schema['format'])] ?? jsonOr(schema)
  return type === 'object' && isObject(schema['additionalProperties']) ? 'object' : type
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'mail address',
  uuid: 'UUID',
  'date-time': 'time',
}

function jsonOr(schema: JsonObject): string {
  return schema['contentMediaType'] === 'application/json' ? 'JSON text' : 'text'
}

function boundsOf(schema: JsonObject): readonly string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern } = schema
  const range =
    typeof minimum === 'number'
      ? [maximum === undefined ? `from ${minimum}` : `${minimum} to ${number(maximum)}`]
      : []
  const length = typeof maxLength === 'number' ? [`at most ${number(maxLength)} characters`] : []
  const least = typeof minLength === 'number' && minLength > 1 ? [`at least ${minLength}`] : []
  const items = typeof maxItems === 'number' ? [`at most ${number(maxItems)} items`] : []
  const form = typeof pattern === 'string' ? ['letters, digits, `_` and `-`'] : []
  return [...range, ...least, ...length, ...items, ...form]
}

function number(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en-GB') : String(value)
}

/** One line of a table; a bar within a cell would end it. */
export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
