/** Flags and cohorts whose conditions never hold, as a status has them. */
import type { GetStatusResponse } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Warned } from '../../store/projects/warned-store.ts'

/** @param warned undefined while they are not counted. */
export function warnedMessage(
  warned: Warned | undefined,
): Pick<GetStatusResponse, 'warned_flags' | 'warned_cohorts'> {
  if (warned === undefined) return { warned_flags: null, warned_cohorts: null }
  const { flags, cohorts } = warned
  return {
    warned_flags: {
      count: flags.count,
      first: flags.first.map(({ projectId, name }) => ({ project_id: projectId, key: name })),
    },
    warned_cohorts: {
      count: cohorts.count,
      first: cohorts.first.map(({ projectId, ...cohort }) => ({
        project_id: projectId,
        ...cohort,
      })),
    },
  }
}
