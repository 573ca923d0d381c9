/** A question in the address of the builder. */
import type { JsonObject } from '../../client/index.ts'
import { questionOf } from './question.ts'

const QUESTION = /^#q=(.*)$/s

export function hashOf(question: JsonObject): string {
  return `#q=${encodeURIComponent(JSON.stringify(question))}`
}

/** Undefined where the address holds none that can be read. */
export function questionInHash(hash: string): JsonObject | undefined {
  const text = QUESTION.exec(hash)?.[1]
  if (text === undefined) return undefined
  try {
    return questionOf(decodeURIComponent(text))
  } catch {
    return undefined // The address was cut off, or written by hand.
  }
}
