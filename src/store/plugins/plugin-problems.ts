/** Checks of values that plugins store, and the errors that plugins get. */

import { cleanJson, cleanText } from '../../core/clean-text.ts'
import { isDeeperThan, type Json } from '../../core/json.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import { failureCode, toUnavailable } from '../../postgres/failures.ts'

export const CONFIG_GONE = 'The plugin config has been removed.'

const FOREIGN_KEY_VIOLATION = '23503'
const NUMERIC_OUT_OF_RANGE = '22003'

/**
 * JSON text that the store takes.
 * @throws {Error} for the plugin, when it nests too deep or has too many bytes.
 */
export function storableJson(what: string, json: Json, bytesMax: number): string {
  if (isDeeperThan(json, JSON_DEPTH_MAX)) {
    throw new Error(`${what} nests more than ${JSON_DEPTH_MAX} levels.`)
  }
  const text = JSON.stringify(cleanJson(json))
  if (Buffer.byteLength(text) > bytesMax) {
    throw new Error(`${what} is larger than ${bytesMax} bytes as JSON.`)
  }
  return text
}

/** @throws {Error} for the plugin, when there are no characters or too many. */
export function storableName(what: string, name: string, lengthMax: number): string {
  if (typeof name !== 'string' || name === '' || name.length > lengthMax) {
    throw new Error(`${what} must be a text of 1 to ${lengthMax} characters.`)
  }
  return cleanText(name)
}

/**
 * Awaits a statement.
 * @throws {Error} for the plugin, of what it can do something about; {AppError} `unavailable`.
 */
export async function forPlugin<T>(statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const code = failureCode(error)
    if (code === FOREIGN_KEY_VIOLATION) throw new Error(CONFIG_GONE, { cause: error })
    if (code === NUMERIC_OUT_OF_RANGE) {
      throw new Error('The number is out of range.', { cause: error })
    }
    throw toUnavailable(error) ?? error
  }
}
