/** Makes an organization with its first project. */
import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../core/code.ts'
import { type OrganizationId, organizationId, type ProjectId } from '../core/ids.ts'
import type { Db } from '../postgres/db.ts'
import {
  insertOrganization,
  type OrganizationSettings,
} from '../store/people/organization-store.ts'
import { insertProject, PROJECT_DEFAULTS } from '../store/projects/project-store.ts'
import { makeProjectToken, randomText } from './keys.ts'

export type MadeOrganization = {
  readonly organization: OrganizationId
  readonly project: { readonly id: ProjectId; readonly apiToken: string }
}

const SLUG_LENGTH_MAX = 48
const SLUG_ATTEMPTS_MAX = 5
const SLUG_SUFFIX_LENGTH = 6

/**
 * An organization with its first project and nobody in it yet. Run it in the transaction that adds
 * the owner.
 * @param apiToken of the project.
 * @throws {PostgresError} 23505 on `projects_api_token_key` when the token is taken.
 */
export async function makeOrganization(
  tx: Db,
  settings: OrganizationSettings,
  apiToken = makeProjectToken(),
): Promise<MadeOrganization> {
  const organization = await insertNamed(tx, settings)
  const identity = { uuid: uuidv7(), organizationId: organization, apiToken }
  const id = await insertProject(tx, identity, PROJECT_DEFAULTS)
  return { organization, project: { id, apiToken } }
}

/** Two organizations may have one name, but not one slug. */
async function insertNamed(tx: Db, settings: OrganizationSettings): Promise<OrganizationId> {
  const base = slugOf(settings.name)
  for (let attempt = 0; attempt < SLUG_ATTEMPTS_MAX; attempt++) {
    const suffix = randomText().slice(-SLUG_SUFFIX_LENGTH).toLowerCase()
    const slug = attempt === 0 ? base : `${base}-${suffix}`
    const id = await insertOrganization(tx, { id: organizationId(uuidv7()), slug, ...settings })
    if (id !== undefined) return id
  }
  throw new AppError('already_exists', `no free slug for an organization like ${base}`)
}

function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const ascii = plain.replace(/[^a-z0-9]+/g, '-').slice(0, SLUG_LENGTH_MAX)
  return ascii.replace(/^-+|-+$/g, '') || 'organization'
}
