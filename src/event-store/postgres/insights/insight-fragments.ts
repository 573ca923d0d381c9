/** Shared parts of insight statements: buckets, actors and values of breakdowns. */
import { InvariantError } from '../../../core/code.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { textArray } from '../../../postgres/columns.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import {
  type BreakdownSource,
  NO_VALUE,
  NO_VALUE_PLACE,
  OTHER_VALUE,
  OTHER_VALUE_PLACE,
} from '../../insight-events.ts'
import { personOf } from '../reads/selection-sql.ts'
import { membershipRows } from '../renderer/cohort-sql.ts'
import { groupOfEvent, isGroupOfEvent } from '../renderer/group-of-event.ts'

const VALUE_LENGTH_MAX = '400'

/**
 * The number of the bucket, from 1; 0 is before the first. The edges are a value of the statement,
 * read once: as a bound value they would be read for each row.
 * @param edges ascending, ms since the epoch.
 */
export function bucketOf(edges: readonly number[]): Fragment {
  const texts = edges.map(timestampText)
  return fragment`width_bucket(e.timestamp, (select ${`{${texts.join(',')}}`}::timestamptz[]))`
}

/** Time as Postgres reads it: 1 BC instead of year 0, and no sign before a year 10000. */
function timestampText(ms: number): string {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  if (year > 0 && year < 10_000) return date.toISOString()
  const [rest = ''] = /-\d\d-\d\dT.*$/.exec(date.toISOString()) ?? []
  return year > 0 ? `${year}${rest}` : `"${String(1 - year).padStart(4, '0')}${rest} BC"`
}

/** Joins that a statement needs in addition to those of its selection. */
export type InsightNeeds = {
  readonly actor?: boolean
  readonly person?: boolean
  readonly breakdown?: BreakdownSource | undefined
}

/**
 * `e`, with its distinct id's row `d`, its person `p`, and the group `b` of the breakdown, where they
 * are needed. For a breakdown by cohorts, an event is there once for each that its actor is in.
 */
export function fromInsightEvents(selection: EventSelection, needs: InsightNeeds): Fragment {
  const { actor = false, person = false, breakdown } = needs
  const { project } = selection
  const needsPerson = person || selection.needsPerson || breakdown?.kind === 'person'
  const actors = actor || breakdown?.kind === 'cohorts' ? actorOf(project, fragment`e`) : fragment``
  const joined = needsPerson ? personOf(project) : actors
  if (breakdown?.kind === 'cohorts') {
    const rows = membershipRows(project, breakdown.cohorts)
    return fragment`from events e ${joined} join (${rows}) b on b.person_id = d.person_id`
  }
  if (breakdown?.kind !== 'group') return fragment`from events e ${joined}`
  const group = isGroupOfEvent(project, breakdown.index, fragment`b`)
  return fragment`from events e ${joined} left join groups b on ${group}`
}

/** @param groups see `ActorsRead`: then every `distinct_id` is that of an actor of its own. */
export function actorOf(project: ProjectId, alias: Fragment, groups?: number): Fragment {
  if (groups !== undefined) return fragment`cross join (select null::bigint as person_id) d`
  return fragment`left join distinct_ids d
    on d.project_id = ${String(project)}::integer and d.distinct_id = ${alias}.distinct_id`
}

/** Identity of the actor of `e` before persons are known; null if there is none. */
export function actorIdOf(project: ProjectId, groups: number | undefined): Fragment {
  return groups === undefined ? fragment`e.distinct_id` : groupOfEvent(project, groups)
}

/** Persons first; ids by code point. Over `person_id` and `lone`. */
export function actorOrder(alias: Fragment): Fragment {
  return fragment`${alias}.person_id nulls last, ${alias}.lone collate "C"`
}

/** The value of a breakdown, of what `fromInsightEvents` joins: null when there is none. */
export function breakdownText(source: BreakdownSource): Fragment {
  return valueIn(wholeText(source))
}

/** A text as a value: null for none, which is also what a text says that is named like its row. */
export function valueIn(text: Fragment): Fragment {
  return fragment`nullif(nullif(left(${text}, ${VALUE_LENGTH_MAX}::integer), ''), ${NO_VALUE})`
}

function wholeText(source: BreakdownSource): Fragment {
  switch (source.kind) {
    case 'event_name':
      return fragment`e.event`
    case 'event':
      return fragment`e.properties ->> ${source.property}`
    case 'person':
      return fragment`p.properties ->> ${source.property}`
    case 'cohorts':
      return fragment`b.value`
    case 'group':
      return fragment`b.properties ->> ${source.property}`
    case 'session':
      throw new InvariantError('stores know no properties of sessions')
    default:
      return source satisfies never
  }
}

/** The place of the value as it is shown: a number, which is less to send than a text. */
export function shownPlace(source: BreakdownSource, shown: readonly string[]): Fragment {
  const text = breakdownText(source)
  // A lookup in an object is by binary search, however many values there are.
  const places = JSON.stringify(Object.fromEntries(shown.map((value, index) => [value, index + 1])))
  return fragment`case when ${text} is null then ${String(NO_VALUE_PLACE)}::integer
    else coalesce(((select ${places}::jsonb) ->> ${text})::integer,
      ${String(OTHER_VALUE_PLACE)}::integer) end`
}

/** The value as it is shown: itself when it is one of `shown`. */
export function shownValue(source: BreakdownSource, shown: readonly string[]): Fragment {
  const text = breakdownText(source)
  return fragment`case when ${text} is null then ${NO_VALUE}
    when ${text} = any((select ${textArray(shown)})::text[]) then ${text} else ${OTHER_VALUE} end`
}
