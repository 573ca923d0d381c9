/**
 * A project as the reference evaluator sees it: plain data, evaluated without SQL and from the
 * specification alone. Shares no code with `src/query/insights`.
 */
import { type Json, objectOf } from '../../../src/core/json.ts'
import type { Filter } from './filters.ts'
import type { LocalZone } from './zones.ts'

/** Microseconds since 1970, a whole number. */
export type Micros = number

export type WorldEvent = {
  readonly event: string
  readonly distinctId: string
  readonly at: Micros
  readonly properties: { readonly [key: string]: Json }
}

export type WorldPerson = {
  readonly distinctIds: readonly string[]
  readonly properties: { readonly [key: string]: Json }
}

export type Goal = {
  readonly name: string
  readonly event: string
  readonly properties?: readonly Filter[]
}

export type World = {
  readonly zone: LocalZone
  readonly now: Micros
  readonly events: readonly WorldEvent[]
  readonly persons: readonly WorldPerson[]
  readonly testAccountFilters: readonly Filter[]
  readonly webGoals?: readonly Goal[]
}

/** An event with its actor: the current person, or a distinct id without one. */
export type Seen = WorldEvent & {
  readonly actor: string
  readonly person: WorldPerson['properties'] | undefined
}

/** In order of time. */
export function seenIn(world: World): Seen[] {
  const owner = new Map(
    world.persons.flatMap((person, index) =>
      person.distinctIds.map((id) => [id, { index, person }] as const),
    ),
  )
  return world.events
    .map((event) => {
      const owned = owner.get(event.distinctId)
      const actor = owned === undefined ? `id ${event.distinctId}` : `person ${owned.index}`
      return { ...event, actor, person: owned?.person.properties }
    })
    .sort((a, b) => a.at - b.at)
}

/** By index. */
export const GROUP_TYPES = ['company', 'team'] as const

/** The key of the group that an event names; undefined for none. */
export function groupOf({ properties }: WorldEvent, index: number): string | undefined {
  const groups = properties['$groups']
  const key = objectOf(groups ?? null)[GROUP_TYPES[index] ?? '']
  return key === undefined || key === null || key === '' ? undefined : String(key)
}

/** As `seenIn`, of the groups of a type where these are the actors: others are of nobody. */
export function seenBy(world: World, index: number | undefined): Seen[] {
  const seen = seenIn(world)
  if (index === undefined) return seen
  return seen.flatMap((event) => {
    const key = groupOf(event, index)
    return key === undefined ? [] : [{ ...event, actor: `group ${key}` }]
  })
}

/** Members of each key, keys in the order of their first member. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
