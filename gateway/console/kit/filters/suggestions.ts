import { listEvents, listEventValues } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord } from '../../data/json.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import type { PropertyFilter } from './filter.ts'

const EVENTS_READ = 100

/** Names of properties that the newest events and their persons have, the most frequent first. */
export function usePropertyNames(
  project: number,
  type: PropertyFilter['type'],
): Resource<readonly string[]> {
  const isAsked = type === 'event' || type === 'person'
  const question = isAsked ? `property-names ${project} ${type}` : undefined
  const names = useResource(question, async (signal) => {
    const input = { project_id: project, limit: EVENTS_READ, shape: 'native' } as const
    const { results = [] } = (await listEvents(client, input, { signal })) as {
      readonly results?: readonly unknown[]
    }
    const counts = new Map<string, number>()
    for (const name of results.flatMap((event) => namesOf(event, type))) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return [...counts].sort((one, other) => other[1] - one[1]).map(([name]) => name)
  })
  return isAsked ? names : { ...names, data: type === 'event_metadata' ? OF_EVENT : [] }
}

const OF_EVENT = ['event', 'distinct_id']

function namesOf(event: unknown, type: PropertyFilter['type']): readonly string[] {
  if (!isRecord(event)) return []
  const holder = type === 'person' ? event['person'] : event
  const properties = isRecord(holder) ? holder['properties'] : undefined
  return isRecord(properties) ? Object.keys(properties) : []
}

/** Values that events have, of those that contain the text. */
export function usePropertyValues(
  project: number,
  filter: Pick<PropertyFilter, 'type' | 'key'> | undefined,
  search: string,
): Resource<readonly string[]> {
  const key = keyOf(filter)
  const question = key === undefined ? undefined : `values ${project} ${key} ${search}`
  return useResource(question, async (signal) => {
    const input = { project_id: project, key: key ?? '', ...(search && { value: search }) }
    const found = await listEventValues(client, input, { signal })
    return found.map(({ name }) => name)
  })
}

/** Undefined where nothing knows the values. */
function keyOf(filter: Pick<PropertyFilter, 'type' | 'key'> | undefined): string | undefined {
  if (filter === undefined || filter.key === '') return undefined
  if (filter.type === 'event_metadata' && filter.key === 'event') return 'custom_event'
  return filter.type === 'event' ? filter.key : undefined
}
