/** JSON form of a sealed JSON value: `{"$sealed": "base64"}`. */

import { isObject, type Json } from '../json.ts'
import { parseJson } from '../json-text/parse-json.ts'
import { type KeyRing, sealedBy } from './key-ring.ts'

const MARK = '$sealed'

/** Also checks values of clients, which may not send sealed ones. */
export function isSealed(value: Json | undefined): value is { readonly [MARK]: string } {
  return isObject(value) && typeof value[MARK] === 'string'
}

function sealJson(ring: KeyRing, value: Json, place: string): Json {
  const sealed = ring.seal(Buffer.from(JSON.stringify(value)), place)
  return { [MARK]: sealed.toString('base64') }
}

/**
 * The value sealed with the first key; `before`, when that is the same value under the first key,
 * so that writing an unchanged value changes nothing. Without a key, a value that an older release
 * stored in clear stays as it is; nothing is added.
 * @throws {AppError} as `KeyRing.seal` and `KeyRing.open`.
 */
export function sealAnew(
  ring: KeyRing,
  place: string,
  { value, before }: { readonly value: Json; readonly before: Json | undefined },
): Json {
  const [first] = ring.ids
  if (isSealed(value)) {
    if (first === undefined || sealedBy(sealedBytes(value)) === first) return value
    return sealJson(ring, openJson(ring, value, place), place)
  }
  const text = JSON.stringify(value)
  if (first === undefined && JSON.stringify(before) === text) return value
  const isSame =
    isSealed(before) &&
    sealedBy(sealedBytes(before)) === first &&
    JSON.stringify(openJson(ring, before, place)) === text
  return isSame ? before : sealJson(ring, value, place)
}

/** @throws {AppError} as `KeyRing.open`. */
export function openJson(ring: KeyRing, value: Json, place: string): Json {
  return isSealed(value) ? parseJson(ring.open(sealedBytes(value), place).toString()) : value
}

function sealedBytes(value: { readonly [MARK]: string }): Buffer {
  return Buffer.from(value[MARK], 'base64')
}
