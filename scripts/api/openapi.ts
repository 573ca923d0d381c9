/** Generates the OpenAPI 3.1 document of the interface. */
import type { Json } from '../../src/core/json.ts'
import type { FieldPlan } from '../../src/wire/validation/plan.ts'
import { callErrors } from './call-errors.ts'
import { type Example, readExamples } from './examples.ts'
import { bodyMembers, type Operation, sentence } from './model.ts'
import { PUBLIC_SCHEMAS, PUBLIC_TAG, publicPaths } from './openapi-public.ts'
import {
  commentsOf,
  described,
  inputType,
  objectOf,
  reference,
  type Schema,
  schemasOf,
  shownType,
} from './schemas.ts'

/** Statuses of errors that any call may have. The text of the document describes the others. */
const ERRORS: Readonly<Record<string, string>> = {
  '400': 'A field, a parameter or the body is wrong.',
  '401': 'No key, or one that is not valid.',
  '403': 'The caller may not do this.',
  '404': 'There is no such object, or the caller does not see it.',
  '429': 'Too many calls; `Retry-After` says in how many seconds to come again.',
  '503': 'Cannot be answered right now; `Retry-After` says in how many seconds to come again.',
}

const DESCRIPTION = [
  'Product analytics and feature flags. Clients send events and ask for flags with the API key of',
  'a project; everything else takes a personal API key as `Authorization: Bearer <key>`.',
  '',
  'Every error is one flat object with `type`, `code`, `detail` and `attr`. Lists take `limit` and',
  '`offset`. Fields of a body that are unknown or read only are ignored. The same calls can be made',
  'over gRPC; the `.proto` files are served at [`/api/proto/`](/api/proto/), a client for TypeScript',
  'at [`/api/client/`](/api/client/).',
].join('\n')

const LEVELS: Readonly<Record<number, string>> = {
  0: 'any user',
  1: 'members',
  8: 'administrators and owners',
  15: 'the owner',
}

export function openApiDocument(all: readonly Operation[], version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ personalApiKey: [] }],
    tags: [PUBLIC_TAG, ...tagsOf(all)],
    paths: { ...publicPaths(exampleOf), ...pathsOf(all) },
    components: {
      schemas: { ...PUBLIC_SCHEMAS, Error: ERROR_SCHEMA, ...schemasOf(all) },
      securitySchemes: {
        personalApiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API key. `x-scope` of an operation names the scope it needs.',
        },
      },
    },
  }
}

const ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'What every failure is answered with.',
  required: ['type', 'code', 'detail'],
  properties: {
    type: { type: 'string', description: 'Kind of the failure, such as `validation_error`.' },
    code: { type: 'string', description: 'Code of the failure, for programs.' },
    detail: { type: 'string', description: 'The failure in words, for people.' },
    attr: {
      type: ['string', 'null'],
      description: 'The first field that is wrong; null where none is to blame.',
    },
  },
}

const recorded: readonly Example[] = readExamples()

/** The example of a call; of a failure where a status from 400 on is asked for. */
function exampleOf(endpoint: string): Example | undefined {
  return recorded.find((each) => each.endpoint === endpoint && each.answer.status < 400)
}

/** One true answer for each status of a failure that is recorded. */
function failureExample(status: string): Json | undefined {
  return recorded.find(({ answer }) => answer.status === Number(status))?.answer.body
}

function tagsOf(all: readonly Operation[]): readonly Schema[] {
  return [...new Set(all.map(({ tag }) => tag))].map((name) => {
    const service = all.find(({ tag }) => tag === name)?.service
    return { name, ...described(service) }
  })
}

function pathsOf(all: readonly Operation[]): Schema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of all) {
    const { template, verb } = operation.binding
    const item = paths[template] ?? {}
    item[verb.toLowerCase()] = operationObject(operation)
    paths[template] = item
  }
  return paths
}

function operationObject(operation: Operation): Schema {
  const { method, tag, name, binding } = operation
  const { rules } = method
  const success = rules.success_status || (operation.answer.kind === 'empty' ? 204 : 200)
  const comment = sentence(method.comment)
  const endpoint = `${binding.verb} ${binding.template}`
  const example = exampleOf(endpoint)
  return {
    operationId: name,
    tags: [tag],
    summary: summaryOf(comment),
    description: `${comment}\n\n${accessOf(operation)}`,
    ...(rules.public ? { security: [] } : { 'x-scope': rules.scope, 'x-level': rules.level }),
    ...(example === undefined ? {} : { 'x-example': { path: example.request.path } }),
    'x-grpc': `${method.service}/${method.name}`,
    parameters: parametersOf(operation),
    ...requestBodyOf(operation, example?.request.body),
    responses: {
      [success]: successOf(operation, example?.answer.body),
      ...(rules.accepted_field ? { '202': { description: 'Goes on.' } } : {}),
      ...(rules.conditional ? { '304': { description: 'Unchanged since the tag given.' } } : {}),
      ...errorsOf(endpoint, rules.public),
    },
  }
}

/** The first sentence, without its end. */
function summaryOf(comment: string): string {
  const [first = ''] = comment.split(/(?<=[.:])\s/, 1)
  return first.replace(/[.:]$/, '')
}

function accessOf({ method }: Operation): string {
  const { rules } = method
  if (rules.public) return 'Takes no key.'
  const who = rules.staff ? 'staff of the instance' : (LEVELS[rules.level] ?? '')
  const plugins = rules.plugin_level === 0 ? '' : `, plugin access level ${rules.plugin_level}`
  const scope = rules.scope === '*' ? 'a key without limits' : `scope \`${rules.scope}\``
  return `Takes ${scope}; for ${who}${plugins}.`
}

