/** Stored events, of some given ones, for which a condition holds. */
import type { ProjectId } from '../../../core/ids.ts'
import type { EventPlace } from '../../../events/ports.ts'
import { asksOfPerson, type FilterNode } from '../../../events/trees/filter.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import { filterSql } from '../renderer/filter-sql.ts'
import { personOf } from './selection-sql.ts'

/** Postgres has no year 0; events of that year are stored on this day. */
const DAY_MIN = '0001-01-01'

/**
 * The uuids of those events of the project that the condition holds for.
 */
export async function matchingEvents(
  db: Db,
  project: ProjectId,
  places: readonly EventPlace[],
  where: FilterNode,
): Promise<ReadonlySet<string>> {
  const days = places.map(({ timestamp }) => {
    const day = timestamp.slice(0, DAY_MIN.length)
    return day < DAY_MIN ? DAY_MIN : day
  })
  const ids = places.map(({ id }) => id).join()
  const found = await run<{ uuid: string }>(
    db,
    fragment`select e.uuid from unnest(
        string_to_array(${ids}, ',')::uuid[], string_to_array(${days.join()}, ',')::date[]
      ) k(uuid, day)
      join events e on e.project_id = ${String(project)}::integer
        and e.day = k.day and e.uuid = k.uuid
        and e.day = any(string_to_array(${[...new Set(days)].join()}, ',')::date[])
      ${asksOfPerson(where) ? personOf(project) : fragment``}
      where ${filterSql(where, project)}`,
    false,
  )
  return new Set(found.map(({ uuid }) => uuid))
}
