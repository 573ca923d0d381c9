/** `AccessService`: whether a caller may use a path. */

import type { AccessServiceDefinition } from '../../../proto/gen/sluice/v1/AccessService.ts'
import { createProjectReads, parentOrganization, parentProject } from '../../access/access.ts'
import type { Authenticator } from '../../access/principal.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../postgres/db.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'

/** Checks whether the caller may use a path at all: the checks before that of the method. */
export function createAccessHandlers({
  authenticator,
  db,
  clock,
}: {
  readonly authenticator: Authenticator
  readonly db: Db
  readonly clock: Pick<Clock, 'after'>
}): ServiceHandlers<AccessServiceDefinition> {
  const reads = createProjectReads(db, clock)
  return {
    async CheckAccess(request, { metadata }) {
      const { project_id: project, organization_id: organization, token } = request
      const principal = await authenticator.authenticate(metadata)
      if (project !== '') await parentProject(reads, principal, project, token)
      if (organization !== '') await parentOrganization(db, principal, organization)
      return { user_id: principal.userId }
    },
  }
}