function errorsOf(endpoint: string, isPublic: boolean): Schema {
  const wanted = Object.entries(ERRORS).filter(
    ([status]) => !isPublic || !['401', '403', '429'].includes(status),
  )
  const schema = { $ref: '#/components/schemas/Error' }
  const codes = callErrors()[endpoint] ?? {}
  return Object.fromEntries(
    wanted.map(([status, said]) => {
      const own = codes[status] ?? []
      const listed =
        own.length === 0 ? '' : ` Codes: ${own.map((code) => `\`${code}\``).join(', ')}.`
      const example = failureExample(status)
      const shown = example === undefined ? {} : { example }
      const content = { 'application/json': { schema, ...shown } }
      return [status, { description: `${said}${listed}`, content }]
    }),
  )
}

const RAW = 'CSV only: cells that a spreadsheet takes for formulas begin with no quote.'

function parametersOf({ path, query, isPaginated, method }: Operation): readonly Schema[] {
  const request = method.request
  const inPath = path.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...described(request.fields[name]?.comment),
    ...exampleOfPlace(name),
    schema: { type: 'string' },
  }))
  const inQuery = query.map((field) => ({
    name: field.publicName,
    in: 'query',
    ...described(request.fields[field.name]?.comment),
    schema: queryType(field),
  }))
  const page = isPaginated ? pageParameters(method.rules) : []
  const format =
    method.rules.media_types.includes('text/csv') && !method.rules.file
      ? [
          {
            name: 'format',
            in: 'query',
            description: 'Form of the answer; `csv` is streamed.',
            schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
          },
          { name: 'raw', in: 'query', ...described(RAW), schema: { type: 'string', enum: ['1'] } },
        ]
      : []
  return [...inPath, ...inQuery, ...page, ...format]
}

function pageParameters(rules: { limit_max: number; limit_default: number }): readonly Schema[] {
  const limit = {
    type: 'integer',
    minimum: 1,
    maximum: rules.limit_max || 1_000,
    default: rules.limit_default || 100,
  }
  return [
    { name: 'limit', in: 'query', description: 'How many items a page holds.', schema: limit },
    {
      name: 'offset',
      in: 'query',
      description: 'How many items to skip before the page begins.',
      schema: { type: 'integer', minimum: 0, default: 0 },
    },
  ]
}

/** Example of a path parameter that works at once: `@current`, the project of the key itself. */
function exampleOfPlace(name: string): Schema {
  const places = ['project_id', 'organization_id', 'parent_lookup_organization_id']
  return places.includes(name) ? { example: '@current' } : {}
}

/** JSON travels as its text in a query. */
function queryType(field: FieldPlan): Schema {
  if (field.kind === 'json') return { type: 'string', contentMediaType: 'application/json' }
  return inputType(field)
}

function requestBodyOf({ body, method }: Operation, sent: Json | undefined): Schema {
  if (body.kind === 'none') return {}
  const comments = method.request.fields
  const example = sent === undefined ? {} : { example: sent }
  if (body.kind === 'field') {
    const schema =
      body.field.kind === 'message'
        ? itemsOrOne(body.field, method.rules.single_item)
        : inputType(body.field)
    const content = { 'application/json': { schema, ...example } }
    return { requestBody: { required: true, content } }
  }
  const isForm = body.fields.some(({ rules }) => rules.form_only || rules.form_parts !== '')
  const json = body.fields.filter(({ rules }) => !rules.form_only && rules.form_parts === '')
  const content: Record<string, unknown> = {
    'application/json': {
      schema: objectOf(json, (name) => comments[name]?.comment),
      ...example,
    },
  }
  if (isForm) {
    const form = body.fields.filter(({ rules }) => rules.form_parts === '')
    content['multipart/form-data'] = {
      schema: {
        ...objectOf(form, (name) => comments[name]?.comment),
        description: 'Files are parts named `add_attachment[<key>]`.',
      },
    }
  }
  return { requestBody: { required: json.some(({ rules }) => rules.required), content } }
}

function itemsOrOne(field: FieldPlan, isSingleToo: boolean): Schema {
  const item = objectOf(bodyMembers(field), (name) => commentsOf(field)[name])
  if (!field.repeated) return item
  const list = {
    type: 'array',
    items: item,
    ...(field.rules.max_items === 0 ? {} : { maxItems: field.rules.max_items }),
  }
  return isSingleToo ? { oneOf: [list, item] } : list
}

function successOf(operation: Operation, answered: Json | undefined): Schema {
  const { answer, method } = operation
  if (answer.kind === 'empty') return { description: 'Done.' }
  if (answer.kind === 'file') return { description: 'A file.', content: filesOf(method) }
  if (method.streaming) return { description: 'Server-sent events.', content: textsOf(method) }
  const usual = answer.kind === 'whole' ? reference(answer.type.name) : shownType(answer.member)
  const others = answer.others.map(shownType)
  const json = others.length === 0 ? usual : { oneOf: [usual, ...others] }
  const schema = method.rules.single_item ? { oneOf: [json, json['items']] } : json
  const example = answered === undefined ? {} : { example: answered }
  const content = { 'application/json': { schema, ...example }, ...textsOf(method) }
  return { description: 'Done.', content }
}

function filesOf({ rules }: Operation['method']): Schema {
  const schema = { type: 'string', format: 'binary' }
  return Object.fromEntries(rules.media_types.map((each) => [each, { schema }]))
}

function textsOf({ rules }: Operation['method']): Schema {
  return Object.fromEntries(rules.media_types.map((each) => [each, { schema: { type: 'string' } }]))
}
