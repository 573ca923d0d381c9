/** Tool that assistants can call, and its way to the management interface. */
import { exactDigits, exactJson } from '../../src/core/json-text/exact-numbers.ts'

/** JSON Schema of the arguments: an object. */
export type ToolInput = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

/** Answer of the management interface. */
export type Called = { readonly status: number; readonly json: unknown }

/** A request of the caller, with its key, as if it had come over HTTP. Never rejects. */
export type Call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  sent: {
    readonly query?: Readonly<Record<string, string>>
    readonly body?: object
  },
) => Promise<Called>

export type ToolArguments = Readonly<Record<string, unknown>>

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: ToolInput
  /** True when it changes something: offered only where the operator allows it. */
  readonly isWrite: boolean
  readonly run: (args: ToolArguments, call: Call) => Promise<Called>
}

const PROJECT = {
  type: ['integer', 'string'],
  description: "Id of the project. By default the current project of the key's user.",
  examples: [1],
} as const

export function inputOf(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): ToolInput {
  const all = { ...properties, project: PROJECT }
  return { type: 'object', properties: all, required, additionalProperties: false }
}

/** The path of the project that the arguments name. */
export function projectPath({ project }: ToolArguments): string {
  return `/api/projects/${encodeURIComponent(textOf(project ?? '@current'))}`
}

/** Arguments as parameters of a query; JSON where they are no plain values. */
export function queryOf(
  args: ToolArguments,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const given = names.filter((name) => args[name] !== undefined)
  return Object.fromEntries(
    given.map((name) => {
      const value = args[name]
      return [name, typeof value === 'object' ? exactJson(value) : textOf(value)]
    }),
  )
}

/** A plain value as a part of an address. */
export function textOf(value: unknown): string {
  const text = String(value)
  return exactDigits(text) ?? text
}
