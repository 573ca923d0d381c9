/** Folds many changes of the properties of one person into a single change. */

import { isObject } from '../core/json.ts'
import { exactJson, parseExact } from '../core/json-text/exact-numbers.ts'
import type { PersonChange } from '../events/event.ts'

/** Properties by name. A map, because names come from clients: `__proto__` is one like any other. */
export type Properties = Map<string, unknown>

/** The change of one property: the normal form of any sequence of once, volatile, set and unset. */
type KeyChange =
  | { readonly kind: 'set'; readonly value: unknown }
  /** Set where the person has no such property, or changes in another way. */
  | { readonly kind: 'volatile'; readonly value: unknown }
  /** Set only where the person has no such property. */
  | { readonly kind: 'once'; readonly value: unknown }
  | { readonly kind: 'unset' }

/** Texts of objects or empty, applied as once, then volatile, then set, then unset. */
export type ChangeTexts = Pick<PersonChange, 'setOnce' | 'volatile' | 'set' | 'unset'>

export const NO_CHANGE: ChangeTexts = { setOnce: '', volatile: '', set: '', unset: [] }

export function changesNothing({ setOnce, volatile, set, unset }: ChangeTexts): boolean {
  return setOnce === '' && volatile === '' && set === '' && unset.length === 0
}

type Kinds = Readonly<Record<'once' | 'volatile' | 'set', Properties>>

/** A change that is not JSON text of an object: the event that carries it is at fault. */
export class PropertiesError extends Error {
  override readonly name = 'PropertiesError'
}

/**
 * The changes of one person in order, folded into one that does the same. Few changes meet a second
 * one of the same person in a batch: the texts of a lone change pass through unread.
 */
export class PropertyFold {
  #alone: ChangeTexts | undefined
  #keys: Map<string, KeyChange> | undefined

  /** True until something is added that changes anything. */
  get isEmpty(): boolean {
    return this.#alone === undefined && this.#keys === undefined
  }

  /** @throws {PropertiesError} the fold is then unusable. */
  add(change: ChangeTexts): void {
    if (changesNothing(change)) return
    assertObjectText(change.setOnce)
    assertObjectText(change.volatile)
    assertObjectText(change.set)
    if (this.#alone === undefined && this.#keys === undefined) {
      this.#alone = change
      return
    }
    this.#unpack()
    this.#fold(change)
  }

  /** Applies the fold to `properties` in place. @throws {PropertiesError} */
  applyTo(properties: Properties): void {
    this.#unpack()
    for (const [key, change] of this.#keys ?? []) {
      if (change.kind === 'unset') properties.delete(key)
      else if (change.kind !== 'once' || !properties.has(key)) properties.set(key, change.value)
    }
  }

  /** The same change as texts. */
  texts(): ChangeTexts {
    if (this.#alone !== undefined) return this.#alone
    const by = { once: new Map(), volatile: new Map(), set: new Map() } satisfies Kinds
    const unset: string[] = []
    for (const [key, change] of this.#keys ?? []) {
      if (change.kind === 'unset') unset.push(key)
      else by[change.kind].set(key, change.value)
    }
    const textOf = (properties: Properties) =>
      properties.size === 0 ? '' : propertiesText(properties)
    return { setOnce: textOf(by.once), volatile: textOf(by.volatile), set: textOf(by.set), unset }
  }

  #unpack(): void {
    if (this.#alone === undefined) return
    const change = this.#alone
    this.#alone = undefined
    this.#fold(change)
  }

  /** A value that a client sets itself outlasts one that describes a later moment. */
  #fold({ setOnce, volatile, set, unset }: ChangeTexts): void {
    const keys = this.#keys ?? new Map<string, KeyChange>()
    this.#keys = keys
    for (const [key, value] of parseProperties(setOnce)) {
      const earlier = keys.get(key)
      if (earlier === undefined) keys.set(key, { kind: 'once', value })
      else if (earlier.kind === 'unset') keys.set(key, { kind: 'set', value })
    }
    for (const [key, value] of parseProperties(volatile)) {
      const earlier = keys.get(key)?.kind
      if (earlier === 'unset') keys.set(key, { kind: 'set', value })
      else if (earlier !== 'set') keys.set(key, { kind: 'volatile', value })
    }
    for (const [key, value] of parseProperties(set)) keys.set(key, { kind: 'set', value })
    for (const key of unset) keys.set(key, { kind: 'unset' })
  }
}

/** Reads JSON text of an object, or empty text. @throws {PropertiesError} */
export function parseProperties(text: string): Properties {
  if (text === '') return new Map()
  let value: unknown
  try {
    value = parseExact(text)
  } catch (cause) {
    throw new PropertiesError('properties are not JSON', { cause })
  }
  if (!isObject(value)) {
    throw new PropertiesError('properties are not an object')
  }
  return new Map(Object.entries(value))
}

/** JSON text of an object with these properties. */
export function propertiesText(properties: Properties): string {
  let text = ''
  for (const [key, value] of properties) {
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${exactJson(value)}`
  }
  return text === '' ? '{}' : `${text}}`
}

/** An array would be appended to the properties of a person, and ruin them, without an error. */
function assertObjectText(text: string): void {
  if (text !== '' && !text.startsWith('{')) {
    throw new PropertiesError('properties are not an object')
  }
}
