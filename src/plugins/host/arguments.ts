/** Checks the arguments of host functions. */
import { isDeeperThan, type Json } from '../../core/json.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'

/** A refused argument. The plugin may see the message. */
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
 * @throws {ArgumentRefused} when it is too large, too deep or not JSON.
 */
export function jsonText(what: string, value: Json, bytesMax: number): string {
  if (isDeeperThan(value, JSON_DEPTH_MAX)) {
    throw new ArgumentRefused(`${what}: the value nests more than ${JSON_DEPTH_MAX} levels`)
  }
  // Undefined for a value that a built-in plugin passes against its types.
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new ArgumentRefused(`${what}: the value is not JSON`)
  if (Buffer.byteLength(text) <= bytesMax) return text
  throw new ArgumentRefused(`${what}: the value is larger than ${bytesMax} bytes as JSON`)
}
