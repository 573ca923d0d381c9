/**
 * Lists of names that persons are known to have, as numbers: the many persons of a web site have
 * few different lists. Bounded: when there are too many, all are forgotten, and learnt again.
 */

import { textsIn } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'

const LISTS_MAX = 1_000
/** Length of a list as JSON. */
const LIST_CHARS_MAX = 4_096
const PAIRS_MAX = 10_000

/** The number of a person of whom no name is known. */
export const NO_NAMES = 0
/** Numbers are below this one and then start again: what is known of persons is a guess. */
export const NUMBERS_END = 2 ** 20

export class KnownNames {
  readonly #numbers = new Map<string, number>()
  readonly #lists = new Map<number, readonly string[]>()
  /** Answers by two numbers. */
  readonly #covers = new Map<string, boolean>()
  readonly #unions = new Map<string, number>()
  #next = NO_NAMES + 1

  /** @param names JSON text of a list, or empty. Undefined for one that is too long or no JSON. */
  numberOf(names: string): number | undefined {
    if (names === '') return NO_NAMES
    const known = this.#numbers.get(names)
    if (known !== undefined) return known
    const list = names.length > LIST_CHARS_MAX ? undefined : listOf(names)
    if (list === undefined) return undefined
    if (this.#lists.size >= LISTS_MAX) this.#forget()
    const number = this.#next
    this.#next = number + 1 < NUMBERS_END ? number + 1 : NO_NAMES + 1
    this.#lists.set(number, list)
    this.#numbers.set(names, number)
    return number
  }

  /** True when a list has all names of another one. One that was forgotten has none. */
  covers(list: number, other: number): boolean {
    if (list === other || other === NO_NAMES) return true
    const key = `${list} ${other}`
    const known = this.#covers.get(key)
    if (known !== undefined) return known
    const names = new Set(this.#lists.get(list))
    const covers = (this.#lists.get(other) ?? []).every((name) => names.has(name))
    if (this.#covers.size >= PAIRS_MAX) this.#covers.clear()
    this.#covers.set(key, covers)
    return covers
  }

  /** The number of the names of both lists; that of the other one where it would be too long. */
  union(list: number, other: number): number {
    if (this.covers(list, other)) return list
    if (this.covers(other, list)) return other
    const key = `${list} ${other}`
    const known = this.#unions.get(key)
    if (known !== undefined) return known
    const names = new Set([...(this.#lists.get(list) ?? []), ...(this.#lists.get(other) ?? [])])
    const union = this.numberOf(JSON.stringify([...names].sort())) ?? other
    if (this.#unions.size >= PAIRS_MAX) this.#unions.clear()
    this.#unions.set(key, union)
    return union
  }

  #forget(): void {
    this.#numbers.clear()
    this.#lists.clear()
    this.#covers.clear()
    this.#unions.clear()
  }
}

/** Undefined where the names are those of a text that is no JSON: its flush will say so. */
function listOf(names: string): readonly string[] | undefined {
  try {
    return textsIn(parseJson(names))
  } catch {
    return undefined
  }
}
