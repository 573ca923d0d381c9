import { assert } from '../core/code.ts'
import type { ContractMethod } from '../core/proto.ts'
import { permissionDenied } from './errors.ts'
import type { Principal } from './principal.ts'

/**
 * What a path is under, which decides how its parent is looked up: a project or an organization
 * that holds the object (`…/{project_id}/flags/`), the one that is the object (`…/projects/{id}/`),
 * the caller's current organization (`/api/projects/`), or nothing but the caller.
 */
export type Parent =
  | 'project'
  | 'own_project'
  | 'organization'
  | 'own_organization'
  | 'current_organization'
  | 'caller'

/** Who may call one method. */
export type MethodPolicy = {
  /** `/sluice.v1.ProjectService/ListProjects`. */
  readonly path: string
  /** `object:action`, or `*` for what only unrestricted keys may do. */
  readonly scope: string
  /** Least membership level: 1, 8 or 15; 0 asks for a key only. */
  readonly level: number
  readonly parent: Parent
  /** Request fields that ask for more than the method does: field to least level. */
  readonly fieldLevels: Readonly<Record<string, number>>
}

/** By gRPC path; exactly the methods that REST serves. */
export type Policy = ReadonlyMap<string, MethodPolicy>

const ADMINISTRATOR = 8

/** What the annotations cannot say: only administrators may close a project to plain members. */
const FIELD_LEVELS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '/sluice.v1.ProjectService/CreateProject': { access_control: ADMINISTRATOR },
  '/sluice.v1.ProjectService/UpdateProject': { access_control: ADMINISTRATOR },
}

const LEVELS: readonly number[] = [0, 1, 8, 15]
const SCOPE = /^(?:\*|[a-z_]+:(?:read|write))$/

/** Templates to parents; the first match holds. */
const PARENTS: readonly (readonly [RegExp, Parent])[] = [
  [/^\/api\/projects\/\{project_id\}\//, 'project'],
  [/^\/api\/projects\/\{id\}\//, 'own_project'],
  [/^\/api\/projects\/$/, 'current_organization'],
  [/^\/api\/organizations\/\{(?:parent_lookup_)?organization_id\}\//, 'organization'],
  [/^\/api\/organizations\/\{id\}\//, 'own_organization'],
  [/^\/api\/(?:users|personal_api_keys|organizations)\//, 'caller'],
]

/**
 * The one table of who may do what, from the method rules of the contract.
 * @throws {InvariantError} when a method that REST serves has no rule, or one without sense: a
 * forgotten annotation must stop the start, not open a door.
 */
export function createPolicy(methods: readonly ContractMethod[]): Policy {
  const policy = new Map<string, MethodPolicy>()
  for (const { path, bindings, rules } of methods) {
    const [first, ...others] = bindings
    if (first === undefined) continue
    const parent = parentOf(first.template)
    assert(parent !== undefined, `${path}: no parent is known for ${first.template}`)
    assert(
      others.every(({ template }) => parentOf(template) === parent),
      `${path}: its bindings have different parents`,
    )
    assert(SCOPE.test(rules.scope), `${path}: no scope`)
    assert(LEVELS.includes(rules.level), `${path}: no such level as ${rules.level}`)
    assert(parent === 'caller' || rules.level > 0, `${path}: anybody's key would do`)
    const fieldLevels = FIELD_LEVELS[path] ?? {}
    policy.set(path, { path, scope: rules.scope, level: rules.level, parent, fieldLevels })
  }
  return policy
}

function parentOf(template: string): Parent | undefined {
  return PARENTS.find(([form]) => form.test(template))?.[1]
}

/** @throws {AppError} `permission_denied` when the key lacks the method's scope. */
export function requireScope(principal: Principal, { scope }: MethodPolicy): void {
  const { scopes } = principal
  if (scopes.includes('*') || (scope !== '*' && scopes.includes(scope))) return
  const [object, action] = scope.split(':')
  if (action === 'read' && scopes.includes(`${object}:write`)) return
  throw permissionDenied(`API key missing required scope '${scope}'.`)
}

/**
 * @param given names of the request's fields that the caller has set.
 * @throws {AppError} `permission_denied` when `level` is too low for the method or for a field.
 */
export function requireLevel(policy: MethodPolicy, level: number, given: Iterable<string>): void {
  if (level < policy.level) throw permissionDenied()
  for (const field of given) {
    const least = Object.hasOwn(policy.fieldLevels, field) ? policy.fieldLevels[field] : 0
    if (least !== undefined && level < least) throw permissionDenied()
  }
}
