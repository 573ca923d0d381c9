/** Generates the typed fetch client: `types.ts` and `calls.ts` of `gateway/client`. */
import type { FieldPlan } from '../../src/wire/validation/plan.ts'
import {
  answerTypes,
  hiddenFields,
  type Operation,
  optionalFields,
  publicName,
  shownFields,
  upperFirst,
} from './model.ts'
import {
  doc,
  inputType,
  messageInput,
  property,
  shownType,
  singleShown,
  withoutNull,
} from './typescript.ts'

const HEAD = '// Generated from proto/sluice/v1 by `npm run gen`; changes here are lost.\n'
const COLUMNS_MAX = 96

export function clientTypes(all: readonly Operation[]): string {
  const answers = answerTypes(all.filter(({ method }) => !method.streaming)).map((type) => {
    const optional = optionalFields(all, type)
    const fields = shownFields(type, hiddenFields(all, type)).map((field) => {
      const mark = optional.has(field.name) ? '?' : ''
      const shown = mark === '' ? shownType(field) : withoutNull(shownType(field))
      return member(field.comment, `readonly ${property(publicName(field))}${mark}: ${shown}`)
    })
    return declaration(type.comment, type.name, fields)
  })
  const requests = all.filter(hasInput).map((operation) => {
    const { request } = operation.method
    return declaration(undefined, `${upperFirst(operation.name)}Input`, [
      ...operation.path.map((name) =>
        member(request.fields[name]?.comment, `readonly ${name}: string | number`),
      ),
      ...inputMembers(operation),
    ])
  })
  const imports = "import type { Json, JsonObject } from './runtime.ts'\n"
  return [HEAD + imports, ...answers, ...requests].join('\n')
}

function declaration(
  comment: string | null | undefined,
  name: string,
  members: readonly string[],
): string {
  if (members.length === 0)
    return `${doc(comment, '')}export type ${name} = Readonly<Record<never, never>>\n`
  return `${doc(comment, '')}export type ${name} = {\n${members.join('\n')}\n}\n`
}

function member(comment: string | null | undefined, text: string): string {
  return `${doc(comment, '  ')}  ${text}`
}

function inputMembers(operation: Operation): readonly string[] {
  const { body, query, isPaginated, method } = operation
  const comment = (name: string) => method.request.fields[name]?.comment
  const input = (field: FieldPlan) =>
    member(
      comment(field.name),
      `readonly ${property(field.publicName)}${field.rules.required ? '' : '?'}: ${inputType(field)}`,
    )
  const page = isPaginated
    ? [member(undefined, 'readonly limit?: number'), member(undefined, 'readonly offset?: number')]
    : []
  const inQuery = query.map(input)
  if (body.kind === 'none') return [...inQuery, ...page]
  if (body.kind === 'members') return [...body.fields.map(input), ...inQuery]
  const type = inputType(body.field)
  const many = method.rules.single_item ? `${type} | ${singleOf(body.field)}` : type
  return [
    member(comment(body.field.name), `readonly ${body.field.publicName}: ${many}`),
    ...inQuery,
  ]
}

function singleOf(field: FieldPlan): string {
  return messageInput(field)
}

export function clientCalls(all: readonly Operation[]): string {
  const bodies = all.flatMap((operation) =>
    operation.method.streaming
      ? [eventsCallOf(operation)]
      : [callOf(operation), ...mediaCallsOf(operation)],
  )
  const names = new Set(
    [...bodies.join('\n').matchAll(/\bt\.([A-Z]\w*)/g)].map(([, name]) => name ?? ''),
  )
  const runtime = [
    'call',
    'callEvents',
    'callStream',
    'callWithBody',
    'callWithQuery',
    'formOf',
    'segment',
  ].filter((name) => new RegExp(`\\b${name}\\(`).test(bodies.join('\n')))
  const json = ['CallOptions', 'Client', 'Json', 'JsonObject', 'ServerEvent'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(bodies.join('\n')),
  )
  const imports = [
    `import type {\n${[...names]
      .sort()
      .map((name) => `  ${name},`)
      .join('\n')}\n} from './types.ts'`,
    `import type { ${json.join(', ')} } from './runtime.ts'`,
    `import { ${runtime.join(', ')} } from './runtime.ts'`,
  ]
  return `${HEAD}${imports.join('\n')}\n\n${bodies.join('\n').replaceAll(/\bt\.([A-Z])/g, '$1')}`
}

function callOf(operation: Operation): string {
  const { name, binding, method } = operation
  if (operation.answer.kind === 'file') return fileCallOf(operation)
  const answer = answerType(operation)
  const path = binding.template
  const lines = [
    doc(method.comment, '', `\`${binding.verb} ${path}\``),
    `export function ${name}(\n`,
    '  client: Client,\n',
    ...inputParameter(operation),
    '  options?: CallOptions,\n',
    `): Promise<${answer}> {\n`,
    ...resultOf(operation),
    '}\n',
  ]
  return lines.join('')
}

/** Call of a method: members outside the path go one way, unless parts of a body are separate. */
function resultOf(operation: Operation): readonly string[] {
  const { body, binding } = operation
  const isApart =
    body.kind === 'field' ||
    (body.kind === 'members' &&
      body.fields.some(({ rules }) => rules.form_parts !== '' || rules.form_only))
  if (isApart) {
    return [...requestOf(operation), `  return call(client, ${requestText(operation)}, options)\n`]
  }
  const way = body.kind === 'none' ? 'callWithQuery' : 'callWithBody'
  const given = hasInput(operation) ? 'input' : '{}'
  const { verb, template } = binding
  return [`  return ${way}(client, '${verb}', '${template}', ${given}, options)\n`]
}

