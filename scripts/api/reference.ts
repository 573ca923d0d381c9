/** Writes the calls of the OpenAPI document as Markdown, for reading offline. */
import { isObject, type JsonObject } from '../../src/core/json.ts'
import { fieldTable, row, typeText } from './reference-fields.ts'

/** Writes JSON for readers: a value that fits on a line stays on it. */
const COLUMNS = 92

const VERBS = ['get', 'post', 'patch', 'delete'] as const

/** Failures that each call of a resource has, for the same reasons. */
const EVERYWHERE: ReadonlySet<string> = new Set(['401', '403', '404', '429', '503'])

type Call = {
  readonly verb: string
  readonly path: string
  readonly operation: JsonObject
}

/** The whole document. */
export function referenceText(document: JsonObject): string {
  const calls = callsOf(document)
  const tags = listOf(document['tags']).map((tag) => ({
    name: textOf(tag['name']),
    description: textOf(tag['description']),
  }))
  const contents = tags.map(({ name }) => `- [${name}](#${anchorOf(name)})`)
  return [
    '# Calls of the HTTP interface\n',
    ...contents,
    '- [Objects](#objects)\n',
    ...tags.map((tag) => sectionOf(tag, calls)),
    '## Objects\n',
    'What answers hold. Every field is always there unless its description says otherwise.\n',
    ...objectsOf(document),
  ].join('\n')
}

function callsOf(document: JsonObject): readonly Call[] {
  return Object.entries(objectOf(document['paths'])).flatMap(([path, item]) =>
    VERBS.flatMap((verb) => {
      const operation = objectOf(item)[verb]
      return isObject(operation) ? [{ verb: verb.toUpperCase(), path, operation }] : []
    }),
  )
}

type Tag = { readonly name: string; readonly description: string }

function sectionOf({ name, description }: Tag, calls: readonly Call[]): string {
  const own = calls.filter(({ operation }) => textsOf(operation['tags']).includes(name))
  const rows = own.map(({ verb, path, operation }) => {
    const summary = textOf(operation['summary'])
    return row([`[\`${verb} ${path}\`](#${anchorOf(textOf(operation['operationId']))})`, summary])
  })
  return [
    `## ${name}\n`,
    `${description}\n`,
    row(['Call', 'What it does']),
    row(['---', '---']),
    ...rows,
    '',
    ...own.map(callText),
  ].join('\n')
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}

function callText({ verb, path, operation }: Call): string {
  const grpc = textOf(operation['x-grpc'])
  const parts = [
    `### ${textOf(operation['operationId'])}\n`,
    `\`${verb} ${path}\`\n`,
    `${textOf(operation['description'])}${grpc === '' ? '' : ` gRPC: \`${grpc}\`.`}\n`,
    ...parametersOf(operation),
    ...bodyOf(operation),
    ...answersOf(operation),
    ...exampleOf({ verb, path, operation }),
  ]
  return parts.join('\n')
}

function parametersOf(operation: JsonObject): readonly string[] {
  const rows = listOf(operation['parameters']).map((each) =>
    row([
      `\`${textOf(each['name'])}\``,
      textOf(each['in']),
      typeText(objectOf(each['schema'])),
      textOf(each['description']),
    ]),
  )
  if (rows.length === 0) return []
  return [
    row(['Parameter', 'In', 'Type', 'Meaning']),
    row(['---', '---', '---', '---']),
    ...rows,
    '',
  ]
}

function bodyOf(operation: JsonObject): readonly string[] {
  const content = contentOf(objectOf(operation['requestBody']))
  if (content === undefined) return []
  const schema = objectOf(content['schema'])
  const fields = fieldTable(schema, 'Body')
  return fields.length > 0 ? [...fields, ''] : [`The body is ${typeText(schema)}.\n`]
}

function answersOf(operation: JsonObject): readonly string[] {
  const own = Object.entries(objectOf(operation['responses'])).filter(
    ([status]) => textOf(operation['x-grpc']) === '' || !EVERYWHERE.has(status),
  )
  const lines = own.map(([status, answer]) => {
    const content = contentOf(objectOf(answer))
    const said = textOf(objectOf(answer)['description'])
    const isError = Number(status) >= 400
    const what = isError || content === undefined ? '' : typeText(objectOf(content['schema']))
    return row([status, what === '' ? said : what])
  })
  return [row(['Status', 'Answer']), row(['---', '---']), ...lines, '']
}

function exampleOf({ verb, path, operation }: Call): readonly string[] {
  const example = objectOf(operation['x-example'])
  const address = textOf(example['path']) || path
  const body = contentOf(objectOf(operation['requestBody']))?.['example']
  const answer = Object.values(objectOf(operation['responses'])).flatMap((each) => {
    const shown = contentOf(objectOf(each))?.['example']
    return shown === undefined ? [] : [shown]
  })[0]
  const isOpen = Array.isArray(operation['security']) && operation['security'].length === 0
  const key = isOpen ? [] : [`-H 'Authorization: Bearer phx_your_personal_key'`]
  const sent =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${quoted(compactJson(body))}'`]
  const method = verb === 'GET' ? [] : [`-X ${verb}`]
  const command = ['curl', ...method, `'https://sluice.example.com${address}'`].join(' ')
  const lines = [command, ...key, ...sent].join(' \\\n  ')
  const shown = answer === undefined ? [] : ['', '```json', compactJson(answer), '```']
  return ['```sh', lines, '```', ...shown, '']
}

/** Within single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''")
}

function objectsOf(document: JsonObject): readonly string[] {
  const schemas = objectOf(objectOf(document['components'])['schemas'])
  return Object.keys(schemas)
    .sort()
    .map((name) => {
      const schema = objectOf(schemas[name])
      const comment = textOf(schema['description'])
      const said = comment === '' ? [] : [`${comment}\n`]
      return [`### ${name}\n`, ...said, ...fieldTable(schema, 'Field'), ''].join('\n')
    })
}

function contentOf(holder: JsonObject): JsonObject | undefined {
  const content = objectOf(holder['content'])['application/json']
  return isObject(content) ? content : undefined
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function compactJson(value: unknown, indent = ''): string {
  const line = flat(value)
  if (indent.length + line.length <= COLUMNS || typeof value !== 'object' || value === null) {
    return line
  }
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((each) => compactJson(each, inner))
    : Object.entries(value).map(
        ([key, each]) => `${JSON.stringify(key)}: ${compactJson(each, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${members.map((each) => inner + each).join(',\n')}\n${indent}${close}`
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${flat(each)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
