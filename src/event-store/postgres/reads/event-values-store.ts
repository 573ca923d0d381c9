/** Values that the events of a project have, for choosing from. */
import type { ProjectId } from '../../../core/ids.ts'
import type { PropertyValue, ValuesWanted } from '../../../events/ports.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import { dayOf, instant } from '../renderer/instants.ts'

/**
 * Distinct values, those of most events first, then by text. A number and the text that spells it
 * are one value.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function listPropertyValues(db: Db, wanted: ValuesWanted): Promise<PropertyValue[]> {
  const { project, key, from, before, part, events } = wanted
  const text = fragment`(e.properties ->> ${key})`
  const named =
    events.length === 0
      ? fragment`true`
      : fragment`e.event = any(array(
          select jsonb_array_elements_text(${JSON.stringify(events)}::jsonb)))`
  const holds = part === '' ? fragment`true` : fragment`strpos(lower(v.text), lower(${part})) > 0`
  const statement = fragment`
    select v.text, v.is_nested as "isNested"
    from (
      select ${text} as text, count(*) as count,
        case when left(${text}, 1) in ('[', '{')
          then jsonb_typeof(e.properties -> ${key}) in ('array', 'object') else false
        end as is_nested
      from events e
      where e.project_id = ${String(project)}::integer
        and e.timestamp >= ${instant(from)} and e.day >= ${dayOf(from)}
        and e.timestamp < ${instant(before)} and e.day <= ${dayOf(before)} and ${named}
      group by 1, 3
    ) v
    where v.text is not null and char_length(v.text) <= ${String(wanted.lengthMax)}::integer
      and ${holds}
    order by v.count desc, v.text collate "C" limit ${String(wanted.limit)}::bigint`
  return await run<PropertyValue>(db, statement, false)
}

/** Names of a project's events, those of most events first, then by name. From the counters. */
export async function listNamesOfEvents(
  db: Db,
  project: ProjectId,
  but: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db<{ event: string }[]>`
    select event from event_counts where project_id = ${project}
      and event <> all (${[...but]}::text[])
    group by event having sum(count) > 0
    order by sum(count) desc, event collate "C" limit ${limit}`
  return rows.map(({ event }) => event)
}
