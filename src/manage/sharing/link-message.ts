/** Shared links as messages: reads, merges and renders their fields. */

import type { CreateSharedLinkRequest__Output } from '../../../proto/gen/sluice/v1/CreateSharedLinkRequest.ts'
import type { SharedLink } from '../../../proto/gen/sluice/v1/SharedLink.ts'
import type { UpdateSharedLinkRequest__Output } from '../../../proto/gen/sluice/v1/UpdateSharedLinkRequest.ts'
import { invalid } from '../../access/errors.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  LINK_FIELDS,
  type LinkSettings,
  type LinkSubject,
  type StoredLink,
} from '../../store/sharing/shared-link-store.ts'
import { merger } from '../merge.ts'
import { momentOf } from '../moment.ts'
import { toUserSummary } from '../people/user-message.ts'
import { mergeFields, toFields } from '../settings-messages.ts'

/** Full name of the message, as the audit log takes it. */
export const LINK_TYPE = 'sluice.v1.SharedLink'

/** Settings of a new link unless its request sets them. */
export const LINK_DEFAULTS: LinkSettings = {
  ...defaultsOf(LINK_FIELDS),
  expiresAt: null,
  passwordHash: null,
}

/** The writable fields, which the messages of a create and an update share. */
export type LinkRequest = Omit<UpdateSharedLinkRequest__Output, 'id' | 'project_id'>

/** @throws {AppError} `invalid_argument` where what is shown is missing, or is of another kind. */
export function subjectOf(request: CreateSharedLinkRequest__Output): LinkSubject {
  const { kind, insight, dashboard } = request
  if (insight !== undefined && kind !== 'insight') throw foreign('insight')
  if (dashboard !== undefined && kind !== 'dashboard') throw foreign('dashboard')
  if (kind === 'insight') return { kind, insightId: required(insight, kind) }
  if (kind === 'dashboard') return { kind, dashboardId: required(dashboard, kind) }
  return { kind: 'web' }
}

function required(id: number | undefined, attr: string): number {
  if (id !== undefined) return id
  throw invalid('This field is required.', attr, 'required')
}

function foreign(attr: string) {
  return invalid(`Only a link of the kind ${attr} has it.`, attr)
}

/**
 * The settings that `base` and the given fields make together.
 * @param passwordHash of the given password; undefined when there is none.
 * @throws {AppError} `invalid_argument` of a field that cannot be one.
 */
export function mergeLink(
  base: LinkSettings,
  request: LinkRequest,
  passwordHash: string | undefined,
): LinkSettings {
  const { orNull } = merger(request.null_fields)
  const expiresAt = orNull('expires_at', request.expires_at, base.expiresAt)
  return {
    ...mergeFields(LINK_FIELDS, base, request),
    expiresAt: expiresAt === null ? null : momentOf(expiresAt, 'expires_at'),
    passwordHash: orNull('password', passwordHash, base.passwordHash),
  }
}

/** @param token only where the link has just been made. */
export function toSharedLink(stored: StoredLink, token?: string): SharedLink {
  const { insight, dashboard, expiresAt, createdBy } = stored
  return {
    id: stored.id,
    kind: stored.kind,
    ...(insight === null ? {} : { insight }),
    ...(dashboard === null ? {} : { dashboard }),
    ...toFields(LINK_FIELDS, stored),
    has_password: stored.passwordHash !== null,
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...(token === undefined ? {} : { access_token: token }),
    created_at: stored.createdAt,
    ...(createdBy === null ? {} : { created_by: toUserSummary(createdBy) }),
  }
}
