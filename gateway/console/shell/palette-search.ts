/** Search of the palette: pages at once, everything else from the server. */

import { labelOf } from '../../../src/core/charts/label.ts'
import {
  listCohorts,
  listEventDefinitions,
  listFeatureFlags,
  listPersons,
  listSavedInsights,
} from '../../client/index.ts'
import { client } from '../data/client.ts'
import { nameOfActor } from '../data/questions.ts'
import { addressOf, navigable } from './routes.ts'

export type Hit = { readonly kind: string; readonly label: string; readonly href: string }

const SHOWN = 5

export function pageHits(project: number, text: string): readonly Hit[] {
  return navigable()
    .filter(({ name }) => contains(name, text))
    .map((route) => ({ kind: 'Page', label: route.name, href: addressOf(route, project) }))
}

/** Parts that fail, or are not allowed, are left out: the others are shown. */
export async function searchHits(
  project: number,
  search: string,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const base = `/project/${project}`
  const page = { project_id: project, search, limit: SHOWN }
  const parts = await Promise.allSettled([
    listFeatureFlags(client, page, { signal }).then(({ results }) =>
      results.map(({ id, key }) => ({
        kind: 'Feature flag',
        label: key,
        href: `${base}/feature_flags/${id}`,
      })),
    ),
    listPersons(client, page, { signal }).then(({ results }) =>
      results.map((person) => ({
        kind: 'Person',
        label: nameOfActor(person),
        href: `${base}/person/${encodeURIComponent(person.distinct_ids[0] ?? '')}`,
      })),
    ),
    listEventDefinitions(client, page, { signal }).then(({ results }) =>
      results.map(({ name }) => ({
        kind: 'Event',
        label: labelOf(name),
        href: eventsOf(base, name),
      })),
    ),
    listSavedInsights(client, page, { signal }).then(({ results }) =>
      results.map(({ short_id, name }) => ({
        kind: 'Insight',
        label: name || short_id,
        href: `${base}/insights/${short_id}`,
      })),
    ),
    listCohorts(client, { ...page, basic: true }, { signal }).then(({ results }) =>
      results.map(({ id, name }) => ({
        kind: 'Cohort',
        label: name || `Cohort ${id}`,
        href: `${base}/cohorts/${id}`,
      })),
    ),
  ])
  return parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : []))
}

function eventsOf(base: string, name: string): string {
  const where = `event = '${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return `${base}/events?where=${encodeURIComponent(where)}`
}

function contains(text: string, search: string): boolean {
  return text.toLowerCase().includes(search.toLowerCase())
}
