import { v7 as uuidv7 } from 'uuid'
import type { OrganizationServiceDefinition } from '../../../proto/gen/sluice/v1/OrganizationService.ts'
import { notFound } from '../../access/errors.ts'
import { refuseRestrictedKeys } from '../../access/key-limits.ts'
import { makeOrganization } from '../../access/make-organization.ts'
import type { Principal } from '../../access/principal.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { NewsHub } from '../../core/project-news.ts'
import {
  countOrganizations,
  findOrganization,
  listOrganizations,
  listProjectsOf,
  lockOwnOrganization,
  type StoredOrganization,
} from '../../store/people/organization-membership-store.ts'
import {
  deleteOrganization,
  insertMembership,
  updateOrganization,
} from '../../store/people/organization-store.ts'
import { saveCurrentPlace } from '../../store/people/user-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import { deleteProjectsOf } from '../../store/projects/removed-projects-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { audit } from '../audit.ts'
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
  readonly news: Pick<NewsHub, 'publish'>
}

export function createOrganizationHandlers({
  management,
  sql,
  news,
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
        // Such a key would not reach what it has made, and would lead the user out of its reach.
        refuseRestrictedKeys(principal)
        const settings = mergeOrganization(ORGANIZATION_DEFAULTS, request)
        const made = await sql.begin(async (tx) => {
          const { userId } = principal
          const { organization, project } = await makeOrganization(tx, settings)
          const membership = { id: uuidv7(), organization, user: userId, level: 15 } as const
          await insertMembership(tx, membership)
          await saveCurrentPlace(tx, userId, organization, project.id)
          const stored = existing(await findOrganization(tx, organization, userId))
          await record(tx, principal, 'created', stored)
          return stored
        })
        news.publish({ kind: 'keys' })
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
        return toOrganization(existing(organization), projects)
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
        await sql.begin(async (tx) => {
          // Locked, so that no project is made in it meanwhile.
          const stored = await lockOwn(tx, organizationId, principal.userId)
          await deleteProjectsOf(tx, organizationId)
          await deleteOrganization(tx, organizationId)
          await record(tx, principal, 'deleted', stored, stored)
        })
        news.publish({ kind: 'keys' })
        return {}
      },
    }),
  }
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
  const changed = existing(updated && { ...stored, ...settings, ...updated })
  await record(tx, principal, 'updated', changed, stored)
  return changed
}

async function lockOwn(tx: Db, id: OrganizationId, user: UserId): Promise<StoredOrganization> {
  return existing(await lockOwnOrganization(tx, id, user))
}

async function withProjects(db: Db, principal: Principal, organization: StoredOrganization) {
  const projects = await listProjectsOf(db, principal.userId, [organization.id], principal)
  return toOrganization(organization, projects)
}

/** It may have gone, or the caller left it, since access to it was found. */
function existing(organization: StoredOrganization | undefined): StoredOrganization {
  if (organization === undefined) throw notFound()
  return organization
}

async function record(
  tx: Db,
  principal: Principal,
  activity: 'created' | 'updated' | 'deleted',
  organization: StoredOrganization,
  before: StoredOrganization | null = null,
): Promise<void> {
  const after = activity === 'deleted' ? null : organization
  await audit(
    tx,
    principal,
    { organizationId: organization.id },
    {
      scope: 'Organization',
      activity,
      itemId: organization.id,
      itemName: organization.name,
      type: 'sluice.v1.Organization',
      // Without projects, which have entries of their own.
      before: before === null ? null : toOrganization(before, []),
      after: after === null ? null : toOrganization(after, []),
    },
  )
}
