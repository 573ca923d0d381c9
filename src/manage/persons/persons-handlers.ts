/** Handlers of `PersonService`: reading and deleting persons. */
import type { PersonServiceDefinition } from '../../../proto/gen/sluice/v1/PersonService.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { objectOf } from '../wire-value.ts'
import { withLastSeen } from './last-seen.ts'
import { merge, type OnPersonsChanged, updatePerson } from './person-changes.ts'
import { anyNameOf, foundPerson, type Named } from './person-name.ts'
import { createPersonPrivacyHandlers, type PersonPrivacyDeps } from './person-privacy-handlers.ts'
import { listPersons, readPerson } from './person-reads.ts'

const SERVICE = '/sluice.v1.PersonService'

export type PersonHandlersDeps = PersonPrivacyDeps & { readonly onPersonsChanged: OnPersonsChanged }

export function createPersonHandlers(
  deps: PersonHandlersDeps,
): ServiceHandlers<PersonServiceDefinition> {
  const { management, sql, scanSql, events, queryLimiter, clock, onPersonsChanged } = deps
  const changing = { sql, clock, onPersonsChanged }
  const findAny = (project: ProjectId, request: Named) =>
    foundPerson(sql, project, anyNameOf(request))
  return {
    ...createPersonPrivacyHandlers(deps),
    ListPersons: management.underProject(`${SERVICE}/ListPersons`, {
      async run({ request, access, context: { signal } }) {
        const scans = queryLimiter.of(access.organizationId)
        const reading = { sql: scanSql, events, clock, scans }
        const page = await listPersons(reading, access.projectId, request, signal)
        if (request.include_last_seen !== true) return page
        const results = await withLastSeen(reading, access.projectId, page.results, signal)
        return { count: page.count, results }
      },
    }),

    GetPerson: management.underProject(`${SERVICE}/GetPerson`, {
      find: ({ request, access }) => findAny(access.projectId, request),
      run: ({ access }, person) => readPerson(sql, access.projectId, person),
    }),

    UpdatePerson: management.underProject(`${SERVICE}/UpdatePerson`, {
      find: ({ request, access }) => findAny(access.projectId, request),
      async run({ request, access, principal }, person) {
        const asking = { project: access.projectId, caller: { principal, access } }
        const change = { set: objectOf(request.properties ?? null), unset: request.unset ?? [] }
        return await updatePerson(changing, asking, person, change)
      },
    }),

    MergePersons: management.underProject(`${SERVICE}/MergePersons`, {
      find: ({ request, access }) => findAny(access.projectId, request),
      async run({ request, access, principal }, person) {
        const asking = { project: access.projectId, caller: { principal, access } }
        const isDryRun = request.dry_run === true
        const distinctIds = request.distinct_ids ?? []
        return await merge(changing, asking, person, { distinctIds, isDryRun })
      },
    }),
  }
}
