/**
 * Finds the project or organization that a call names, and checks whether the caller may reach it.
 */
import type { Clock } from '../core/clock.ts'
import {
  isUuid,
  type OrganizationId,
  organizationId,
  type ProjectId,
  projectId,
} from '../core/ids.ts'
import type { Db } from '../postgres/db.ts'
import { type SharedRead, shareReads } from '../postgres/shared-reads.ts'
import { findOrganizationLevel, type Level } from '../store/people/organization-store.ts'
import {
  findProjectLevelByToken,
  findProjectLevels,
  type ProjectLevel,
  type UserInProject,
} from '../store/projects/project-store.ts'
import { currentPlace } from './current-project.ts'
import { invalid, notFound, permissionDenied } from './errors.ts'
import { reachesOrganization, reachesProject } from './key-limits.ts'
import { isProjectToken } from './keys.ts'
import type { Principal } from './principal.ts'

/** A project that the caller sees, with the caller's level in its organization. */
export type ProjectAccess = {
  readonly projectId: ProjectId
  readonly organizationId: OrganizationId
  readonly level: Level
  /** Plugin access of the organization: 0 none, 3 configure, 6 install, 9 root. */
  readonly pluginsAccessLevel: number
}

export type OrganizationAccess = {
  readonly organizationId: OrganizationId
  readonly level: Level
  readonly pluginsAccessLevel: number
}

/** Database reads of the access checks of a project. */
export type ProjectReads = {
  readonly db: Db
  readonly levelOf: SharedRead<UserInProject, ProjectLevel>
}

export function createProjectReads(db: Db, clock: Pick<Clock, 'after'>): ProjectReads {
  const levelOf = shareReads<UserInProject, ProjectLevel>({
    clock,
    nameOf: ({ project, user }) => `${project} ${user}`,
    read: (asked) => findProjectLevels(db, asked),
  })
  return { db, levelOf }
}

/** Name of the caller in a path. */
export const CURRENT_USER = '@me'
/** Name of the caller's current project or organization in a path. */
export const CURRENT = '@current'
const INT32_MAX = 2_147_483_647

/**
 * The project that holds the object of a path. A project that the caller cannot see is 403 here,
 * since its id is no secret; in the project's own route it is 404.
 * @param token a project API key, for `@current`; empty when there is none.
 * @throws {AppError} `not_found` for a reference to no project, `permission_denied` for outsiders
 * and for keys that are restricted to other projects.
 */
export async function parentProject(
  reads: ProjectReads,
  principal: Principal,
  reference: string,
  token = '',
): Promise<ProjectAccess> {
  const isByToken = reference === CURRENT && token !== ''
  const found = isByToken
    ? await levelByToken(reads.db, principal, token)
    : await findLevel(reads, principal, reference)
  // A key of no project is answered as a foreign one: callers must not learn which keys exist.
  if (found === undefined && !isByToken) throw notFound('Project not found.')
  const access = found === undefined ? undefined : seen(found)
  if (access === undefined) throw permissionDenied("You don't have access to the project.")
  return restricted(principal, access)
}

/** A text that cannot be a key is not looked up: Postgres refuses some texts. */
async function levelByToken(
  db: Db,
  principal: Principal,
  token: string,
): Promise<ProjectLevel | undefined> {
  return isProjectToken(token)
    ? await findProjectLevelByToken(db, token, principal.userId)
    : undefined
}

/**
 * The project that is itself the object of a path.
 * @throws {AppError} `invalid_argument` when `reference` is no number, `not_found` when the caller
 * cannot see such a project, `permission_denied` when the key is restricted to others.
 */
export async function ownProject(
  reads: ProjectReads,
  principal: Principal,
  reference: string,
): Promise<ProjectAccess> {
  if (reference !== CURRENT && !/^-?\d+$/.test(reference)) {
    throw invalid('A valid integer is required.', null)
  }
  const found = await findLevel(reads, principal, reference)
  const access = found === undefined ? undefined : seen(found)
  if (access === undefined) throw notFound()
  return restricted(principal, access)
}

