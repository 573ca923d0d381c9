/** Rules of one field (`proto/sluice/v1/options.proto`), with defaults. */
export type FieldRules = {
  readonly required: boolean
  readonly nullable: boolean
  readonly blank: boolean
  readonly max_length: number
  readonly min_length: number
  readonly minimum: number
  readonly maximum: number
  readonly choices: readonly string[]
  readonly format: string
  readonly json: string
  readonly item_max_length: number
  readonly item_nullable: boolean
  readonly path_only: boolean
  readonly reference: boolean
  readonly verbatim: boolean
  readonly max_items: number
  readonly form_only: boolean
  readonly form_parts: string
  readonly json_text: boolean
  readonly exact_numbers: boolean
}

/** Rules of one method (`proto/sluice/v1/options.proto`), with defaults. */
export type MethodRules = {
  readonly scope: string
  readonly level: number
  readonly success_status: number
  readonly paginated: boolean
  readonly limit_max: number
  readonly limit_default: number
  readonly optional_fields: readonly string[]
  readonly media_types: readonly string[]
  readonly project_field: string
  readonly single_item: boolean
  readonly public: boolean
  readonly staff: boolean
  readonly plugin_level: number
  readonly conditional: boolean
  readonly alternatives: readonly string[]
  readonly accepted_field: string
  readonly file: boolean
}

/** One binding of `google.api.http`: the rule or one of its `additional_bindings`. */
export type HttpBinding = {
  /** Upper case. */
  readonly verb: string
  /** Template of the annotation: `/api/projects/{id}/`. */
  readonly template: string
  /** `*` for the whole message, a field's name, or empty when the body is not read. */
  readonly body: string
  /** Field of the answer that is the whole body; empty is the message itself. */
  readonly responseBody: string
}

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const

/** Reads a parsed annotation. @throws at start for unknown members. */
export function bindingsOf(rule: unknown): readonly HttpBinding[] {
  if (!isRecord(rule)) return []
  const more = listOf(rule['additional_bindings']).flatMap((each) => bindingsOf(each))
  return [bindingOf(rule), ...more]
}

/** The option `name` among the parsed options of a field or method, in any of its spellings. */
export function optionOf(parsed: unknown, names: readonly string[]): unknown {
  for (const option of listOf(parsed)) {
    if (!isRecord(option)) continue
    for (const name of names) {
      if (Object.hasOwn(option, name)) return option[name]
    }
  }
  return undefined
}

/** Makes a list of a repeated member: one that is given once is parsed as a single value. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bindingOf(rule: Readonly<Record<string, unknown>>): HttpBinding {
  const body = textOf(rule['body'])
  const responseBody = textOf(rule['response_body'])
  for (const verb of VERBS) {
    const template = textOf(rule[verb])
    if (template !== '') return { verb: verb.toUpperCase(), template, body, responseBody }
  }
  const custom = rule['custom']
  if (isRecord(custom) && textOf(custom['path']) !== '') {
    const verb = textOf(custom['kind']).toUpperCase()
    return { verb, template: textOf(custom['path']), body, responseBody }
  }
  throw new TypeError('a google.api.http rule names no path')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
