/** The persons that actors have got who had none. */
import type { ProjectId } from '../../core/ids.ts'
import { run } from '../events/event-selection.ts'
import { toColumns } from '../pool/columns.ts'
import type { Db } from '../pool/db.ts'
import { fragment } from '../pool/fragment.ts'

/** Numbers of persons by distinct id; ids that have none are left out. */
export async function firstPersonsOf(
  db: Db,
  project: ProjectId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { separator, texts } = toColumns([ids])
  const statement = fragment`
    select d.distinct_id as id, d.person_id::text as person from distinct_ids d
    where d.project_id = ${String(project)}::integer
      and d.distinct_id = any(string_to_array(${texts[0] ?? ''}, ${separator}))`
  const rows = await run<{ id: string; person: string }>(db, statement, true)
  return new Map(rows.map(({ id, person }) => [id, person]))
}
