/** Bounds of what plugins hand to the server. */
import { isDeeperThan } from '../../core/json-depth.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import type { Json } from '../../wire/proto/value.ts'

/** An argument that is refused; the plugin may see the message. */
export class ArgumentRefused extends Error {
  override readonly name = 'ArgumentRefused'
}

/** @throws {ArgumentRefused} for a key that is empty or too long. */
export function checkKey(what: string, key: string, charsMax: number): void {
  if (key !== '' && key.length <= charsMax) return
  throw new ArgumentRefused(`${what}: the key must have 1 to ${charsMax} characters`)
}

/**
 * A value as JSON text.
 * @throws {ArgumentRefused} when it is too large, nests too deep, or is nothing that JSON can hold.
 */
export function jsonText(what: string, value: Json, bytesMax: number): string {
  if (isDeeperThan(value, JSON_DEPTH_MAX)) {
    throw new ArgumentRefused(`${what}: the value nests more than ${JSON_DEPTH_MAX} levels`)
  }
  // Undefined for what a built-in plugin may hand over against its types.
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new ArgumentRefused(`${what}: the value is no JSON`)
  if (Buffer.byteLength(text) <= bytesMax) return text
  throw new ArgumentRefused(`${what}: the value is larger than ${bytesMax} bytes as JSON`)
}
