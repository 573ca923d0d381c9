/** JSON that is text already, put into other JSON without being parsed. */
import { randomUUID } from 'node:crypto'

/** No text of a caller can be it: it is made anew by each process. */
const MARK = `json-text-${randomUUID()}-`
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g')

let collected: string[] | undefined

/** A member whose JSON is `text`, as it is; for `stringifyJson`. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    // Anywhere else than in `stringifyJson` it is worth the parsing to stay right.
    if (collected === undefined) return JSON.parse(this.text)
    collected.push(this.text)
    return `${MARK}${collected.length - 1}`
  }
}

/** As `JSON.stringify`, for bodies that may hold a `JsonText`. */
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
