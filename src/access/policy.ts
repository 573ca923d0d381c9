/** Access policy of each method, from the annotations of the contract: scope, parent, levels. */
import { assert } from '../core/code.ts'
import type { ContractMethod } from '../wire/proto/proto.ts'
import { permissionDenied } from './errors.ts'
import { hasScope } from './key-limits.ts'
import type { Principal } from './principal.ts'

/**
 * Parent of a path, which decides how it is looked up: a project or an organization that holds the
 * object (`…/{project_id}/flags/`), the one that is the object (`…/projects/{id}/`), the project
 * whose key the query names, the caller's current organization (`/api/projects/`), all of the
 * caller's organizations, or nothing but the caller. `public` has no caller at all.
 */
export type Parent =
  | 'project'
  | 'own_project'
  | 'project_by_token'
  | 'organization'
  | 'own_organization'
  | 'current_organization'
  | 'organizations'
  | 'caller'
  | 'public'

/** Rate limit that counts a call. */
export type Rate = 'default' | 'query' | 'library' | 'user_write'

/** Access policy of one method. */
export type MethodPolicy = {
  /** `/sluice.v1.ProjectService/ListProjects`. */
  readonly path: string
  /** `object:action`, or `*` for methods that only unrestricted keys may call. */
  readonly scope: string
  /** Least membership level: 1, 8 or 15; 0 needs a key only. */
  readonly level: number
  readonly parent: Parent
  /** Request fields that ask for more than the method does: field to least level. */
  readonly fieldLevels: Readonly<Record<string, number>>
  /** Only staff of the instance. */
  readonly isStaffOnly: boolean
  /** Request fields that only staff may set. */
  readonly staffFields: readonly string[]
  /** Least plugin access level of the organization; 0 needs none. */
  readonly pluginLevel: number
  /** Request fields that ask for a higher one: field to least plugin access level. */
  readonly fieldPluginLevels: Readonly<Record<string, number>>
  readonly rate: Rate
}

/** By gRPC path: the methods that REST serves, and those that carry a scope without it. */
export type Policy = ReadonlyMap<string, MethodPolicy>

/** Level of an administrator. */
export const ADMINISTRATOR = 8
/** Plugin access levels of an organization. */
export const PLUGINS_CONFIGURE = 3
export const PLUGINS_ROOT = 9

type ByMethod<T> = Readonly<Record<string, T>>
type ByField = Readonly<Record<string, number>>

const CLOSING: ByField = {
  access_control: ADMINISTRATOR,
  events_retention_days: ADMINISTRATOR,
}

/**
 * Levels of single fields, which annotations cannot express: only administrators may close a
 * project to plain members, and let its events expire.
 */
const FIELD_LEVELS: ByMethod<ByField> = {
  '/sluice.v1.ProjectService/CreateProject': CLOSING,
  '/sluice.v1.ProjectService/UpdateProject': CLOSING,
}

/** Only an organization of level 9 may offer a plugin to every organization. */
const FIELD_PLUGIN_LEVELS: ByMethod<ByField> = {
  '/sluice.v1.PluginService/CreatePlugin': { is_global: PLUGINS_ROOT },
  '/sluice.v1.PluginService/UpdatePlugin': { is_global: PLUGINS_ROOT },
}

const STAFF_FIELDS: ByMethod<readonly string[]> = {
  '/sluice.v1.UserService/UpdateMe': ['is_staff'],
}

/** Methods that server libraries poll, every half minute each. */
const LIBRARY_CALLS: ReadonlySet<string> = new Set([
  '/sluice.v1.FeatureFlagService/GetLocalEvaluation',
  '/sluice.v1.FeatureFlagService/GetLocalEvaluationByToken',
  '/sluice.v1.FeatureFlagService/GetFlagDefinitions',
  '/sluice.v1.FeatureFlagService/ListFeatureFlagsByToken',
  '/sluice.v1.FeatureFlagService/GetRemoteConfig',
])

const LEVELS: readonly number[] = [0, 1, 8, 15]
export const PLUGIN_LEVELS: readonly number[] = [0, 3, 6, 9]
/** Parents without a membership that could have a level. */
const WITHOUT_LEVEL: ReadonlySet<Parent> = new Set(['caller', 'organizations', 'public'])
const SCOPE = /^(?:\*|[a-z_]+:(?:read|write))$/

