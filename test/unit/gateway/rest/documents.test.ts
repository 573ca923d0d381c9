import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import protobuf from 'protobufjs'
import t from 'tap'
import { createDocuments } from '../../../../gateway/rest/documents.ts'
import { isObject } from '../../../../src/core/json.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'
import { requestPlan } from '../../../../src/wire/validation/request.ts'
import { headerOf, requestOf } from '../../../support/http/rest.ts'

const documents = createDocuments()
const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  documents.answer(requestOf(method, path, { anonymous: true, headers }))

function textOf(path: string): string {
  const reply = ask(path)
  if (reply === undefined || typeof reply.body !== 'string') throw new Error(`no ${path}`)
  return reply.body
}

const openApi: unknown = JSON.parse(textOf('/api/schema/'))

t.test('the API document is valid OpenAPI 3.1', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(textOf('/api/schema/')))
  t.equal(valid, true, JSON.stringify(errors))
  t.equal(validator.version, '3.1')
})

t.test('it has every method of the contract, and each of its references leads somewhere', (t) => {
  const paths = isObject(openApi) && isObject(openApi['paths']) ? openApi['paths'] : {}
  for (const { bindings, path } of methods()) {
    const [binding] = bindings
    if (binding === undefined) continue
    const item = paths[binding.template]
    t.ok(isObject(item) && isObject(item[binding.verb.toLowerCase()]), path)
  }
  for (const [, name] of JSON.stringify(openApi).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    t.match(openApi, { components: { schemas: { [name ?? '']: Object } } }, name ?? '')
  }
  t.end()
})

/** Places of schemas and parameters in a document that have no description. */
function undescribed(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => undescribed(each, `${place}.${at}`))
  if (!isObject(value)) return []
  const properties = isObject(value['properties']) ? value['properties'] : {}
  const isParameter = typeof value['in'] === 'string' && 'schema' in value
  const own = [
    ...Object.entries(properties).filter(([, each]) => isObject(each) && !each['description']),
    ...(isParameter && !value['description'] ? [[String(value['name'])]] : []),
  ]
  // The map of properties is no schema, whatever one of them is called.
  const others = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'properties')
  const below = [...others, ...Object.entries(properties)]
  return [
    ...own.map(([name]) => `${place}.${name}`),
    ...below.flatMap(([key, each]) => undescribed(each, `${place}.${key}`)),
  ]
}

t.test(
  'every call has a summary and an example, every parameter and field says what it is',
  (t) => {
    if (!isObject(openApi) || !isObject(openApi['paths'])) throw new Error('no paths')
    t.same(undescribed({ ...openApi['paths'] }, 'paths'), [])
    t.same(undescribed(openApi['components'], 'components'), [])
    for (const [path, item] of Object.entries(openApi['paths'])) {
      for (const [verb, operation] of Object.entries(isObject(item) ? item : {})) {
        const name = `${verb} ${path}`
        t.match(operation, { summary: /^.{5,100}$/, description: /./ }, name)
        // A stream has no end, so none is recorded.
        if (name === 'get /api/projects/{project_id}/live/') continue
        t.match(operation, { 'x-example': { path: /^\// } }, `${name} has an example`)
      }
    }
    t.end()
  },
)

t.test('an example holds what the schema of its answer has, and nothing else', (t) => {
  if (!isObject(openApi)) throw new Error('no document')
  const schemas = (openApi['components'] as { schemas: Record<string, unknown> }).schemas
  for (const [path, item] of Object.entries(openApi['paths'] as Record<string, object>)) {
    for (const [verb, operation] of Object.entries(item) as [string, { responses: object }][]) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const json = (answer as { content?: Record<string, unknown> }).content?.['application/json']
        if (!isObject(json) || !('example' in json)) continue
        const wrong = misfits(schemas, json['schema'], json['example'], 'example')
        t.same(wrong, [], `${verb} ${path} ${status}`)
      }
    }
  }
  t.end()
})

/** Members of a value that its schema does not name, or demands and misses. */
function misfits(
  schemas: Record<string, unknown>,
  schema: unknown,
  value: unknown,
  place: string,
): readonly string[] {
  if (!isObject(schema)) return []
  const { $ref, oneOf, anyOf, items, properties, required = [] } = schema
  const inner = (next: unknown, each: unknown, at: string) => misfits(schemas, next, each, at)
  if (typeof $ref === 'string') return inner(schemas[$ref.split('/').at(-1) ?? ''], value, place)
  const choices = oneOf ?? anyOf
  if (Array.isArray(choices)) {
    const all = choices.map((each) => inner(each, value, place))
    return all.find(({ length }) => length === 0) ?? all[0] ?? []
  }
  if (Array.isArray(value)) {
    if (properties !== undefined) return [`${place} is a list`]
    return value.flatMap((each, at) => inner(items, each, `${place}.${at}`))
  }
  if (!isObject(value) || !isObject(properties)) return []
  const missing = (required as string[]).filter((name) => !(name in value))
  const isOpen = schema['additionalProperties'] !== undefined
  const unknown = Object.keys(value).filter((name) => !isOpen && !(name in properties))
  return [
    ...missing.map((name) => `${place} has no ${name}`),
    ...unknown.map((name) => `${place}.${name} is not described`),
    ...Object.keys(value).flatMap((name) =>
      inner(properties[name], value[name], `${place}.${name}`),
    ),
  ]
}

t.test('the contract is served as its files import one another', (t) => {
  t.match(ask('/api/proto/')?.headers, [['content-type', 'application/json']])
  const { files } = JSON.parse(textOf('/api/proto')) as { files: string[] }
  t.ok(files.includes('sluice/v1/projects.proto'))
  const root = new protobuf.Root()
  for (const file of files) protobuf.parse(textOf(`/api/proto/${file}`), root)
  t.ok(root.lookupService('sluice.v1.FeatureFlagService'))
  for (const file of files) {
    for (const [, wanted = ''] of textOf(`/api/proto/${file}`).matchAll(/^import "([^"]+)"/gm)) {
      t.ok(files.includes(wanted) || wanted.startsWith('google/protobuf/'), `${file}: ${wanted}`)
    }
  }
  t.end()
})

