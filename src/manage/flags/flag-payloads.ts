/** Checks payloads of flags on save: clients parse them. */
import { invalid } from '../../access/errors.ts'
import { objectOf, own } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'

/** @throws {AppError} 400 of `filters` for a text that is not JSON. Values of other types pass. */
export function requireJsonPayloads(filters: unknown): void {
  for (const [key, payload] of Object.entries(objectOf(own(objectOf(filters), 'payloads')))) {
    if (typeof payload !== 'string' || isJson(payload)) continue
    const detail = `The payload of ${JSON.stringify(key)} is no JSON. A text needs quotes: "text".`
    throw invalid(detail, 'filters', 'invalid_input')
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false // The caller answers 400.
  }
}
