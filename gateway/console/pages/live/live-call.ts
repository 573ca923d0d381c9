import type { LiveFilter } from '../../data/live.ts'

/** Path of the live stream, which "Copy as curl" of the page copies. */
export function pathOfLive(
  project: number,
  { event, distinct_id, where = [], properties }: LiveFilter,
): string {
  const parameters = new URLSearchParams()
  if (event !== undefined) parameters.set('event', event)
  if (distinct_id !== undefined) parameters.set('distinct_id', distinct_id)
  for (const each of where) parameters.append('where', each)
  if (properties !== undefined) parameters.set('properties', properties)
  const query = parameters.size === 0 ? '' : `?${parameters}`
  return `/api/projects/${project}/live/${query}`
}
