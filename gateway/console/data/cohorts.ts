/** Cohorts of a project by name, for fields to choose from and for sentences that name them. */
import { type Cohort, listCohorts } from '../../client/index.ts'
import { client } from './client.ts'
import { type Resource, useResource } from './resource.ts'

export type NamedCohort = Pick<Cohort, 'id' | 'name' | 'is_static'>

const PAGE = 200

/** All cohorts, the newest first, without their counts. @param isAsked false loads nothing. */
export function useCohortNames(project: number, isAsked = true): Resource<readonly NamedCohort[]> {
  return useResource(isAsked ? cohortNamesKey(project) : undefined, async (signal) => {
    const all: NamedCohort[] = []
    for (;;) {
      const page = { project_id: project, limit: PAGE, offset: all.length, basic: true }
      const { results, next } = await listCohorts(client, page, { signal })
      all.push(...results)
      if (next === null || results.length === 0) return all
    }
  })
}

function cohortNamesKey(project: number): string {
  return `cohort-names ${project}`
}

/** A name to show: cohorts may have none. */
export function nameOfCohort({ id, name }: Pick<Cohort, 'id' | 'name'>): string {
  return name === '' ? `Cohort ${id}` : name
}
