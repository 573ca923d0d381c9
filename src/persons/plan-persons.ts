/**
 * Plan of the changes that a batch makes to the persons of one project: decided from their loaded
 * state, event by event, and written by the store in one go. Pure.
 */
import { InvariantError } from '../core/code.ts'
import type { PersonChange, PersonMerge } from '../events/event.ts'
import {
  type ChangeTexts,
  changesNothing,
  NO_CHANGE,
  type Properties,
  PropertyFold,
  parseProperties,
  propertiesText,
} from './property-fold.ts'

/** A person as stored. */
export type LoadedPerson = {
  readonly id: bigint
  readonly isIdentified: boolean
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly createdAt: string
  /** JSON text; loaded only for distinct ids that take part in a merge. */
  readonly properties: string | undefined
}

/** State of a distinct id: its person, or the id that its person will get. */
export type LoadedDistinctId =
  | { readonly kind: 'known'; readonly person: LoadedPerson }
  | { readonly kind: 'new'; readonly id: bigint }

export type PersonWork = {
  readonly distinctId: string
  /** Time of the event: when its person was created, if it has none yet. */
  readonly timestamp: string
  readonly change: PersonChange
  /** Name and uuid of the event. */
  readonly event: string
  readonly uuid: string
}

export type PersonsPlan = {
  readonly created: readonly (ChangeTexts & {
    readonly id: bigint
    readonly isIdentified: boolean
    readonly createdAt: string
  })[]
  /** New distinct ids, of new persons and of known ones. */
  readonly attached: readonly { readonly distinctId: string; readonly personId: bigint }[]
  /** Persons that only get new properties. */
  readonly updated: readonly (ChangeTexts & { readonly id: bigint })[]
  /** Persons that took part in a merge, with their whole new state. */
  readonly rewritten: readonly {
    readonly id: bigint
    readonly isIdentified: boolean
    readonly createdAt: string
    readonly properties: string
  }[]
  /**
   * Persons that end, with the one that takes over. In order of precedence: properties of an
   * earlier one win over those of a later one, and those of the target win over both.
   */
  readonly folded: readonly { readonly from: bigint; readonly into: bigint }[]
  /** Refused because the other person is identified. */
  readonly refusedMerges: number
  /** Distinct ids of the batch, by the person that owns them after it. */
  readonly distinctIds: ReadonlyMap<bigint, readonly string[]>
  /** Changes of each person, in order; of a person that ends by a merge, those before it. */
  readonly works: ReadonlyMap<bigint, readonly PersonWork[]>
}

/**
 * Whether a number of actors may be another one afterwards. A new distinct id that gets a person of
 * its own was an actor of its own before: see ADR 53.
 */
export function changesActors({ folded, created, attached }: PersonsPlan): boolean {
  if (folded.length > 0) return true
  const alone = new Set(created.map(({ id }) => id))
  return attached.some(({ personId }) => !alone.delete(personId))
}

type Person = {
  readonly id: bigint
  readonly isNew: boolean
  readonly loaded: LoadedPerson | undefined
  isIdentified: boolean
  createdAt: string
  fold: PropertyFold
  /** Set once the person takes part in a merge: its properties so far. */
  merged: Properties | undefined
  /** Set once the person has ended: the one that took over. */
  foldedInto: Person | undefined
  isTouched: boolean
  /** Stored persons folded into this one, in order of precedence. */
  readonly absorbed: bigint[]
  readonly distinctIds: string[]
  readonly works: PersonWork[]
}

/**
 * Plans the work in order. `loaded` must hold every distinct id of the work and of its merges.
 * @throws {PropertiesError} when the properties of a change cannot be read.
 */
export function planPersons(
  loaded: ReadonlyMap<string, LoadedDistinctId>,
  work: readonly PersonWork[],
): PersonsPlan {
  const planner = new Planner(loaded)
  for (const item of work) planner.apply(item)
  return planner.plan()
}

class Planner {
  readonly #loaded: ReadonlyMap<string, LoadedDistinctId>
  readonly #owners = new Map<string, Person>()
  readonly #persons = new Map<bigint, Person>()
  readonly #attached: string[] = []
  #refusedMerges = 0

  constructor(loaded: ReadonlyMap<string, LoadedDistinctId>) {
    this.#loaded = loaded
  }

  apply(work: PersonWork): void {
    const { distinctId, timestamp, change } = work
    if (!change.profile) return
    if (change.merge !== undefined && change.merge.otherDistinctId !== distinctId) {
      this.#merge(distinctId, change.merge, timestamp)
    }
    const person = this.#find(distinctId) ?? this.#create(distinctId, timestamp)
    person.fold.add(change)
    person.works.push(work)
    person.isTouched = true
  }

