/** A JSON value that is sealed stands in JSON as `{"$sealed": "base64"}`. */
import { isObject, type Json } from '../json.ts'
import type { KeyRing } from './key-ring.ts'

const MARK = '$sealed'

/** Also for what a client may send: nobody but us may write such a value. */
export function isSealed(value: Json | undefined): value is { readonly [MARK]: string } {
  return isObject(value) && typeof value[MARK] === 'string'
}

export function sealJson(ring: KeyRing, value: Json, place: string): Json {
  const sealed = ring.seal(Buffer.from(JSON.stringify(value)), place)
  return { [MARK]: sealed.toString('base64') }
}

/** @throws {AppError} as `KeyRing.open`. */
export function openJson(ring: KeyRing, value: Json, place: string): Json {
  return isSealed(value) ? JSON.parse(ring.open(sealedBytes(value), place).toString()) : value
}

export function sealedBytes(value: { readonly [MARK]: string }): Buffer {
  return Buffer.from(value[MARK], 'base64')
}
