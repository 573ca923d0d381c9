/** Failures of calls of the management interface, with the detail that clients are shown. */
import { AppError } from '../core/code.ts'
import type { Result } from '../core/result.ts'
import { violatedConstraint } from '../postgres/failures.ts'
import {
  echo,
  invalidPersonalKeyDetail,
  notAuthenticatedDetail,
  notFoundDetail,
  permissionDeniedDetail,
  validationError,
} from '../wire/details.ts'

/** 401, no credentials at all. */
export function notAuthenticated(): AppError {
  return new AppError('unauthenticated', 'no credentials', { detail: notAuthenticatedDetail })
}

/** 401 of a session that was ended, or has not been used for too long, or never was one. */
export function sessionEnded(): AppError {
  const detail = 'Your session has ended. Sign in again.'
  return new AppError('unauthenticated', 'no such session', {
    detail: { ...notAuthenticatedDetail, detail },
  })
}

/** 401. */
export function invalidPersonalKey(): AppError {
  return new AppError('unauthenticated', 'personal key unknown or its user inactive', {
    detail: invalidPersonalKeyDetail,
  })
}

/** 403; `detail` names the missing right where that helps. */
export function permissionDenied(detail = permissionDeniedDetail.detail): AppError {
  return new AppError('permission_denied', 'permission denied', {
    detail: { ...permissionDeniedDetail, detail },
  })
}

/** 404 of an object; `detail` names a parent that is missing. */
export function notFound(detail = notFoundDetail.detail): AppError {
  return new AppError('not_found', 'not found', { detail: { ...notFoundDetail, detail } })
}

/** 400 of a field, or of the whole request when `attr` is null. */
export function invalid(detail: string, attr: string | null, code = 'invalid_input'): AppError {
  return validationError(code, detail, attr)
}

/** Returns the object that was looked up. @throws {AppError} `not_found` when it is undefined. */
export function found<T>(item: T | undefined): T {
  if (item === undefined) throw notFound()
  return item
}

/** 400 of a field that names an object which the caller does not see. */
export function unknownObject(id: string | number, attr: string): AppError {
  const detail = `Invalid pk "${echo(String(id))}" - object does not exist.`
  return invalid(detail, attr, 'does_not_exist')
}

/** 400 of an email address that another user has. */
export function emailTaken(): AppError {
  return invalid('There is already an account with this email address.', 'email', 'unique')
}

/** The value of a result. @throws {AppError} `invalid_argument` with the detail of its error. */
export function accepted<T>(
  result: Result<
    T,
    { readonly detail: string; readonly attr: string | null; readonly code: string }
  >,
): T {
  if (result.ok) return result.value
  const { detail, attr, code } = result.error
  throw invalid(detail, attr, code)
}

/**
 * Awaits a write that a unique index may refuse. The index decides and not a read beforehand,
 * because it sees what other transactions do at the same time.
 * @param constraint name of the index.
 * @throws {AppError} `refusal` when the index refuses the write.
 */
export async function refuseTaken<T>(
  write: Promise<T>,
  constraint: string,
  refusal: () => AppError,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw violatedConstraint(error) === constraint ? refusal() : error
  }
}

/** 401 of a call that takes a project key. */
export function invalidProjectKey(): AppError {
  return new AppError('unauthenticated', 'project key unknown or missing', {
    detail: {
      type: 'authentication_error',
      code: 'invalid_api_key',
      detail: 'Project API key invalid. You can find your project API key in the project settings.',
    },
  })
}
