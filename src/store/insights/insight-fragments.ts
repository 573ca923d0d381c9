/** What statements of insights have in common: buckets, actors and values of breakdowns. */
import type { ProjectId } from '../../core/ids.ts'
import { type EventSelection, personOf } from '../events/event-selection.ts'
import { toColumns } from '../pool/columns.ts'
import { type Fragment, fragment } from '../pool/fragment.ts'

/** What a breakdown reads of an event. */
export type BreakdownSource =
  | { readonly kind: 'event' | 'person'; readonly property: string }
  | { readonly kind: 'event_name' }

/** Shown for events without a value, and for those whose value is not shown by itself. */
export const NO_VALUE = '$$_posthog_breakdown_null_$$'
export const OTHER_VALUE = '$$_posthog_breakdown_other_$$'

const VALUE_LENGTH_MAX = '400'

/**
 * The number of the bucket, from 1; 0 is before the first. The edges are a value of the statement,
 * read once: as a bound value they would be read for each row.
 * @param edges ascending, ms since the epoch.
 */
export function bucketOf(edges: readonly number[]): Fragment {
  const texts = edges.map((ms) => new Date(ms).toISOString())
  return fragment`width_bucket(e.timestamp, (select ${`{${texts.join(',')}}`}::timestamptz[]))`
}

/** `e`, with its distinct id's row `d` and its person `p` where they are needed. */
export function fromInsightEvents(
  selection: EventSelection,
  needs: { readonly actor: boolean; readonly person: boolean },
): Fragment {
  if (needs.person || selection.needsPerson)
    return fragment`from events e ${personOf(selection.project)}`
  return needs.actor
    ? fragment`from events e ${actorOf(selection.project, fragment`e`)}`
    : fragment`from events e`
}

export function actorOf(project: ProjectId, alias: Fragment): Fragment {
  return fragment`left join distinct_ids d
    on d.project_id = ${String(project)}::integer and d.distinct_id = ${alias}.distinct_id`
}

/** The value of a breakdown: null when there is none. */
export function breakdownText(source: BreakdownSource): Fragment {
  if (source.kind === 'event_name')
    return fragment`nullif(left(e.event, ${VALUE_LENGTH_MAX}::integer), '')`
  const properties = source.kind === 'person' ? fragment`p.properties` : fragment`e.properties`
  return fragment`nullif(left(${properties} ->> ${source.property}, ${VALUE_LENGTH_MAX}::integer), '')`
}

/** The value as it is shown: itself when it is one of `shown`. */
export function shownValue(source: BreakdownSource, shown: readonly string[]): Fragment {
  const text = breakdownText(source)
  const { separator, texts } = toColumns([shown])
  const list =
    shown.length === 0
      ? fragment`'{}'::text[]`
      : fragment`string_to_array(${texts[0] ?? ''}, ${separator})`
  return fragment`case when ${text} is null then ${NO_VALUE}
    when ${text} = any((select ${list})::text[]) then ${text} else ${OTHER_VALUE} end`
}
