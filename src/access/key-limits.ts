/** Scopes and restrictions of personal keys. */
import type { OrganizationId } from '../core/ids.ts'
import type { KeyRestrictions } from '../store/people/key-store.ts'
import type { ContractMethod } from '../wire/proto/proto.ts'
import { permissionDenied } from './errors.ts'
import type { Principal } from './principal.ts'

export type KeyLimits = Pick<
  Principal,
  'scopes' | 'scopedProjects' | 'scopedOrganizations' | 'expiresAt'
>

/** Restrictions of a key that sees all that its user sees. */
export const UNRESTRICTED: KeyRestrictions = { scopedProjects: [], scopedOrganizations: [] }

/** May do everything. */
export const EVERY_SCOPE = '*'
const ACTIONS = ['read', 'write'] as const
/** Scope objects of public routes, beside those of the contract: capture takes `event:write`. */
const PUBLIC_OBJECTS = ['event'] as const

/**
 * Every scope that a key may hold: `*`, and read and write of each object that a method of the
 * contract, or a public route, requires.
 */
export function knownScopes(methods: readonly ContractMethod[]): ReadonlySet<string> {
  const known = new Set([EVERY_SCOPE])
  for (const object of PUBLIC_OBJECTS) {
    for (const each of ACTIONS) known.add(`${object}:${each}`)
  }
  for (const { rules } of methods) {
    const [object, action] = rules.scope.split(':')
    if (object === undefined || action === undefined) continue
    for (const each of ACTIONS) known.add(`${object}:${each}`)
  }
  return known
}

/** Writing includes reading. */
export function hasScope(scopes: readonly string[], wanted: string): boolean {
  if (scopes.includes(EVERY_SCOPE) || scopes.includes(wanted)) return true
  const [object, action] = wanted.split(':')
  return action === 'read' && scopes.includes(`${object}:write`)
}

export function reachesOrganization(
  { scopedOrganizations }: KeyRestrictions,
  organization: OrganizationId,
): boolean {
  return scopedOrganizations.length === 0 || scopedOrganizations.includes(organization)
}

export function reachesProject(
  restrictions: KeyRestrictions,
  project: { readonly id: number; readonly organizationId: OrganizationId },
): boolean {
  const { scopedProjects } = restrictions
  const isProjectReached = scopedProjects.length === 0 || scopedProjects.includes(project.id)
  return isProjectReached && reachesOrganization(restrictions, project.organizationId)
}

/** The first of its limits in which a key would hold more than `own`; undefined when in none. */
export function excessOver(own: KeyLimits, wanted: KeyLimits): keyof KeyLimits | undefined {
  if (!wanted.scopes.every((scope) => hasScope(own.scopes, scope))) return 'scopes'
  if (!isWithin(own.scopedProjects, wanted.scopedProjects)) return 'scopedProjects'
  if (!isWithin(own.scopedOrganizations, wanted.scopedOrganizations)) return 'scopedOrganizations'
  if (own.expiresAt !== null && outlives(wanted.expiresAt, own.expiresAt)) return 'expiresAt'
  return undefined
}

/** Moments of one form, which sort as texts. */
function outlives(moment: string | null, other: string): boolean {
  return moment === null || moment > other
}

/** Whether `own` allows all of `wanted`; an empty list restricts nothing. */
function isWithin<T>(own: readonly T[], wanted: readonly T[]): boolean {
  if (own.length === 0) return true
  return wanted.length > 0 && wanted.every((each) => own.includes(each))
}

/**
 * Refuses calls about the instance as a whole to keys that are restricted to a part of it.
 * @throws {AppError} `permission_denied`.
 */
export function refuseRestrictedKeys({
  scopedProjects,
  scopedOrganizations,
}: KeyRestrictions): void {
  if (scopedProjects.length === 0 && scopedOrganizations.length === 0) return
  throw permissionDenied('API keys with restrictions cannot use this route.')
}
