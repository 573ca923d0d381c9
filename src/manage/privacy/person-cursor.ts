/** The cursor of a person's export, which its caller returns without reading it. */
import { PERSON_LISTS, type PersonList } from '../../privacy/person-data-store.ts'

export type PersonCursor = {
  /** Number of the exported person. */
  readonly person: string
  readonly place: PersonList | 'events'
  /** Key of the last item of the list that was given, or the cursor of the events. */
  readonly after: string
}

const CHARS_MAX = 6_000
const DIGITS = /^\d{1,18}$/

export function encodePersonCursor({ person, place, after }: PersonCursor): string {
  return Buffer.from(JSON.stringify([person, place, after])).toString('base64url')
}

/** Undefined for an invalid cursor. A forged one reads nothing but its person. */
export function decodePersonCursor(text: string): PersonCursor | undefined {
  const parts = text.length > CHARS_MAX ? undefined : parse(text)
  if (!Array.isArray(parts) || parts.length !== 3) return undefined
  const [person, place, after]: unknown[] = parts
  const known = ([...PERSON_LISTS, 'events'] as const).find((each) => each === place)
  if (typeof person !== 'string' || typeof after !== 'string' || known === undefined) {
    return undefined
  }
  const isNumbered = known === 'cohorts' || known === 'dead_letters'
  if ((isNumbered && !DIGITS.test(after)) || after.includes('\0')) return undefined
  return { person, place: known, after }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined // The caller says what is wrong.
  }
}
