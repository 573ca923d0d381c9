/** Short names of saved insights. */
import { randomInt } from 'node:crypto'
import { rowId } from '../../access/access.ts'
import type { InsightName } from '../../store/saved/saved-insight-store.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`
const LENGTH = 10
/** Begins with a letter, so that it cannot be a number. */
const SHORT_ID = /^[A-Za-z][A-Za-z0-9]{9}$/

/** Random id: two insights of one project collide in about one of 10^10 projects. */
export function makeShortId(): string {
  const pick = (alphabet: string) => alphabet.charAt(randomInt(alphabet.length))
  const others = Array.from({ length: LENGTH - 1 }, () => pick(LETTERS_AND_DIGITS))
  return pick(LETTERS) + others.join('')
}

/** Name of an insight in a path; undefined for a text that cannot be one. */
export function insightNameOf(text: string): InsightName | undefined {
  if (SHORT_ID.test(text)) return { kind: 'short_id', shortId: text }
  const id = rowId(text)
  return id === undefined ? undefined : { kind: 'id', id }
}
