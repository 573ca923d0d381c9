import { AppError } from '../../src/core/code.ts'
import { type KeyResolver, NO_PROJECT } from './api-key.ts'
import type { GatewayProject, KeyResolution, PublicScope } from './gateway-project.ts'
import type { ProjectChoice, TokenAnswer } from './token.ts'

/** Failures of finding a project. */
export type KeyError =
  | 'invalid_project'
  | 'invalid_api_key'
  | 'invalid_personal_api_key'
  | 'no_scope_event_write'
  | 'no_scope_feature_flag_read'
  | 'fetch_team_fail'

export type ProjectAnswer =
  | { readonly kind: 'project'; readonly project: GatewayProject }
  | { readonly kind: 'refused'; readonly error: KeyError; readonly retryAfterS?: number }

const INVALID_KEY: ProjectAnswer = { kind: 'refused', error: 'invalid_api_key' }
const INVALID_PERSONAL: ProjectAnswer = { kind: 'refused', error: 'invalid_personal_api_key' }
const LACKING: Readonly<Record<PublicScope, ProjectAnswer>> = {
  'event:write': { kind: 'refused', error: 'no_scope_event_write' },
  'feature_flag:read': { kind: 'refused', error: 'no_scope_feature_flag_read' },
}
const INVALID_PROJECT: ProjectAnswer = { kind: 'refused', error: 'invalid_project' }

/**
 * Requirement for a personal key: a scope, none (`any`), or `refused` where the route takes project
 * keys only. A project key needs no scope anywhere.
 */
export type PersonalKeyRule = PublicScope | 'any' | 'refused'

/**
 * The project that a request's key names: a project key by itself; a personal key the project that
 * the request names, else the only one that it reaches. Answers at once when the cache knows the
 * key. Never rejects.
 */
export function findProject(
  keys: KeyResolver,
  token: TokenAnswer,
  rule: PersonalKeyRule,
): ProjectAnswer | Promise<ProjectAnswer> {
  if (token.kind === 'refused') return token.isPersonal ? INVALID_PERSONAL : INVALID_KEY
  if (token.isPersonal && rule === 'refused') return INVALID_PERSONAL
  const question = { token: token.token, projectId: askedProject(token.project) }
  const known = keys.peek(question)
  if (known !== undefined) return judge(known, token, rule)
  return keys.resolve(question).then(
    (resolution) => judge(resolution, token, rule),
    (error: unknown) => {
      const retryAfterS = error instanceof AppError ? (error.detail?.retryAfterS ?? 2) : 2
      return { kind: 'refused', error: 'fetch_team_fail', retryAfterS }
    },
  )
}

function askedProject(project: ProjectChoice): number | undefined {
  if (project.kind === 'absent') return undefined
  return project.kind === 'id' ? project.id : NO_PROJECT
}

/** Decides from a key's resolution, given the project id of the request. */
function judge(
  resolution: KeyResolution,
  { project, isPersonal }: TokenAnswer & { kind: 'candidate' },
  rule: PersonalKeyRule,
): ProjectAnswer {
  switch (resolution.kind) {
    case 'project':
      if (rule === 'any') return resolution
      if (rule === 'refused') return resolution.isPersonal ? INVALID_KEY : resolution
      return resolution.lacks?.includes(rule) ? LACKING[rule] : resolution
    case 'undetermined':
      return project.kind === 'unknown' ? INVALID_PERSONAL : INVALID_PROJECT
    case 'invalid_personal':
      return INVALID_PERSONAL
    case 'unknown':
      if (isPersonal) return INVALID_PERSONAL
      if (project.kind === 'absent') return INVALID_KEY
      return project.kind === 'invalid' ? INVALID_PROJECT : INVALID_PERSONAL
    default:
      return resolution satisfies never
  }
}
