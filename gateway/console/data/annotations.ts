/** Annotations of charts: those of a range, and where a chart stands. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Annotation, listAnnotations } from '../../client/index.ts'
import type { AnnotationPlace } from './annotation-buckets.ts'
import { client } from './client.ts'
import { currentProject } from './projects.ts'
import { type Resource, useResource } from './resource.ts'
import { shared } from './shared.ts'
import { useShared } from './use-shared.ts'

/** Largest number of annotations of one chart; the latest ones. */
const LISTED = 500
const DAY_MS = 86_400_000

/** Place of the charts below it; null for charts without annotations. */
export const AnnotationsHere = createContext<AnnotationPlace | null>({})

/** Rises with each change, so that every chart asks again. */
export const annotationChanges = shared(0)

export type Annotated = {
  readonly project: number
  readonly place: AnnotationPlace
  readonly annotations: Resource<readonly Annotation[]>
}

/**
 * Annotations of the project around a chart's time.
 * @param starts first moment of each bucket.
 * @returns undefined for a chart that takes none.
 */
export function useAnnotated(starts: readonly string[] = []): Annotated | undefined {
  const place = useContext(AnnotationsHere)
  const id = currentProject()?.id
  const changes = useShared(annotationChanges)
  const first = Date.parse(starts[0] ?? '')
  const last = Date.parse(starts.at(-1) ?? '')
  // A little more than the last bucket, whose length the chart does not say.
  const to = last + 1.2 * ((last - first) / (starts.length - 1) || DAY_MS)
  const isAsked = place !== null && id !== undefined && first > 0
  const key = isAsked ? `annotations ${id} ${first} ${to} ${changes}` : undefined
  const annotations = useResource(key, async (left) => {
    const range = { date_from: isoOf(first), date_to: isoOf(to), limit: LISTED }
    const page = { project_id: id ?? 0, ...range }
    return (await listAnnotations(client, page, { signal: left })).results
  })
  return isAsked ? { project: id, place, annotations } : undefined
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}