t.test('the query of a call without a body is in the schema', (t) => {
  type Schema = {
    paths: Record<string, Record<string, { parameters?: readonly { name: string; in: string }[] }>>
  }
  const { paths } = JSON.parse(textOf('/api/schema/')) as Schema
  const missing: string[] = []
  for (const method of methods()) {
    const { body, query } = requestPlan(method)
    for (const { verb, template } of body.kind === 'none' ? method.bindings : []) {
      const operation = paths[template]?.[verb.toLowerCase()]
      const known = operation?.parameters?.filter((each) => each.in === 'query') ?? []
      for (const { publicName } of query) {
        if (operation === undefined || known.some(({ name }) => name === publicName)) continue
        missing.push(`${verb} ${template}: ${publicName}`)
      }
    }
  }
  t.same(missing, [])
  t.end()
})

t.test('the client is served, and imports nothing but itself', (t) => {
  const { files } = JSON.parse(textOf('/api/client/')) as { files: string[] }
  t.ok(files.includes('index.ts') && files.includes('calls.ts') && files.includes('runtime.ts'))
  for (const file of files) {
    const text = textOf(`/api/client/${file}`)
    for (const [, target = ''] of text.matchAll(/from '([^']+)'/g)) {
      t.ok(files.includes(target.replace('./', '')), `${file} imports ${target}`)
    }
  }
  t.equal(
    textOf('/api/client/calls.ts'),
    readFileSync(join(packageRoot, 'gateway/client/calls.ts'), 'utf8'),
  )
  t.end()
})

t.test('documents may be kept and asked about again, from any page, by GET alone', (t) => {
  const tag = headerOf(ask('/api/schema/') ?? { status: 0, body: '' }, 'etag') ?? ''
  t.match(tag, /^"[\w-]{43}"$/)
  t.equal(ask('/api/schema/', 'GET', { 'if-none-match': tag })?.status, 304)
  t.equal(ask('/api/schema/', 'HEAD')?.status, 200)
  t.equal(ask('/api/schema/', 'OPTIONS')?.status, 204)
  const refused = ask('/api/schema/', 'POST')
  t.equal(refused?.status, 405)
  t.match(refused?.headers, [['access-control-allow-origin', '*']])
  t.end()
})

t.test('no other path is theirs', (t) => {
  for (const path of ['/api/proto/../package.json', '/api/client/package.json', '/api/schemas/']) {
    t.equal(ask(path), undefined, path)
  }
  t.end()
})
