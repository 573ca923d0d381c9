/** Reads the definitions of cohorts, with those of the cohorts within them. */
import type { ProjectId } from '../../core/ids.ts'
import { inspectDefinition } from '../../flags/cohorts.ts'
import type { CohortDefinition } from '../../flags/definition.ts'
import type { Db } from '../../postgres/db.ts'

/** Cohorts that one question reads, those within others included. */
const COHORTS_READ_MAX = 100

/**
 * Loads cohorts of the project that are not deleted, and those within them, at most
 * `COHORTS_READ_MAX`. A cohort that refers to a missing one cannot be used.
 */
export async function loadCohortDefinitions(
  db: Db,
  project: ProjectId,
  ids: Iterable<number>,
): Promise<readonly CohortDefinition[]> {
  const found = new Map<number, CohortDefinition>()
  const asked = new Set<number>()
  let wanted = [...new Set(ids)]
  while (wanted.length > 0 && asked.size < COHORTS_READ_MAX) {
    const next = wanted.filter(isInteger).slice(0, COHORTS_READ_MAX - asked.size)
    for (const id of next) asked.add(id)
    for (const definition of await definitionsOf(db, project, next)) {
      found.set(definition.id, definition)
    }
    const inner = next.flatMap((id) => innerIds(found.get(id)))
    wanted = [...new Set(inner)].filter((id) => isInteger(id) && !asked.has(id))
    if (next.length === 0) break
  }
  return [...found.values()]
}

function innerIds(definition: CohortDefinition | undefined): readonly number[] {
  if (definition === undefined || definition.isStatic) return []
  return [...inspectDefinition(definition.filters).cohortIds]
}

const INTEGER_MAX = 2_147_483_647

function isInteger(id: number): boolean {
  return id >= 0 && id <= INTEGER_MAX
}

async function definitionsOf(
  db: Db,
  project: ProjectId,
  ids: readonly number[],
): Promise<readonly CohortDefinition[]> {
  if (ids.length === 0) return []
  return await db<CohortDefinition[]>`
    select id, name, is_static as "isStatic", deleted, filters from cohorts
    where project_id = ${project} and not deleted
      and id = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)::integer))`
}
