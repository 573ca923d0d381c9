/**
 * Settings of an object as a table with a line for each field. The name of a field is that of its
 * column and, in the contract, of its fields in requests and answers; settings have it in camel
 * case.
 */
import type { Json } from '../core/json.ts'
import type { Parameter, Part } from '../core/sql.ts'
import { type Db, jsonText } from './db.ts'

export type Field<T> = {
  /** Form of the column: a scalar, `json`, or `text[]`; tags are texts without repeats and case. */
  readonly kind: 'plain' | 'json' | 'texts' | 'tags'
  /** Value in a new object. */
  readonly otherwise: T
  /** All values that a scalar may have. */
  readonly choices?: readonly T[]
  /** JSON null is stored as such: the column takes no NULL. */
  readonly isNotNull?: boolean
}

export type Fields = Readonly<Record<string, Field<unknown>>>

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

export type SettingsOf<F extends Fields> = {
  readonly [Name in keyof F & string as Camel<Name>]: F[Name]['otherwise']
}

/** Makes the lines of a table. */
export const field = {
  text: (otherwise: string): Field<string> => ({ kind: 'plain', otherwise }),
  boolean: (otherwise: boolean): Field<boolean> => ({ kind: 'plain', otherwise }),
  /** The first choice is that of a new object. */
  choice: <const T extends string | number>(...choices: readonly [T, ...T[]]): Field<T> => ({
    kind: 'plain',
    otherwise: choices[0],
    choices,
  }),
  /** Null in a new object. */
  nullable: <T extends string | number | boolean>(): Field<T | null> => ({
    kind: 'plain',
    otherwise: null,
  }),
  texts: (): Field<readonly string[]> => ({ kind: 'texts', otherwise: [] }),
  /** Trimmed, in lower case, each once, sorted. */
  tags: (): Field<readonly string[]> => ({ kind: 'tags', otherwise: [] }),
  json: (otherwise: Json, options: { readonly isNotNull?: boolean } = {}): Field<Json> => ({
    kind: 'json',
    otherwise,
    ...options,
  }),
}

export function camelOf(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The settings of a new object. */
export function defaultsOf<F extends Fields>(fields: F): SettingsOf<F> {
  const made = Object.entries(fields).map(([name, { otherwise }]) => [camelOf(name), otherwise])
  // Members and types are those of the table.
  return Object.fromEntries(made) as SettingsOf<F>
}

/** The columns as a list of a `select`, each under its name in settings. */
export function columnsText(table: string, fields: Fields): string {
  return Object.keys(fields)
    .map((name) => `${table}.${name} as "${camelOf(name)}"`)
    .join(', ')
}

/** Names of the columns, for an `insert`. */
export function namesText(fields: Fields): string {
  return Object.keys(fields).join(', ')
}

/** Values of the columns, in the order of `namesText`. */
export function valuesOf<F extends Fields>(db: Db, fields: F, settings: SettingsOf<F>): Part {
  return listed(
    db,
    valuesByName(db, fields, settings).map(([, value]) => value),
  )
}

/** `name = value` for each column of an `update`. */
export function assignmentsOf<F extends Fields>(db: Db, fields: F, settings: SettingsOf<F>): Part {
  const values = valuesByName(db, fields, settings)
  return listed(
    db,
    values.map(([name, value]) => db`${db(name)} = ${value}`),
  )
}

function valuesByName<F extends Fields>(
  db: Db,
  fields: F,
  settings: SettingsOf<F>,
): readonly (readonly [string, Part])[] {
  const values: Readonly<Record<string, unknown>> = settings
  return Object.entries(fields).map(([name, { kind, isNotNull }]) => {
    const value = values[camelOf(name)]
    if (kind === 'json') {
      return [name, db`${isNotNull ? JSON.stringify(value) : jsonText(value)}::text::json`]
    }
    // The table says what it is.
    if (kind === 'plain') return [name, db`${value as Parameter}`]
    return [name, db`${[...(value as readonly string[])]}::text[]`]
  })
}

function listed(db: Db, parts: readonly Part[]): Part {
  const [first, ...others] = parts
  if (first === undefined) throw new Error('a table of settings has fields')
  return others.reduce((list, part) => db`${list}, ${part}`, first)
}
