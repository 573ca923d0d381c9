/** Handlers of `OrganizationService`. */
import { v7 as uuidv7 } from 'uuid'
import type { OrganizationServiceDefinition } from '../../../proto/gen/sluice/v1/OrganizationService.ts'
import { found } from '../../access/errors.ts'
import { refuseRestrictedKeys } from '../../access/key-limits.ts'
import { makeOrganization } from '../../access/make-organization.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  countOrganizations,
  findOrganization,
  listOrganizations,
  lockOwnOrganization,
  type StoredOrganization,
} from '../../store/people/organization-membership-store.ts'
import {
  deleteOrganization,
  insertOrganizationMembership,
  type OrganizationSettings,
  updateOrganization,
} from '../../store/people/organization-store.ts'
import { saveCurrentPlace } from '../../store/people/user-store.ts'
import { deleteProjectsOf } from '../../store/projects/removed-projects-store.ts'
import { listProjectsOf } from '../../store/projects/visible-projects-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { type AuditCaller, auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import {
  mergeOrganization,
  ORGANIZATION_DEFAULTS,
  type OrganizationFields,
  toOrganization,
} from './organization-message.ts'

const SERVICE = '/sluice.v1.OrganizationService'

export type OrganizationHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
}

export function createOrganizationHandlers({
  management,
  sql,
  feed,
}: OrganizationHandlersDeps): ServiceHandlers<OrganizationServiceDefinition> {
  return {
    ListOrganizations: management.acrossOrganizations(`${SERVICE}/ListOrganizations`, {
      async run({ request, principal }) {
        const { userId } = principal
        const [count, organizations] = await Promise.all([
          countOrganizations(sql, userId, principal),
          listOrganizations(sql, userId, principal, request),
        ])
        const ids = organizations.map(({ id }) => id)
        const projects = await listProjectsOf(sql, userId, ids, principal)
        const results = organizations.map((each) => toOrganization(each, projects))
        return { count, results }
      },
    }),

    CreateOrganization: management.acrossOrganizations(`${SERVICE}/CreateOrganization`, {
      async run({ request, principal }) {
        // Such a key would not reach the new organization, which becomes the user's current one.
        refuseRestrictedKeys(principal)
        const settings = mergeOrganization(ORGANIZATION_DEFAULTS, request)
        const made = await sql.begin((tx) => addOrganization(tx, principal, settings))
        feed.publish({ kind: 'keys' })
        return await withProjects(sql, principal, made)
      },
    }),

    GetOrganization: management.ownOrganization(`${SERVICE}/GetOrganization`, {
      async run({ access: { organizationId }, principal }) {
        const { userId } = principal
        const [organization, projects] = await Promise.all([
          findOrganization(sql, organizationId, userId),
          listProjectsOf(sql, userId, [organizationId], principal),
        ])
        return toOrganization(found(organization), projects)
      },
    }),

    UpdateOrganization: management.ownOrganization(`${SERVICE}/UpdateOrganization`, {
      async run({ request, access: { organizationId }, principal }) {
        const organization = await sql.begin((tx) =>
          changeOrganization(tx, principal, organizationId, request),
        )
        return await withProjects(sql, principal, organization)
      },
    }),

    DeleteOrganization: management.ownOrganization(`${SERVICE}/DeleteOrganization`, {
      async run({ access: { organizationId }, principal }) {
        await sql.begin((tx) => removeOrganization(tx, principal, organizationId))
        feed.publish({ kind: 'keys' })
        return {}
      },
    }),
  }
}

async function addOrganization(
  tx: Db,
  principal: Principal,
  settings: OrganizationSettings,
): Promise<StoredOrganization> {
  const { userId } = principal
  const { organization: id, project } = await makeOrganization(tx, settings)
  await insertOrganizationMembership(tx, {
    id: uuidv7(),
    organization: id,
    user: userId,
    level: 15,
  })
  await saveCurrentPlace(tx, userId, id, project.id)
  const after = found(await findOrganization(tx, id, userId))
  await auditOrganization(tx, callerIn(principal, id), { before: null, after })
  return after
}

async function changeOrganization(
  tx: Db,
  principal: Principal,
  id: OrganizationId,
  request: OrganizationFields,
): Promise<StoredOrganization> {
  const stored = await lockOwn(tx, id, principal.userId)
  const settings = mergeOrganization(stored, request)
  const updated = await updateOrganization(tx, id, settings)
  const after = found(updated && { ...stored, ...settings, ...updated })
  await auditOrganization(tx, callerIn(principal, id), { before: stored, after })
  return after
}

/** Removes an organization with its projects: its lock keeps others from making one meanwhile. */
async function removeOrganization(tx: Db, principal: Principal, id: OrganizationId): Promise<void> {
  const before = await lockOwn(tx, id, principal.userId)
  await deleteProjectsOf(tx, id)
  await deleteOrganization(tx, id)
  await auditOrganization(tx, callerIn(principal, id), { before, after: null })
}

function callerIn(principal: Principal, organizationId: OrganizationId): AuditCaller {
  return { principal, access: { organizationId } }
}

async function lockOwn(tx: Db, id: OrganizationId, user: UserId): Promise<StoredOrganization> {
  return found(await lockOwnOrganization(tx, id, user))
}

async function withProjects(db: Db, principal: Principal, organization: StoredOrganization) {
  const projects = await listProjectsOf(db, principal.userId, [organization.id], principal)
  return toOrganization(organization, projects)
}

const auditOrganization = auditorOf<StoredOrganization>({
  scope: 'Organization',
  type: 'sluice.v1.Organization',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  // Without projects, which have entries of their own.
  show: (organization) => toOrganization(organization, []),
})
