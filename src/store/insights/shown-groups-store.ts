/** Reads what is shown of the groups of a page. */
import type { ProjectId } from '../../core/ids.ts'
import { run } from '../events/event-selection.ts'
import { toColumns } from '../pool/columns.ts'
import type { Db } from '../pool/db.ts'
import { fragment } from '../pool/fragment.ts'

/** What is shown of a group. */
export type ShownGroup = {
  readonly key: string
  /** JSON object. */
  readonly properties: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/**
 * Groups of one type by their keys, in any order; those that only events know are left out.
 * @param bytesMax for the properties of all of them, more than those of any one.
 * @returns `too_large` when they have more bytes.
 */
export async function showGroups(
  db: Db,
  project: ProjectId,
  { index, keys }: { readonly index: number; readonly keys: readonly string[] },
  bytesMax: number,
): Promise<readonly ShownGroup[] | 'too_large'> {
  if (keys.length === 0) return []
  const { separator, texts } = toColumns([keys])
  const statement = fragment`
    with shown as (
      select g.group_key as key, g.properties::text as properties, g.created_at
      from groups g
      where g.project_id = ${String(project)}::integer and g.type_index = ${String(index)}::smallint
        and g.group_key = any(string_to_array(${texts[0] ?? ''}, ${separator}))
    ), sized as (
      select s.*, sum(octet_length(s.properties)) over (order by s.key) as bytes,
        count(*) over ()::integer as found
      from shown s
    )
    select s.key, s.properties, s.found,
      to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"
    from sized s where s.bytes <= ${String(bytesMax)}::bigint`
  const rows = await run<ShownGroup & { readonly found: number }>(db, statement, false)
  if (rows.length < (rows[0]?.found ?? 0)) return 'too_large'
  return rows.map(({ found: _, ...shown }) => shown)
}
