/** The group of a type that an event names. */
import type { ProjectId } from '../../../core/ids.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'

/**
 * Whether the row `group` of `groups` is the one that the event `e` names in `$groups` for the type
 * of this index. The name of the type is read once a statement.
 * @param index 0 to 4; one without a type is of no group.
 */
export function isGroupOfEvent(project: ProjectId, index: number, group: Fragment): Fragment {
  const id = String(project)
  const place = String(index)
  return fragment`${group}.project_id = ${id}::integer and ${group}.type_index = ${place}::smallint
    and ${group}.group_key = (${keyText(project, index)})`
}

/** The key of the group of a type that the event `e` names; null for none. */
export function groupOfEvent(project: ProjectId, index: number): Fragment {
  return fragment`nullif(${keyText(project, index)}, '')`
}

function keyText(project: ProjectId, index: number): Fragment {
  return fragment`e.properties -> '$groups' ->> (select t.group_type from group_types t
    where t.project_id = ${String(project)}::integer and t.type_index = ${String(index)}::smallint)`
}
