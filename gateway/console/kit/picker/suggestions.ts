import { listEvents, listEventValues, listPersons } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { type SampledProperty, sampled } from './sampled.ts'

const NEWEST = 100

type PropertySample = Readonly<Record<'event' | 'person', readonly SampledProperty[]>> & {
  /** Number of events and persons in the sample. */
  readonly read: Readonly<Record<'event' | 'person', number>>
}

/** Properties that the newest events and the newest persons have, the most frequent first. */
export function usePropertySample(isAsked = true): Resource<PropertySample> {
  const { id: project } = useProject()
  return useResource(isAsked ? `property-names ${project}` : undefined, async (signal) => {
    const page = { project_id: project, limit: NEWEST }
    const [listed, { results: persons }] = await Promise.all([
      listEvents(client, { ...page, shape: 'native' }, { signal }),
      listPersons(client, page, { signal }),
    ])
    const { results = [] } = listed as { readonly results?: readonly unknown[] }
    const events = results.filter(isRecord)
    return {
      read: { event: events.length, person: persons.length },
      event: sampled(events.map(({ properties }) => properties)),
      person: sampled(persons.map(({ properties }) => properties)),
    }
  })
}

/** Property of a filter. */
type FilteredProperty = { readonly type: string; readonly key: string }

/** Values that events have, of those that contain the text. */
export function usePropertyValues(
  project: number,
  filter: FilteredProperty | undefined,
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

/** Undefined where values cannot be suggested. */
function keyOf(filter: FilteredProperty | undefined): string | undefined {
  if (filter === undefined || filter.key === '') return undefined
  if (filter.type === 'event_metadata' && filter.key === 'event') return 'custom_event'
  return filter.type === 'event' ? filter.key : undefined
}
