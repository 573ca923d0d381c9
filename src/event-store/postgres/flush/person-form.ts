/**
 * Reads from the change of an event what its person must have so that nothing changes: the names of
 * properties that are set once or describe the moment, and all that is set. Most page views of a
 * person have the same names, so names are compared as one text.
 */
import { stringEnd } from '../../../core/json-text/json-characters.ts'
import type { PersonChange } from '../../../events/event.ts'

/** Names and values that a person must have so that an event changes nothing of it. */
export type PersonForm = {
  /** JSON text of a list of names, or empty. */
  readonly names: string
  /** JSON text of an object without nested values, or empty. */
  readonly set: string
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPENING_BRACE = 0x7b
const OPENING = new Set([OPENING_BRACE, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

/** Undefined for a change that the database cannot check by names and values alone. */
export function personForm(change: PersonChange): PersonForm | undefined {
  if (change.merge !== undefined || change.unset.length > 0) return undefined
  const once = namesIn(change.setOnce)
  const volatile = namesIn(change.volatile)
  const set = namesIn(change.set)
  if (once === undefined || volatile === undefined || set === undefined) return undefined
  const names = once === '' || volatile === '' ? once + volatile : `${once},${volatile}`
  return { names: names === '' ? '' : `[${names}]`, set: change.set }
}

/**
 * Names of an object in the order of its JSON text, separated by commas. Undefined for a text that
 * is no object, or an object that holds an object or a list.
 */
function namesIn(text: string): string | undefined {
  if (text !== '' && text.charCodeAt(0) !== OPENING_BRACE) return undefined
  let names = ''
  let at = 1
  while (at < text.length) {
    if (text.charCodeAt(at) !== QUOTE) {
      at += 1
      continue
    }
    const end = stringEnd(text, at) + 1
    names += `${names === '' ? '' : ','}${text.slice(at, end)}`
    // Past the colon: a value.
    at = endOfValue(text, end + 1)
    if (at === -1) return undefined
  }
  return names
}

/** End of the value that begins at `from`, after its comma; -1 for an object or a list. */
function endOfValue(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at) + 1
      continue
    }
    if (OPENING.has(code)) return -1
    at += 1
    if (code === COMMA || CLOSING.has(code)) return at
  }
  return at
}
