/** The current organization and project of a user: the meaning of `@current`. */
import type { OrganizationId, ProjectId, UserId } from '../core/ids.ts'
import type { Db } from '../postgres/db.ts'
import { findCurrentPlace, saveCurrentPlace } from '../store/people/user-store.ts'

/** Organization and project that `@current` means for a user; null when there is none. */
export type CurrentPlace = {
  readonly organizationId: OrganizationId | null
  readonly projectId: ProjectId | null
}

/**
 * Reads the user's current organization and project, and repairs the stored ones when a membership
 * or a project no longer exists. Two concurrent repairs write the same.
 */
export async function currentPlace(db: Db, user: UserId): Promise<CurrentPlace> {
  const place = await findCurrentPlace(db, user)
  if (place === undefined) return { organizationId: null, projectId: null }
  const { organizationId, projectId } = place
  if (organizationId !== place.storedOrganizationId || projectId !== place.storedProjectId) {
    await saveCurrentPlace(db, user, organizationId, projectId)
  }
  return { organizationId, projectId }
}
