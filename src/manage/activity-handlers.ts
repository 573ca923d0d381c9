/** Handlers of `ActivityService`: the activity of a project or organization. */
import type { ActivityServiceDefinition } from '../../proto/gen/sluice/v1/ActivityService.ts'
import { rowId } from '../access/access.ts'
import type { Db } from '../postgres/db.ts'
import type { AuditSelection } from '../store/audit/audit-read-store.ts'
import type { Page } from '../wire/page.ts'
import type { ServiceHandlers } from '../wire/service-handlers.ts'
import { type ActivityPage, pageOfActivity } from './activity-page.ts'
import type { Management } from './management.ts'

const SERVICE = '/sluice.v1.ActivityService'

export type ActivityHandlersDeps = { readonly management: Management; readonly sql: Db }

export function createActivityHandlers({
  management,
  sql,
}: ActivityHandlersDeps): ServiceHandlers<ActivityServiceDefinition> {
  return {
    ListProjectActivity: management.underProject(`${SERVICE}/ListProjectActivity`, {
      run: ({ request, access: { projectId } }) => listActivity(sql, { projectId }, request),
    }),

    ListOrganizationActivity: management.underOrganization(`${SERVICE}/ListOrganizationActivity`, {
      run: ({ request, access: { organizationId, level } }) =>
        listActivity(sql, { organizationId, level }, request),
    }),
  }
}

type ActivityRequest = Page & {
  readonly scope?: string
  readonly item_id?: string
  readonly user?: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An empty filter selects everything. */
async function listActivity(
  db: Db,
  place: AuditSelection['place'],
  request: ActivityRequest,
): Promise<ActivityPage> {
  const user = request.user ? userOf(request.user) : undefined
  if (user === 'nobody') return { count: 0, results: [] }
  const { scope, item_id: itemId } = request
  const selection = { place, scope: scope || undefined, itemId: itemId || undefined, user }
  return await pageOfActivity(db, selection, request)
}

/** A text that cannot name a user selects nothing: such a user has done nothing. */
function userOf(text: string): AuditSelection['user'] | 'nobody' {
  if (UUID.test(text)) return { uuid: text }
  const id = rowId(text)
  return id === undefined ? 'nobody' : { id }
}
