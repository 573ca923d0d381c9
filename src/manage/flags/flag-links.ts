/** Dependencies of a flag, and the flags that depend on it. */
import type { FlagDependencies } from '../../../proto/gen/sluice/v1/FlagDependencies.ts'
import type { FlagLink } from '../../../proto/gen/sluice/v1/FlagLink.ts'
import type { ProjectId } from '../../core/ids.ts'
import { workInTurns } from '../../core/work/turns.ts'
import { compilingSnapshot } from '../../flags/compile.ts'
import type { FlagDefinition } from '../../flags/definition.ts'
import type { Db } from '../../postgres/db.ts'
import { loadFlagsForProject } from '../../store/projects/flag-store.ts'

/** Reads links as evaluation does: deleted flags depend on nothing. */
export async function flagLinks(db: Db, project: ProjectId, id: number): Promise<FlagDependencies> {
  const sources = await loadFlagsForProject(db, project)
  const { flags } = await workInTurns(compilingSnapshot(sources))
  const byId = new Map(sources.flags.map((flag) => [flag.id, flag]))
  const flag = flags.find((each) => each.id === id)
  const shown = (ids: readonly number[]): FlagLink[] =>
    ids.flatMap((each) => toLink(byId.get(each)))
  const filters = flag?.sets.flatMap((set) => set.filters) ?? []
  const cohortIds = filters.map((each) => (each.kind === 'cohort' ? each.cohort.id : undefined))
  return {
    depends_on: shown(flag?.dependencies.flatMap((at) => flags[at]?.id ?? []) ?? []),
    dependents: shown(
      flags
        .filter((each) => flag !== undefined && each.dependencies.includes(flag.position))
        .map((each) => each.id),
    ),
    cohorts: sources.cohorts
      .filter((cohort) => cohortIds.includes(cohort.id))
      .map((cohort) => ({ id: cohort.id, name: cohort.name })),
  }
}

function toLink(flag: FlagDefinition | undefined): FlagLink[] {
  if (flag === undefined || flag.deleted) return []
  return [{ id: flag.id, key: flag.key, active: flag.active }]
}
