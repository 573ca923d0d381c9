import { AppError } from '../core/code.ts'
import {
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

/** 401. */
export function invalidPersonalKey(): AppError {
  return new AppError('unauthenticated', 'personal key unknown or its user inactive', {
    detail: invalidPersonalKeyDetail,
  })
}

/** 403, with a text that says what is missing where that helps. */
export function permissionDenied(detail = permissionDeniedDetail.detail): AppError {
  return new AppError('permission_denied', 'permission denied', {
    detail: { ...permissionDeniedDetail, detail },
  })
}

/** 404 of an object; `detail` says of which when it is a parent. */
export function notFound(detail = notFoundDetail.detail): AppError {
  return new AppError('not_found', 'not found', { detail: { ...notFoundDetail, detail } })
}

/** 400 of a field, or of the whole request when `attr` is null. */
export function invalid(detail: string, attr: string | null, code = 'invalid_input'): AppError {
  return validationError(code, detail, attr)
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