  plan(): PersonsPlan {
    const alive = [...this.#persons.values()].filter((person) => person.foldedInto === undefined)
    const stored = alive.filter((person) => !person.isNew && person.isTouched)
    return {
      created: alive
        .filter((person) => person.isNew)
        .map((person) => ({
          id: person.id,
          isIdentified: person.isIdentified,
          createdAt: person.createdAt,
          ...(person.merged === undefined
            ? person.fold.texts()
            : { ...NO_CHANGE, set: propertiesText(settle(person)) }),
        })),
      attached: this.#attached.map((distinctId) => ({
        distinctId,
        personId: this.#owner(distinctId).id,
      })),
      updated: stored
        .filter((person) => person.merged === undefined)
        .map((person) => ({ id: person.id, ...person.fold.texts() }))
        .filter((each) => !changesNothing(each)),
      rewritten: stored
        .filter((person) => person.merged !== undefined)
        .map((person) => ({
          id: person.id,
          isIdentified: person.isIdentified,
          createdAt: person.createdAt,
          properties: propertiesText(settle(person)),
        })),
      folded: alive.flatMap((into) => into.absorbed.map((from) => ({ from, into: into.id }))),
      refusedMerges: this.#refusedMerges,
      distinctIds: new Map(alive.map((person) => [person.id, person.distinctIds])),
      works: new Map([...this.#persons].map(([id, person]) => [id, person.works])),
    }
  }

  /** The table of merge rules. Both ids are legal and differ. */
  #merge(distinctId: string, { kind, otherDistinctId }: PersonMerge, timestamp: string): void {
    const target = this.#find(distinctId)
    const other = this.#find(otherDistinctId)
    if (target !== undefined && other !== undefined) {
      if (target === other) identify(target)
      else if (!other.isIdentified || kind === 'dangerously') this.#foldInto(target, other)
      else this.#refusedMerges += 1
    } else if (target !== undefined) {
      this.#attach(otherDistinctId, target)
      identify(target)
    } else if (other !== undefined) {
      this.#attach(distinctId, other)
      identify(other)
    } else {
      const person = this.#create(distinctId, timestamp)
      this.#attach(otherDistinctId, person)
      identify(person)
    }
  }

  #foldInto(target: Person, other: Person): void {
    const properties = settle(other)
    for (const [key, value] of settle(target)) properties.set(key, value)
    target.merged = properties
    if (other.createdAt < target.createdAt) target.createdAt = other.createdAt
    identify(target)
    target.absorbed.push(...(other.isNew ? [] : [other.id]), ...other.absorbed)
    other.absorbed.length = 0
    other.foldedInto = target
    for (const distinctId of other.distinctIds) {
      this.#owners.set(distinctId, target)
      target.distinctIds.push(distinctId)
    }
  }

  /** The person that owns the id as things are now; undefined when none does. */
  #find(distinctId: string): Person | undefined {
    const owner = this.#owners.get(distinctId)
    if (owner !== undefined) return owner
    const entry = this.#loaded.get(distinctId)
    if (entry === undefined || entry.kind === 'new') return undefined
    const { person: loaded } = entry
    let person = this.#persons.get(loaded.id)
    if (person === undefined) {
      const { id, isIdentified, createdAt } = loaded
      person = newPerson({ id, isNew: false, loaded, isIdentified, createdAt })
      this.#persons.set(id, person)
    }
    // An id of a folded person that the batch names only now.
    while (person.foldedInto !== undefined) person = person.foldedInto
    this.#own(distinctId, person)
    return person
  }

  #create(distinctId: string, createdAt: string): Person {
    const entry = this.#loaded.get(distinctId)
    if (entry?.kind !== 'new') throw new InvariantError('a distinct id of the work was not loaded')
    const { id } = entry
    const fresh = { id, isNew: true, loaded: undefined, isIdentified: false, createdAt }
    const person = newPerson(fresh)
    this.#persons.set(id, person)
    this.#attach(distinctId, person)
    return person
  }

  #attach(distinctId: string, person: Person): void {
    this.#attached.push(distinctId)
    this.#own(distinctId, person)
  }

  #own(distinctId: string, person: Person): void {
    this.#owners.set(distinctId, person)
    person.distinctIds.push(distinctId)
  }

  #owner(distinctId: string): Person {
    const owner = this.#owners.get(distinctId)
    if (owner === undefined) throw new InvariantError('an attached distinct id has no person')
    return owner
  }
}

type Fresh = Pick<Person, 'id' | 'isNew' | 'loaded' | 'isIdentified' | 'createdAt'>

function newPerson(fresh: Fresh): Person {
  return {
    ...fresh,
    fold: new PropertyFold(),
    merged: undefined,
    foldedInto: undefined,
    isTouched: false,
    absorbed: [],
    distinctIds: [],
    works: [],
  }
}

/** Every merge that is not refused ends with an identified person whose whole state is written. */
function identify(person: Person): void {
  settle(person)
  person.isIdentified = true
  person.isTouched = true
}

/** The properties so far, with the changes of the batch applied. Later changes are folded again. */
function settle(person: Person): Properties {
  const text = person.loaded?.properties
  if (person.merged === undefined && !person.isNew && text === undefined) {
    throw new InvariantError('the properties of a merged person were not loaded')
  }
  const properties = person.merged ?? parseProperties(text ?? '')
  person.fold.applyTo(properties)
  person.fold = new PropertyFold()
  person.merged = properties
  return properties
}
