import type { Json } from '../../client/index.ts'

/** A text, or a number of 16 characters and more without an exponent. */
const LONG = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?![\d.e])/gi

/** As `JSON.parse`; a number whose digits a double would lose is the text of them, which filters take as it. */
export function exactParse(text: string): Json {
  // JSON.parse returns only Json values.
  return JSON.parse(
    text.replace(LONG, (part) => (`${+part}` === part || part[0] === '"' ? part : `"${part}"`)),
  ) as Json
}

/** @returns undefined for a text that is no JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return exactParse(text)
  } catch {
    return undefined // The caller says what is wrong with the text.
  }
}

export type JsonRecord = { readonly [key: string]: Json }

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
