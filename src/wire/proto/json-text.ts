/** Puts JSON text into other JSON without parsing it. */

import { randomUUID } from 'node:crypto'
import { parseJson } from '../../core/json-text/parse-json.ts'

/** Marks the place of a text. Random for each process, so that no caller can send it. */
const MARK = `json-text-${randomUUID()}-`
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g')

let collected: string[] | undefined

/** A member whose JSON is `text`, unchanged; for `stringifyJson`. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    // Outside `stringifyJson` the text is parsed, which is slow but right.
    if (collected === undefined) return parseJson(this.text)
    collected.push(this.text)
    return `${MARK}${collected.length - 1}`
  }
}

/** `JSON.stringify` for bodies that may hold a `JsonText`. */
export function stringifyJson(body: unknown): string {
  const texts: string[] = []
  collected = texts
  try {
    const json = JSON.stringify(body)
    return texts.length === 0
      ? json
      : json.replace(MARKED, (_, place) => texts[Number(place)] ?? '')
  } finally {
    collected = undefined
  }
}
