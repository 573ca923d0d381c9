/** Shared cases of the validator of management requests. */
import { fromStruct, fromValue } from '../../src/wire/proto/value.ts'
import { requestPlan } from '../../src/wire/validation/request.ts'
import { type Form, readBody, type Validated } from '../../src/wire/validation/validate.ts'
import { thingMethod } from './api/things.ts'

export const create = requestPlan(thingMethod('CreateThing'))

export function json(body: unknown): Validated {
  return readBody(create.plan, { kind: 'json', body })
}

function formOf(fields: Readonly<Record<string, string | readonly string[]>>): Form {
  const entries = Object.entries(fields).map(
    ([name, texts]) => [name, typeof texts === 'string' ? [texts] : texts] as const,
  )
  return { fields: new Map(entries), files: new Map() }
}

export function form(fields: Readonly<Record<string, string | readonly string[]>>): Validated {
  return readBody(create.plan, { kind: 'form', form: formOf(fields) })
}

/** The error as `code attr: detail`. */
export function errorOf(read: Validated): string {
  if (read.ok) return 'ok'
  return `${read.error.code} ${read.error.attr}: ${read.error.detail}`
}

/** A field as JSON shows it: Values unpacked, null for what `null_fields` names. */
export function shownValue(read: Validated, name: string): unknown {
  if (!read.ok) return errorOf(read)
  const nulls: unknown = read.value['null_fields']
  if (Array.isArray(nulls) && nulls.includes(name)) return null
  const value = read.value[name]
  const isHeld = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isHeld) return value
  return 'fields' in value ? fromStruct(value) : name === 'job' ? value : fromValue(value)
}

export type Row = readonly [field: string, sent: unknown, expected: unknown]

/** Accepted values, and what they become. */
export const COERCED: readonly Row[] = [
  ['order', 12, 12],
  ['order', '12', 12],
  ['order', ' 12 ', 12],
  ['order', 12.0, 12],
  ['order', '12.0', 12],
  ['order', '-0', 0],
  ['order', -2147483648, -2147483648],
  ['ratio', '0.5', 0.5],
  ['ratio', 1, 1],
  ...[true, 'true', 'True', 'TRUE', 't', 'T', 'yes', 'Yes', 'y', 'on', 'ON', '1', 1].map(
    (sent): Row => ['enabled', sent, true],
  ),
  ...[false, 'false', 'False', 'f', 'F', 'no', 'NO', 'n', 'off', 'Off', '0', 0].map(
    (sent): Row => ['enabled', sent, false],
  ),
  ['checked', '', null],
  ['checked', 'null', null],
  ['checked', null, null],
  ['name', '  abc  ', 'abc'],
  ['name', 123, '123'],
  ['name', 1.5, '1.5'],
  ['name', '😀😀😀😀😀', '😀😀😀😀😀'],
  ['name', 'a\ud800b', 'a\ufffdb'],
  ['note', '', ''],
  ['note', '   ', ''],
  ['note', null, null],
  ['raw', '  x ', '  x '],
  ['plugin', 7, 7],
  ['plugin', '7', 7],
  ['owner', null, null],
  ['owner', '', null],
  ['kind', 'two', 'two'],
  ['timezone', 'America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['email', 'Ann.O+x@mail.example.org', 'Ann.O+x@mail.example.org'],
  ['uuid', '0186a1d0-0000-4000-8000-00000000000A', '0186a1d0-0000-4000-8000-00000000000A'],
  ['at', '2023-02-17T22:18:12.000000Z', '2023-02-17T22:18:12.000000Z'],
  ['key', 'my_flag-2', 'my_flag-2'],
  ['any', { a: [1, null] }, { a: [1, null] }],
  ['any', 'text', 'text'],
  ['object', { b: 1, a: 2 }, { b: 1, a: 2 }],
  ['object', null, null],
  ['object', { 'k\0': 'v\ud800' }, { 'k\ufffd': 'v\ufffd' }],
  ['either', [], []],
  ['either', {}, {}],
  ['list', [1, 'x'], [1, 'x']],
  ['texts', [' a ', 12], ['a', '12']],
  ['texts', [], []],
  ['urls', [null, 'x'], [null, 'x']],
  ['urls', null, null],
  ['numbers', [1, '2'], [1, 2]],
  ['config', { ignored: 'in a JSON body' }, undefined],
  ['uploads', [{ key: 'x' }], undefined],
]
