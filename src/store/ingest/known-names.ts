/**
 * Lists of names that persons are known to have, as numbers: the many persons of a web site have
 * few different ones. Bounded: what comes beyond has no number, and is never known.
 */

import { textsIn } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'

const LISTS_MAX = 1_000
/** Of a list as JSON. */
const LIST_CHARS_MAX = 4_096

/** Of a person of whom no name is known. */
export const NO_NAMES = 0

const PAIRS_MAX = 10_000

export class KnownNames {
  readonly #numbers = new Map<string, number>([['', NO_NAMES]])
  readonly #lists: (readonly string[])[] = [[]]
  /** Answers by two numbers. */
  readonly #covers = new Map<string, boolean>()
  readonly #unions = new Map<string, number>()

  /** @param names JSON text of a list, or empty. Undefined when there is no number left. */
  numberOf(names: string): number | undefined {
    const known = this.#numbers.get(names)
    if (known !== undefined) return known
    if (this.#lists.length >= LISTS_MAX) return undefined
    if (names.length > LIST_CHARS_MAX) return undefined
    const number = this.#lists.length
    this.#lists.push(textsIn(parseJson(names)))
    this.#numbers.set(names, number)
    return number
  }

  /** True when a list has all names of another one. */
  covers(list: number, other: number): boolean {
    if (list === other || other === NO_NAMES) return true
    const key = `${list} ${other}`
    const known = this.#covers.get(key)
    if (known !== undefined) return known
    const names = new Set(this.#lists[list])
    const covers = (this.#lists[other] ?? []).every((name) => names.has(name))
    if (this.#covers.size >= PAIRS_MAX) this.#covers.clear()
    this.#covers.set(key, covers)
    return covers
  }

  /** The number of the names of both lists; that of the other one when there is none left. */
  union(list: number, other: number): number {
    if (this.covers(list, other)) return list
    if (this.covers(other, list)) return other
    const key = `${list} ${other}`
    const known = this.#unions.get(key)
    if (known !== undefined) return known
    const names = new Set([...(this.#lists[list] ?? []), ...(this.#lists[other] ?? [])])
    const union = this.numberOf(JSON.stringify([...names].sort())) ?? other
    if (this.#unions.size >= PAIRS_MAX) this.#unions.clear()
    this.#unions.set(key, union)
    return union
  }
}
