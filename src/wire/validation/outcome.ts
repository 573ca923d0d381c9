/** The one field that is to blame. */
export type FieldError = {
  readonly code: string
  readonly detail: string
  /** Names and indexes from the body down; joined by `__` as `attr`. */
  readonly path: readonly string[]
}

export type FieldOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Set to null: over the wire its name goes into `null_fields`. */
  | { readonly kind: 'null' }
  /** Not given. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'error'; readonly error: FieldError }

export const ABSENT: FieldOutcome = { kind: 'absent' }
export const NULL: FieldOutcome = { kind: 'null' }

export function value(given: unknown): FieldOutcome {
  return { kind: 'value', value: given }
}

export function fail(code: string, detail: string, path: readonly string[] = []): FieldOutcome {
  return { kind: 'error', error: { code, detail, path } }
}

/** Error of a part, with its path in the whole. */
export function under(step: string, error: FieldError): FieldError {
  return { ...error, path: [step, ...error.path] }
}

/** Type of a value, by the name that error texts give it. */
export function typeName(given: unknown): string {
  if (given === null || given === undefined) return 'NoneType'
  if (typeof given === 'boolean') return 'bool'
  if (typeof given === 'number') return Number.isInteger(given) ? 'int' : 'float'
  if (typeof given === 'string') return 'str'
  return Array.isArray(given) ? 'list' : 'dict'
}
