/** Lists the actors behind a number, a page at a time. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import type { ActorKey } from '../../actor-text.ts'
import type { ActorPage, TrendNumber } from '../../insight-events.ts'
import { actorOf, actorOrder } from './insight-fragments.ts'
import { idsBehind } from './trend-store.ts'

/**
 * Actors whose events make one of the numbers, each once, in the order of `actorOrder`, then
 * groups.
 * @param numbers at least one.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function actorsBehind(
  db: Db,
  project: ProjectId,
  numbers: readonly TrendNumber[],
  { limit, offset }: ActorPage,
): Promise<readonly ActorKey[]> {
  const all = numbers.map(idsBehind).reduce((sum, more) => fragment`${sum} union ${more}`)
  const statement = fragment`
    select a.person_id::text as person, a.lone, a.grouped as "group" from (
      select distinct d.person_id, case when d.person_id is null then x.distinct_id end as lone,
        x.grouped
      from (${all}) x ${actorOf(project, fragment`x`)} and x.grouped is null
    ) a order by a.grouped nulls first, ${actorOrder(fragment`a`)}
    limit ${String(limit)}::bigint offset ${String(offset)}::bigint`
  return await run<ActorKey>(db, statement, false)
}
