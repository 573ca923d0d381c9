/** The operator's look at all organizations and projects; `src/rpc/operator` guards it. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { OrganizationDetails } from '../../../proto/gen/sluice/v1/OrganizationDetails.ts'
import { invalid } from '../../access/errors.ts'
import type { Sql } from '../../postgres/connect.ts'
import {
  countUsers,
  type InstancePlace,
  type InstanceRow,
  listInstance,
} from '../../store/people/instance-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'

/** Projects of one answer: some 100 bytes each. */
const PAGE = 500

const PLACE = /^([0-9a-f-]{36})\/(\d{1,10})$/

export function createOperatorInstance(
  sql: Sql,
): Pick<ServiceHandlers<AdminServiceDefinition>, 'ShowInstance'> {
  return {
    async ShowInstance({ after }) {
      const rows = await listInstance(sql, placeOf(after), PAGE)
      const last = rows.length < PAGE ? undefined : rows.at(-1)
      const next = last === undefined ? '' : `${last.organizationId}/${last.projectId ?? 0}`
      return { users: await countUsers(sql), organizations: grouped(rows), next }
    },
  }
}

/** @throws {AppError} `invalid_argument` for a cursor that no answer has given. */
function placeOf(text: string): InstancePlace | undefined {
  if (text === '') return undefined
  const [, organization = '', project = ''] = PLACE.exec(text) ?? []
  if (organization === '') throw invalid('Not the end of a page.', 'after')
  return { organization, project: Number(project) }
}

function grouped(rows: readonly InstanceRow[]): OrganizationDetails[] {
  const groups = new Map<string, OrganizationDetails & { projects: object[] }>()
  for (const row of rows) {
    const { organizationId: id, organizationName: name, ownerEmail } = row
    const owner = ownerEmail === null ? {} : { owner_email: ownerEmail }
    const group = groups.get(id) ?? { id, name, ...owner, projects: [] }
    groups.set(id, group)
    if (row.projectId === null) continue
    group.projects.push({ id: row.projectId, name: row.projectName, api_key: row.apiToken })
  }
  return [...groups.values()]
}
