/** Collects which persons and groups a flush has changed. */
import type { ProjectId } from '../../../core/ids.ts'
import type { PersonsChanged } from '../../../events/event-batch.ts'

type Changed = { readonly distinctIds: Set<string>; readonly groups: Map<string, GroupName> }
type GroupName = { readonly type: string; readonly key: string }

/** Collects persons and groups that a flush has changed, by project and without repeats. */
export class ChangedPersons {
  readonly #projects = new Map<ProjectId, Changed>()

  addDistinctId(projectId: ProjectId, distinctId: string): void {
    this.#of(projectId).distinctIds.add(distinctId)
  }

  addGroup(projectId: ProjectId, group: GroupName): void {
    this.#of(projectId).groups.set(`${group.type.length} ${group.type} ${group.key}`, group)
  }

  list(): PersonsChanged[] {
    return [...this.#projects].map(([projectId, { distinctIds, groups }]) => ({
      projectId,
      distinctIds: [...distinctIds],
      groups: [...groups.values()],
    }))
  }

  #of(projectId: ProjectId): Changed {
    const found = this.#projects.get(projectId)
    if (found !== undefined) return found
    const made = { distinctIds: new Set<string>(), groups: new Map<string, GroupName>() }
    this.#projects.set(projectId, made)
    return made
  }
}