/** Templates to parents; the first match holds. */
const PARENTS: readonly (readonly [RegExp, Parent])[] = [
  [/^\/api\/projects\/\{project_id\}\//, 'project'],
  [/^\/api\/projects\/\{id\}\//, 'own_project'],
  [/^\/(?:api\/feature_flag|flags)\//, 'project_by_token'],
  [/^\/api\/projects\/$/, 'current_organization'],
  [/^\/api\/organizations\/\{(?:parent_lookup_)?organization_id\}\//, 'organization'],
  [/^\/api\/organizations\/\{id\}\//, 'own_organization'],
  [/^\/api\/organizations\/$/, 'organizations'],
  [/^\/api\/users\/verify_email\/$/, 'public'],
  [/^\/api\/(?:users|personal_api_keys|cluster)\//, 'caller'],
  [/^\/api\/(?:signup|login|logout|session)\//, 'public'],
  [/^(?:\/api)?\/(?:unsubscribe|shared)\//, 'public'],
]

/**
 * The one table of access rights, from the method rules of the contract.
 * @throws {InvariantError} when a method that REST serves has no rule, or an inconsistent one: a
 * forgotten annotation must stop the start, not grant access.
 */
export function createPolicy(methods: readonly ContractMethod[]): Policy {
  const policy = new Map<string, MethodPolicy>()
  for (const method of methods) {
    const { path, bindings, rules } = method
    if (bindings.length === 0 && rules.scope === '') continue
    const parent = parentOf(method)
    assert(rules.public === (parent === 'public'), `${path}: public by its rules or its path only`)
    assert(rules.public ? rules.scope === '' : SCOPE.test(rules.scope), `${path}: no scope`)
    assert(LEVELS.includes(rules.level), `${path}: no such level as ${rules.level}`)
    assert(WITHOUT_LEVEL.has(parent) === (rules.level === 0), `${path}: level and parent disagree`)
    assert(PLUGIN_LEVELS.includes(rules.plugin_level), `${path}: no such plugin level`)
    policy.set(path, {
      path,
      scope: rules.scope,
      level: rules.level,
      parent,
      fieldLevels: FIELD_LEVELS[path] ?? {},
      isStaffOnly: rules.staff,
      staffFields: STAFF_FIELDS[path] ?? [],
      pluginLevel: rules.plugin_level,
      fieldPluginLevels: FIELD_PLUGIN_LEVELS[path] ?? {},
      rate: rateOf(method),
    })
  }
  return policy
}

function parentOf({ path, bindings, request }: ContractMethod): Parent {
  if (bindings.length === 0) {
    assert(request.fields['project_id'] !== undefined, `${path}: no parent without a project_id`)
    return 'project'
  }
  const [parent, ...others] = bindings.map(({ template }) => {
    const found = PARENTS.find(([form]) => form.test(template))?.[1]
    assert(found !== undefined, `${path}: no parent is known for ${template}`)
    return found
  })
  assert(parent !== undefined, `${path}: no binding`)
  assert(
    others.every((other) => other === parent),
    `${path}: its bindings have different parents`,
  )
  return parent
}

function rateOf({ path, rules, bindings }: ContractMethod): Rate {
  if (LIBRARY_CALLS.has(path)) return 'library'
  if (rules.scope === 'query:read') return 'query'
  const isUsers = bindings.some(({ template }) => template.startsWith('/api/users/'))
  return isUsers && bindings.some(({ verb }) => verb !== 'GET') ? 'user_write' : 'default'
}

/** Scope of answers that depend on properties which are stored of persons and groups. */
export const PERSON_READ = { scope: 'person:read' }

/** @throws {AppError} `permission_denied` when the key lacks the scope of a method. */
export function requireScope(
  principal: Pick<Principal, 'scopes'>,
  { scope }: Pick<MethodPolicy, 'scope'>,
): void {
  if (hasScope(principal.scopes, scope)) return
  throw permissionDenied(`API key missing required scope '${scope}'.`)
}

/** @throws {AppError} `permission_denied` when only staff may make the call, or set a field. */
export function requireStaff(
  policy: MethodPolicy,
  { isStaff }: Pick<Principal, 'isStaff'>,
  given: readonly string[],
): void {
  if (isStaff) return
  if (policy.isStaffOnly || given.some((field) => policy.staffFields.includes(field))) {
    throw permissionDenied()
  }
}

/**
 * @param given names of the request's fields that the caller has set.
 * @throws {AppError} `permission_denied` when `level` is too low for the method or for a field.
 */
export function requireLevel(policy: MethodPolicy, level: number, given: readonly string[]): void {
  if (!reaches(level, policy.level, policy.fieldLevels, given)) throw permissionDenied()
}

/**
 * @param caller plugin access level of the organization; staff may set every field of plugins where
 * the organization may make the call.
 * @throws {AppError} `permission_denied` when it is too low for the method or for a field.
 */
export function requirePluginLevel(
  policy: MethodPolicy,
  { level, isStaff }: { readonly level: number; readonly isStaff: boolean },
  given: readonly string[],
): void {
  const { pluginLevel, fieldPluginLevels } = policy
  const byField = isStaff ? {} : fieldPluginLevels
  if (!reaches(level, pluginLevel, byField, given)) throw permissionDenied()
}

function reaches(
  level: number,
  least: number,
  byField: ByField,
  given: readonly string[],
): boolean {
  if (level < least) return false
  return given.every((field) => !Object.hasOwn(byField, field) || level >= (byField[field] ?? 0))
}