/** The call of a method that answers many messages, as server-sent events. */
function eventsCallOf(operation: Operation): string {
  const { name, binding, method } = operation
  const lines = [
    doc(method.comment, '', `\`${binding.verb} ${binding.template}\``),
    `export function ${name}(\n`,
    '  client: Client,\n',
    ...inputParameter(operation),
    '  options?: CallOptions,\n',
    '): AsyncGenerator<ServerEvent, void, undefined> {\n',
    ...requestOf(operation),
    `  return callEvents(client, ${requestText(operation, method.rules.media_types[0])}, options)\n`,
    '}\n',
  ]
  return lines.join('')
}

/** The call of a method that answers a file, which is left unread. */
function fileCallOf(operation: Operation): string {
  const { name, binding, method } = operation
  const lines = [
    doc(method.comment, '', `\`${binding.verb} ${binding.template}\``),
    `export function ${name}(\n`,
    '  client: Client,\n',
    ...inputParameter(operation),
    '  options?: CallOptions,\n',
    '): Promise<Response> {\n',
    ...requestOf(operation),
    `  return callStream(client, ${requestText(operation)}, options)\n`,
    '}\n',
  ]
  return lines.join('')
}

/** Calls for answers of other media types. Two names of one type make one call. */
function mediaCallsOf(operation: Operation): readonly string[] {
  const { name, binding, method } = operation
  const [type] = method.rules.file ? [] : method.rules.media_types
  if (type === undefined) return []
  const suffix = type === 'text/csv' ? 'Csv' : 'Module'
  const lines = [
    doc(
      `As \`${name}\`, the answer in ${type}, unread. \`${binding.verb} ${binding.template}\``,
      '',
    ),
    `export function ${name}${suffix}(\n`,
    '  client: Client,\n',
    ...inputParameter(operation),
    '  options?: CallOptions,\n',
    '): Promise<Response> {\n',
    ...requestOf(operation),
    `  return callStream(client, ${requestText(operation, type)}, options)\n`,
    '}\n',
  ]
  return [lines.join('')]
}

function inputParameter(operation: Operation): readonly string[] {
  if (!hasInput(operation)) return []
  const otherwise = isOptional(operation) ? ' = {}' : ''
  return [`  input: t.${upperFirst(operation.name)}Input${otherwise},\n`]
}

function hasInput({ path, query, body, isPaginated }: Operation): boolean {
  return path.length > 0 || query.length > 0 || isPaginated || body.kind !== 'none'
}

function isOptional({ path, query, body }: Operation): boolean {
  const fields = body.kind === 'members' ? body.fields : []
  const required = [...query, ...fields].some(({ rules }) => rules.required)
  return path.length === 0 && !required && body.kind !== 'field'
}

/** Splits the input where its members go to different places. */
function requestOf(operation: Operation): readonly string[] {
  const { path, body, query, isPaginated } = operation
  if (body.kind === 'field') return []
  const parts = body.kind === 'members' ? body.fields.filter((f) => f.rules.form_parts !== '') : []
  const names = [...path, ...parts.map(({ publicName: each }) => each)]
  const rest = body.kind === 'members' || query.length > 0 || isPaginated
  if (!rest) return []
  return [`  const { ${[...names, `...${restName(operation)}`].join(', ')} } = input\n`]
}

function restName({ body }: Operation): string {
  return body.kind === 'members' ? 'body' : 'query'
}

function requestText(operation: Operation, accept?: string): string {
  const { binding, body, query, isPaginated, path } = operation
  const takenApart =
    body.kind === 'members' || (body.kind === 'none' && (query.length > 0 || isPaginated))
  const template = binding.template.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `\${segment(${takenApart ? name : `input.${name}`})}`,
  )
  const text = path.length === 0 ? `'${template}'` : `\`${template}\``
  const members = [`verb: '${binding.verb}'`, `path: ${text}`]
  if (body.kind === 'none' && takenApart) members.push('query')
  if (body.kind === 'field') members.push(`body: input.${body.field.publicName}`)
  if (body.kind === 'members') members.push(...membersBody(body.fields))
  if (accept !== undefined) members.push(`accept: '${accept}'`)
  const line = `{ ${members.join(', ')} }`
  if (line.length < COLUMNS_MAX - 30) return line
  return `{\n${members.map((each) => `    ${each},\n`).join('')}  }`
}

/** The body is a form when a member is given that only a form can have. */
function membersBody(fields: readonly FieldPlan[]): readonly string[] {
  const parts = fields.filter(({ rules }) => rules.form_parts !== '')
  const formOnly = fields.filter(({ rules }) => rules.form_only)
  if (parts.length === 0 && formOnly.length === 0) return ['body']
  const given = [
    ...formOnly.map((each) => `body.${each.publicName} !== undefined`),
    ...parts.map((each) => `${each.publicName} !== undefined`),
  ]
  const named = parts.map((each) => `${each.rules.form_parts}: ${each.publicName}`)
  return ['body', `form: ${given.join(' || ')} ? formOf(body, { ${named.join(', ')} }) : undefined`]
}

function answerType({ answer, method }: Operation): string {
  if (answer.kind === 'empty' || answer.kind === 'file') return 'void'
  const prefix = (type: string) =>
    type.replaceAll(/\b([A-Z]\w*)\b/g, (name) =>
      name === 'Json' || name === 'JsonObject' ? name : `t.${name}`,
    )
  const usual = answer.kind === 'whole' ? answer.type.name : withoutNull(shownType(answer.member))
  const others = answer.others.map((field) => withoutNull(shownType(field)))
  const single =
    method.rules.single_item && answer.kind === 'member' ? [singleShown(answer.member)] : []
  return prefix([...new Set([usual, ...others, ...single])].join(' | '))
}
