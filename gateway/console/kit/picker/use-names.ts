import { labelOf } from '../../../../src/core/charts/label.ts'
import { listEventDefinitions } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { type Group, matches, type Option, type Source } from './choice.ts'
import { meaningOf } from './known-names.ts'
import { usePropertySample, usePropertyValues } from './suggestions.ts'
import { useSettled } from './use-settled.ts'

const NAMES_MAX = 200
const OF_EVENT = ['event', 'distinct_id']

type Names = {
  readonly groups: readonly Group[]
  readonly isLoading: boolean
  readonly error: unknown
}

/** Names of the project that match, by their sources, the most frequent first. */
export function useNames(sources: readonly Source[], search: string): Names {
  const events = useEvents(sources.includes('event'), search)
  const properties = usePropertySample(
    sources.some((each) => each === 'event_property' || each === 'person_property'),
  )
  const pages = useValues(sources.includes('page') ? '$pathname' : '', search)
  const screens = useValues(sources.includes('screen') ? '$screen_name' : '', search)
  const optionsOf = (source: Source): readonly Option[] => {
    if (source === 'event') return events.options
    if (source === 'page') return pages.map((name) => ({ source, name }))
    if (source === 'screen') return screens.map((name) => ({ source, name }))
    if (source === 'metadata') return OF_EVENT.map((name) => ({ source, name }))
    if (source === 'group_property') return []
    const all = source === 'event_property' ? properties.data?.event : properties.data?.person
    return (all ?? []).map((each) => ({ ...each, source }))
  }
  const groups = sources.map((source) => ({
    source,
    isWhole: source === 'event' && events.isWhole,
    options: optionsOf(source).filter(({ name, description }) =>
      matches(search, [name, labelOf(name), description ?? meaningOf(name) ?? '']),
    ),
  }))
  const isLoading = events.isLoading || (properties.isLoading && properties.data === undefined)
  return { groups, isLoading, error: events.error ?? properties.error }
}

/** The most frequent ones are asked once; a search asks only where these are not all. */
function useEvents(isAsked: boolean, search: string) {
  const first = useDefinitions(isAsked ? '' : undefined)
  const isAll = (first.data?.count ?? 0) <= NAMES_MAX
  const settled = useSettled(search.trim())
  const found = useDefinitions(isAll || settled === '' ? undefined : settled)
  const shown = isAll || settled === '' ? first : found
  const options = (shown.data?.results ?? []).map(
    (each): Option => ({
      source: 'event',
      name: each.name,
      count: each.volume_30_day ?? undefined,
      description: each.description || undefined,
      lastSeenAt: each.last_seen_at,
    }),
  )
  const isWhole =
    shown.data !== undefined &&
    shown.data.count <= NAMES_MAX &&
    !shown.isStale &&
    (isAll || settled === search.trim())
  const isLoading = isAsked && shown.data === undefined && shown.error === undefined
  return { options, isWhole, isLoading, error: shown.error }
}

/** Values of a property of events; none where it has no name. */
function useValues(key: string, search: string): readonly string[] {
  const { id } = useProject()
  return usePropertyValues(id, { type: 'event', key }, useSettled(search.trim())).data ?? []
}

function useDefinitions(search: string | undefined) {
  const { id } = useProject()
  const question = search === undefined ? undefined : `event-names ${id} ${search}`
  return useResource(question, (signal) => {
    const input = { project_id: id, limit: NAMES_MAX, ...(search ? { search } : {}) }
    return listEventDefinitions(client, input, { signal })
  })
}