/** Undefined when a well-formed reference matches nothing. */
async function findLevel(
  { db, levelOf }: ProjectReads,
  { userId: user }: Principal,
  reference: string,
): Promise<ProjectLevel | undefined> {
  if (reference === CURRENT) {
    const { projectId: project } = await currentPlace(db, user)
    return project === null ? undefined : await levelOf({ project, user })
  }
  if (!/^-?\d+$/.test(reference)) throw notFound()
  const project = rowId(reference)
  return project === undefined ? undefined : await levelOf({ project, user })
}

/** Under access control a project is visible to administrators only: there are no other grants. */
function seen(found: ProjectLevel): ProjectAccess | undefined {
  const { level, accessControl, organizationId: organization, pluginsAccessLevel } = found
  if (level === null || (accessControl && level === 1)) return undefined
  const id = projectId(found.id)
  return { projectId: id, organizationId: organization, level, pluginsAccessLevel }
}

function restricted(principal: Principal, access: ProjectAccess): ProjectAccess {
  const { projectId: id } = access
  if (reachesProject(principal, { ...access, id })) return access
  throw permissionDenied(`API key does not have access to the project with ID ${access.projectId}.`)
}

/**
 * The organization that the caller works in; undefined for a caller who is in none.
 * @throws {AppError} `permission_denied` when the key is restricted to projects or to other
 * organizations.
 */
export async function currentOrganization(
  db: Db,
  principal: Principal,
): Promise<OrganizationAccess | undefined> {
  refuseProjectKeys(principal)
  const { organizationId: id } = await currentPlace(db, principal.userId)
  if (id === null) return undefined
  if (!reachesOrganization(principal, id)) {
    throw permissionDenied('API key does not have access to the current organization.')
  }
  const found = await findOrganizationLevel(db, id, principal.userId)
  // The membership may have ended between the two statements.
  if (found === undefined || found.level === null) return undefined
  const { level, pluginsAccessLevel } = found
  return { organizationId: id, level, pluginsAccessLevel }
}

/**
 * The organization that holds the object of a path; foreign ones are 403.
 * @throws {AppError} `not_found` for an unknown organization and for one that a restricted key does
 * not see, `permission_denied` for outsiders and for keys restricted to projects.
 */
export async function parentOrganization(
  db: Db,
  principal: Principal,
  reference: string,
): Promise<OrganizationAccess> {
  const found = await visibleOrganization(db, principal, reference)
  if (found === undefined) throw notFound('Organization not found.')
  if (found === 'foreign') throw permissionDenied()
  return found
}

/**
 * The organization that is itself the object of a path; foreign ones are 404.
 * @throws {AppError} `not_found`, or `permission_denied` for keys restricted to projects.
 */
export async function ownOrganization(
  db: Db,
  principal: Principal,
  reference: string,
): Promise<OrganizationAccess> {
  const found = await visibleOrganization(db, principal, reference)
  if (found === undefined || found === 'foreign') throw notFound()
  return found
}

/**
 * Refuses calls beyond single projects to keys that are restricted to projects.
 * @throws {AppError} `permission_denied`.
 */
export function refuseProjectKeys(principal: Principal): void {
  if (principal.scopedProjects.length === 0) return
  throw permissionDenied('API keys with restricted projects cannot use organization-level routes.')
}

async function visibleOrganization(
  db: Db,
  principal: Principal,
  reference: string,
): Promise<OrganizationAccess | 'foreign' | undefined> {
  refuseProjectKeys(principal)
  const id = await organizationOf(db, principal, reference)
  const found = await findOrganizationLevel(db, id, principal.userId)
  if (found === undefined || !reachesOrganization(principal, id)) return undefined
  const { level, pluginsAccessLevel } = found
  return level === null ? 'foreign' : { organizationId: id, level, pluginsAccessLevel }
}

async function organizationOf(
  db: Db,
  principal: Principal,
  reference: string,
): Promise<OrganizationId> {
  if (reference === CURRENT) {
    const place = await currentPlace(db, principal.userId)
    if (place.organizationId === null) throw notFound('Organization not found.')
    return place.organizationId
  }
  if (!isUuid(reference)) throw notFound()
  return organizationId(reference)
}

/** Id of a row from its decimal text; undefined when no row can have it. */
export function rowId(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined
  const id = Number(text)
  return id >= 1 && id <= INT32_MAX ? id : undefined
}

/** Id of a row that is a UUID, in lower case; undefined for any other text. */
export function rowUuid(text: string): string | undefined {
  return isUuid(text) ? text.toLowerCase() : undefined
}
