/** Generates the OpenAPI 3.1 document of the management interface. */
import type { FieldPlan } from '../../src/wire/validation/plan.ts'
import { bodyMembers, type Operation, sentence } from './model.ts'
import { PUBLIC_PATHS, PUBLIC_SCHEMAS } from './openapi-public.ts'
import {
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
  '404': 'There is no such object.',
  '429': 'Too many calls; see Retry-After.',
  '503': 'Cannot be answered right now; see Retry-After.',
}

const DESCRIPTION = [
  'The management interface of Sluice: projects, feature flags, events, plugins, invites, users.',
  '',
  'Every error is one flat object with `type`, `code`, `detail` and `attr`. Lists take `limit` and',
  '`offset`. Fields of a body that are unknown or read only are ignored. The same calls can be made',
  'over gRPC; the `.proto` files are served at `/api/proto/`.',
].join('\n')

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
    tags: [...new Set(['Capture and decide', ...all.map(({ tag }) => tag)])].map((name) => ({
      name,
    })),
    paths: { ...PUBLIC_PATHS, ...pathsOf(all) },
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
  required: ['type', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    code: { type: 'string' },
    detail: { type: 'string' },
    attr: { type: ['string', 'null'], description: 'The field to blame, if any.' },
  },
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
  const { method, tag, name } = operation
  const { rules } = method
  const success = rules.success_status || (operation.answer.kind === 'empty' ? 204 : 200)
  const comment = sentence(method.comment)
  return {
    operationId: name,
    tags: [tag],
    ...(comment === '' ? {} : { description: comment }),
    ...(rules.public ? { security: [] } : { 'x-scope': rules.scope, 'x-level': rules.level }),
    parameters: parametersOf(operation),
    ...requestBodyOf(operation),
    responses: {
      [success]: successOf(operation),
      ...(rules.conditional ? { '304': { description: 'Unchanged since the tag given.' } } : {}),
      ...errorsOf(rules.public),
    },
  }
}

function errorsOf(isPublic: boolean): Schema {
  const wanted = Object.entries(ERRORS).filter(
    ([status]) => !isPublic || !['401', '403', '429'].includes(status),
  )
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    wanted.map(([status, description]) => [status, { description, content }]),
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
    schema: { type: 'string' },
  }))
  const inQuery = query.map((field) => ({
    name: field.publicName,
    in: 'query',
    ...described(request.fields[field.name]?.comment),
    schema: queryType(field),
  }))
  const page = isPaginated ? pageParameters(method.rules) : []
  const format = method.rules.media_types.includes('text/csv')
    ? [
        { name: 'format', in: 'query', schema: { type: 'string', enum: ['json', 'csv'] } },
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
    { name: 'limit', in: 'query', schema: limit },
    { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
  ]
}

/** JSON travels as its text in a query. */
function queryType(field: FieldPlan): Schema {
  if (field.kind === 'json') return { type: 'string', contentMediaType: 'application/json' }
  return inputType(field)
}

function requestBodyOf({ body, method }: Operation): Schema {
  if (body.kind === 'none') return {}
  const comments = method.request.fields
  if (body.kind === 'field') {
    const schema =
      body.field.kind === 'message'
        ? itemsOrOne(body.field, method.rules.single_item)
        : inputType(body.field)
    return { requestBody: { required: true, content: { 'application/json': { schema } } } }
  }
  const isForm = body.fields.some(({ rules }) => rules.form_only || rules.form_parts !== '')
  const json = body.fields.filter(({ rules }) => !rules.form_only && rules.form_parts === '')
  const content: Record<string, unknown> = {
    'application/json': { schema: objectOf(json, (name) => comments[name]?.comment) },
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
  const item = objectOf(bodyMembers(field), () => undefined)
  if (!field.repeated) return item
  const list = {
    type: 'array',
    items: item,
    ...(field.rules.max_items === 0 ? {} : { maxItems: field.rules.max_items }),
  }
  return isSingleToo ? { oneOf: [list, item] } : list
}

function successOf(operation: Operation): Schema {
  const { answer, method } = operation
  if (answer.kind === 'empty') return { description: 'Done.' }
  const usual = answer.kind === 'whole' ? reference(answer.type.name) : shownType(answer.member)
  const others = answer.others.map(shownType)
  const json = others.length === 0 ? usual : { oneOf: [usual, ...others] }
  const single = method.rules.single_item ? itemOf(json) : undefined
  const schema = single === undefined ? json : { oneOf: [json, single] }
  const content: Record<string, unknown> = { 'application/json': { schema } }
  for (const type of method.rules.media_types) content[type] = { schema: { type: 'string' } }
  return { description: 'Done.', content }
}

function itemOf(schema: Schema): unknown {
  return schema['items']
}
