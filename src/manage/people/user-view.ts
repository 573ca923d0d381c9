/** Reads a user with the place where they work, as `/api/users/@me/` shows them. */
import type { Organization } from '../../../proto/gen/sluice/v1/Organization.ts'
import type { User } from '../../../proto/gen/sluice/v1/User.ts'
import type { UserTeam } from '../../../proto/gen/sluice/v1/UserTeam.ts'
import { currentPlace } from '../../access/current-project.ts'
import { reachesProject } from '../../access/key-limits.ts'
import { AppError } from '../../core/code.ts'
import type { OrganizationId, ProjectId, UserId } from '../../core/ids.ts'
import { listEventNames } from '../../event-store/postgres/reads/event-names-store.ts'
import type { EventReader } from '../../events/ports.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { QueryLimiter } from '../../query/query-limiter.ts'
import type { KeyRestrictions } from '../../store/people/key-store.ts'
import {
  findOrganization,
  listOrganizationMemberships,
  type OrganizationMembership,
} from '../../store/people/organization-membership-store.ts'
import { findUser } from '../../store/people/user-store.ts'
import { findProject } from '../../store/projects/project-store.ts'
import { listProjectsOf } from '../../store/projects/visible-projects-store.ts'
import type { LookAtVolumes } from '../looked-volumes.ts'
import { toOrganization } from './organization-message.ts'
import { toUser, toUserTeam } from './user-message.ts'

/** Current user: names of events and of properties, and characters of a property name. */
const ME_NAMES_MAX = 2_000
const ME_PROPERTY_NAME_LENGTH_MAX = 400
/** Newest events to read for these properties, and their stored bytes. */
const ME_SAMPLE_EVENTS_MAX = 5_000
const ME_SAMPLE_BYTES_MAX = 8_388_608
const ME_SAMPLE_TIMEOUT_MS = 2_000

/**
 * A user with the current place, as a key sees it: organizations and projects outside the key's
 * restrictions are left out, and are never the current one.
 * @returns undefined when there is no such user.
 */
export type ViewUser = (user: UserId, restrictions: KeyRestrictions) => Promise<User | undefined>

export type UserViewDeps = {
  readonly sql: Sql
  readonly events: EventReader
  readonly queryLimiter: QueryLimiter
  readonly lookAtVolumes: LookAtVolumes
}

/** @param options.version of this instance. */
export function createUserView(
  { sql, lookAtVolumes, ...scans }: UserViewDeps,
  options: { readonly version: string },
): ViewUser {
  const propertyNames = createPropertyNames(scans)

  const organizationOf = async (
    user: UserId,
    { id }: OrganizationMembership,
    restrictions: KeyRestrictions,
  ): Promise<Organization | undefined> => {
    const [organization, projects] = await Promise.all([
      findOrganization(sql, id, user),
      listProjectsOf(sql, user, [id], restrictions),
    ])
    return organization && toOrganization(organization, projects)
  }

  const teamOf = async (
    id: ProjectId,
    { id: organization, level }: OrganizationMembership,
  ): Promise<UserTeam | undefined> => {
    const [project, events, properties] = await Promise.all([
      findProject(sql, id),
      lookAtVolumes(id).then(() => listEventNames(sql, id, ME_NAMES_MAX)),
      propertyNames(id, organization),
    ])
    return project && toUserTeam(project, level, events, properties)
  }

  return async (id, restrictions) => {
    const [user, place, memberships] = await Promise.all([
      findUser(sql, id),
      currentPlace(sql, id),
      listOrganizationMemberships(sql, id, restrictions),
    ])
    if (user === undefined) return undefined
    const current = memberships.find((each) => each.id === place.organizationId)
    const project = current && place.projectId
    const [organization, team] = await Promise.all([
      current && organizationOf(id, current, restrictions),
      current &&
      project &&
      reachesProject(restrictions, { id: project, organizationId: current.id })
        ? teamOf(project, current)
        : undefined,
    ])
    return {
      ...toUser(user),
      ...(team && { team }),
      ...(organization && { organization }),
      organizations: memberships.map(({ id: uuid, name, slug, level }) => ({
        id: uuid,
        name,
        slug,
        membership_level: level,
      })),
      service_version: options.version,
    }
  }
}

const SAMPLE_TIME = { left: () => ME_SAMPLE_TIMEOUT_MS }

/** Error codes that leave the names out: a full query limiter, and unreadable events. */
const WITHOUT_NAMES: ReadonlySet<string> = new Set([
  'resource_exhausted',
  'cancelled',
  'unavailable',
])

/**
 * Calls at once share one sample: a project's users cost one connection at most. None are known
 * while the organization's other queries leave no place, and while events cannot be read.
 */
function createPropertyNames({
  events,
  queryLimiter,
}: Omit<UserViewDeps, 'sql' | 'lookAtVolumes'>) {
  const running = new Map<ProjectId, Promise<readonly string[]>>()
  const sample = {
    events: ME_SAMPLE_EVENTS_MAX,
    bytes: ME_SAMPLE_BYTES_MAX,
    nameLengthMax: ME_PROPERTY_NAME_LENGTH_MAX,
    namesMax: ME_NAMES_MAX,
  }
  const read = async (project: ProjectId, organization: OrganizationId) => {
    const call = { signal: new AbortController().signal, time: SAMPLE_TIME }
    const names = () => events.propertyNames(project, sample, call)
    try {
      // Aborted from the start, it does not wait for a place.
      return await queryLimiter.of(organization).run(AbortSignal.abort(), names)
    } catch (error) {
      if (error instanceof AppError && WITHOUT_NAMES.has(error.code)) return []
      throw error
    }
  }
  return (project: ProjectId, organization: OrganizationId): Promise<readonly string[]> => {
    const known = running.get(project)
    if (known !== undefined) return known
    const names = read(project, organization).finally(() => running.delete(project))
    running.set(project, names)
    return names
  }
}
