import { countCohort } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { useSettled } from '../../data/settled.ts'
import { filtersOfCriteria, type Group, isComplete } from './criteria.ts'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

type CriteriaCountProps = { readonly project: number; readonly criteria: Group }

/** Number of persons that match criteria that are not saved yet. */
export function CriteriaCount({ project, criteria }: CriteriaCountProps) {
  return (
    <p class="cohort-count figure" role="status">
      {useCount(project, criteria)}
    </p>
  )
}

function useCount(project: number, criteria: Group): string {
  const canCount = isComplete(criteria)
  const question = JSON.stringify([project, criteria])
  const settled = useSettled(question)
  const { data, error, isStale } = useResource(
    canCount && settled === question ? `cohort-count ${settled}` : undefined,
    (signal) => {
      const filters = filtersOfCriteria(criteria)
      return countCohort(client, { project_id: project, filters }, { signal })
    },
  )
  if (!canCount) return TEXTS.incomplete
  if (settled !== question) return TEXTS.counting
  if (error !== undefined) return failureOf(error).detail
  if (data === undefined || isStale) return TEXTS.counting
  const { count, total } = data
  return count === null || total === null ? TEXTS.slow : TEXTS.matches(count, total)
}
