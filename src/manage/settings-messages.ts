/** Settings in requests, answers and stored versions, by their table of fields. */
import type { Value } from '../../proto/gen/google/protobuf/Value.ts'
import { isList, isObject, type Json, type JsonObject, textsIn } from '../core/json.ts'
import { camelOf, type Field, type Fields, type SettingsOf } from '../postgres/settings-fields.ts'
import { fromValue } from '../wire/proto/value.ts'
import { tagsOf } from './merge.ts'
import { toWireValue } from './wire-value.ts'

/** Fields that a request may name; absent ones keep what is stored. */
type RequestOf<F extends Fields> = { readonly [Name in keyof F]?: unknown } & {
  readonly null_fields?: readonly string[]
}

type WireOf<T> = Json extends T ? Value : T extends readonly string[] ? string[] : NonNullable<T>

/** Fields of an answer. */
export type AnswerOf<F extends Fields> = { [Name in keyof F]?: WireOf<F[Name]['otherwise']> }

/** The settings that `base` and the given fields make together. */
export function mergeFields<F extends Fields>(
  fields: F,
  base: SettingsOf<F>,
  request: RequestOf<F>,
): SettingsOf<F> {
  const stored: Readonly<Record<string, unknown>> = base
  const merged = Object.entries(fields).map(([name, field]) => {
    const member = camelOf(name)
    if (request.null_fields?.includes(name)) {
      return [member, field.kind === 'json' ? null : field.otherwise]
    }
    const given = givenOf(field, request[name])
    return [member, given === undefined ? stored[member] : given]
  })
  return ofTable<F>(merged)
}

function givenOf({ kind, choices }: Field<unknown>, given: unknown): unknown {
  if (given === undefined || given === null) return undefined
  if (kind === 'plain') return choices?.includes(given) === false ? undefined : given
  const json = fromValue(given)
  if (kind === 'json') return json
  return kind === 'tags' ? tagsOf(textsOf(json)) : textsOf(json)
}

/** Messages have no other form of null than an absent field. */
export function toFields<F extends Fields>(fields: F, settings: SettingsOf<F>): AnswerOf<F> {
  const values: Readonly<Record<string, unknown>> = settings
  const shown = Object.entries(fields).flatMap(([name, { kind }]) => {
    const value = values[camelOf(name)]
    // The table says what it is.
    if (kind === 'json') return [[name, toWireValue(value as Json)]]
    if (kind !== 'plain') return [[name, [...(value as readonly string[])]]]
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(shown) as AnswerOf<F>
}

/** A version as it is stored: JSON under the names of the contract. */
export function toSnapshot<F extends Fields>(fields: F, settings: SettingsOf<F>): JsonObject {
  const values: Readonly<Record<string, unknown>> = settings
  const kept = Object.keys(fields).map((name) => [name, values[camelOf(name)]])
  return Object.fromEntries(kept) as JsonObject
}

/** The settings of a version; fields that it did not know yet have their defaults. */
export function fromSnapshot<F extends Fields>(fields: F, snapshot: unknown): SettingsOf<F> {
  const kept: JsonObject = isObject(snapshot) ? snapshot : {}
  const read = Object.entries(fields).map(([name, field]) => {
    const value = keptOf(field, kept[name])
    return [camelOf(name), value === undefined ? field.otherwise : value]
  })
  return ofTable<F>(read)
}

function keptOf({ kind, otherwise, choices }: Field<unknown>, value: unknown): unknown {
  if (kind === 'json') return value
  if (kind !== 'plain') return isList(value) ? textsIn(value) : undefined
  if (choices !== undefined) return choices.includes(value) ? value : undefined
  const isOfType =
    otherwise === null ? typeof value !== 'object' : typeof value === typeof otherwise
  return isOfType ? value : undefined
}

function textsOf(json: Json): readonly string[] | undefined {
  return isList(json) ? textsIn(json) : undefined
}

/** Members and types are those of the table. */
function ofTable<F extends Fields>(members: readonly unknown[][]): SettingsOf<F> {
  return Object.fromEntries(members) as SettingsOf<F>
}
