import { AppError } from '../../src/core/code.ts'
import type { PublicError } from '../public/public-errors.ts'
import type { KeyResolver } from './api-key.ts'
import type { GatewayProject, KeyResolution, PublicScope } from './gateway-project.ts'
import type { TokenAnswer } from './token.ts'

export type ProjectAnswer =
  | { readonly kind: 'project'; readonly project: GatewayProject }
  | { readonly kind: 'refused'; readonly error: PublicError; readonly retryAfterS?: number }

const INVALID_KEY: ProjectAnswer = { kind: 'refused', error: 'invalid_api_key' }
const INVALID_PERSONAL: ProjectAnswer = { kind: 'refused', error: 'invalid_personal_api_key' }
const LACKING: Readonly<Record<PublicScope, ProjectAnswer>> = {
  'event:write': { kind: 'refused', error: 'no_scope_event_write' },
  'feature_flag:read': { kind: 'refused', error: 'no_scope_feature_flag_read' },
}
const INVALID_PROJECT: ProjectAnswer = { kind: 'refused', error: 'invalid_project' }

/**
 * The project that a request's key names: a project key alone, or a personal key with a project id.
 * Answers at once when the cache knows the key. Never rejects.
 * @param scope what a personal key needs for this; undefined where nothing is stored or read.
 */
export function findProject(
  keys: KeyResolver,
  token: TokenAnswer,
  scope?: PublicScope,
): ProjectAnswer | Promise<ProjectAnswer> {
  if (token.kind === 'refused') return INVALID_KEY
  const { project } = token
  if (token.isPersonal && project.kind !== 'id') return judge({ kind: 'unknown' }, token, scope)
  const projectId = project.kind === 'id' ? project.id : undefined
  const question = { token: token.token, projectId }
  const known = keys.peek(question)
  if (known !== undefined) return judge(known, token, scope)
  return keys.resolve(question).then(
    (resolution) => judge(resolution, token, scope),
    (error: unknown) => {
      const retryAfterS = error instanceof AppError ? (error.detail?.retryAfterS ?? 2) : 2
      return { kind: 'refused', error: 'fetch_team_fail', retryAfterS }
    },
  )
}

/** What an answer about the key means, given the project id that came along. */
function judge(
  resolution: KeyResolution,
  { project }: TokenAnswer & { kind: 'candidate' },
  scope: PublicScope | undefined,
): ProjectAnswer {
  switch (resolution.kind) {
    case 'project':
      if (scope !== undefined && resolution.lacks?.includes(scope)) return LACKING[scope]
      return resolution
    case 'invalid_personal':
      return INVALID_PERSONAL
    case 'unknown':
      if (project.kind === 'absent') return INVALID_KEY
      return project.kind === 'invalid' ? INVALID_PROJECT : INVALID_PERSONAL
    default:
      return resolution satisfies never
  }
}
