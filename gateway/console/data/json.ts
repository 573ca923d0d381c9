import type { Json } from '../../client/index.ts'

/** @returns undefined for a text that is no JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    // What JSON.parse gives is Json by its nature.
    return JSON.parse(text) as Json
  } catch {
    return undefined // The caller says what is wrong with the text.
  }
}

export type JsonRecord = { readonly [key: string]: Json }

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
