/** Makes users with a personal key, for the operator and for accepted invites. */
import { v7 as uuidv7 } from 'uuid'
import { cleanText } from '../core/clean-text.ts'
import { AppError } from '../core/code.ts'
import {
  isUuid,
  type OrganizationId,
  organizationId,
  type ProjectId,
  type UserId,
} from '../core/ids.ts'
import type { Db } from '../postgres/db.ts'
import { violatedConstraint } from '../postgres/failures.ts'
import { insertKey } from '../store/people/key-store.ts'
import {
  insertOrganizationMembership,
  type Level,
  lockOrganization,
} from '../store/people/organization-store.ts'
import { emailIsTaken, insertUser, saveCurrentPlace } from '../store/people/user-store.ts'
import { findFirstProject } from '../store/projects/project-store.ts'
import { FORMATS } from '../wire/validation/formats.ts'
import { emailTaken, invalid, notFound } from './errors.ts'
import {
  isPersonalKey,
  isProjectToken,
  keyDigest,
  makePersonalKey,
  maskKey,
  randomText,
} from './keys.ts'
import { makeOrganization } from './make-organization.ts'

export type NewUserRequest = {
  readonly email: string
  readonly firstName: string
  /** Joins this organization; a new one with one project is made when empty. */
  readonly organizationId: string
  /** Name of a new organization; the default when empty. */
  readonly organizationName: string
  /** 1, 8 or 15; 0 is 15 with a new organization, else 1. */
  readonly level: number
  /** Preset value; made when empty. */
  readonly personalApiKey: string
  /** Preset token of a new organization's project; made when empty. */
  readonly projectApiKey: string
  readonly isStaff: boolean
  /** The address is known to be the user's. */
  readonly isEmailConfirmed: boolean
  /** Stored text of `password.ts`; no password unless given. */
  readonly passwordHash?: string
  /** @default false */
  readonly emailOptIn?: boolean
  /** Label of the personal key. Default: says that it was created with the user. */
  readonly keyLabel?: string
}

export type CreatedUser = {
  readonly userId: UserId
  readonly userUuid: string
  readonly distinctId: string
  readonly organizationId: OrganizationId
  /** First project of the organization; null when it has none. */
  readonly project: { readonly id: ProjectId; readonly apiToken: string } | null
  /** The only time that it is known. */
  readonly personalApiKey: string
}

const EMAIL_LENGTH_MAX = 254
const FIRST_NAME_LENGTH_MAX = 150
const ORGANIZATION_NAME_LENGTH_MAX = 64
const ORGANIZATION_NAME_DEFAULT = 'Default Organization'
const KEY_LABEL_DEFAULT = 'Created with the user'

/**
 * Creates a user with a personal key, in an existing organization or in a new one. Run it in a
 * transaction of its own, which an error must roll back as a whole.
 * @throws {AppError} `invalid_argument` naming the field, `not_found` for an unknown organization,
 * `already_exists` for a key value that is in use.
 */
export async function createUser(tx: Db, request: NewUserRequest): Promise<CreatedUser> {
  const { email, firstName, level } = checked(request)
  if (await emailIsTaken(tx, email)) throw emailTaken()
  const uuid = uuidv7()
  const distinctId = randomText()
  const { isStaff, isEmailConfirmed, passwordHash = null, emailOptIn = false } = request
  const texts = { uuid, distinctId, email, firstName, passwordHash }
  const user = { ...texts, isStaff, isEmailConfirmed, emailOptIn }
  try {
    const userId = await insertUser(tx, user)
    const place =
      request.organizationId === ''
        ? await newOrganization(tx, request)
        : await joinOrganization(tx, organizationId(request.organizationId), level)
    const { organization, project } = place
    await insertOrganizationMembership(tx, { id: uuidv7(), organization, user: userId, level })
    await saveCurrentPlace(tx, userId, organization, project?.id ?? null)
    const personalApiKey = await makeKey(tx, userId, request)
    return {
      userId,
      userUuid: uuid,
      distinctId,
      organizationId: organization,
      project,
      personalApiKey,
    }
  } catch (error) {
    throw asRefusal(error)
  }
}

function checked(request: NewUserRequest): { email: string; firstName: string; level: Level } {
  const email = request.email.trim()
  if (email === '') throw invalid('This field is required.', 'email', 'required')
  const refused = FORMATS['email']?.(email)
  if (refused !== undefined) throw invalid(refused.detail, 'email', refused.code)
  requireLength(email, EMAIL_LENGTH_MAX, 'email')
  const firstName = cleanText(request.firstName.trim())
  requireLength(firstName, FIRST_NAME_LENGTH_MAX, 'first_name')
  requireLength(request.organizationName, ORGANIZATION_NAME_LENGTH_MAX, 'organization_name')
  const { organizationId: joined, personalApiKey, projectApiKey } = request
  if (joined !== '' && !isUuid(joined)) throw invalid('Must be a valid UUID.', 'organization_id')
  if (personalApiKey !== '' && !isPersonalKey(personalApiKey)) {
    const detail = 'A personal key is 8 to 200 printable ASCII characters without spaces.'
    throw invalid(detail, 'personal_api_key')
  }
  if (projectApiKey !== '' && !isProjectToken(projectApiKey)) {
    const detail = 'A project key is 10 to 64 printable ASCII characters without spaces.'
    throw invalid(detail, 'project_api_key')
  }
  return { email, firstName, level: levelOf(request.level, joined === '') }
}

function levelOf(level: number, isNewOrganization: boolean): Level {
  switch (level) {
    case 0:
      return isNewOrganization ? 15 : 1
    case 1:
    case 8:
    case 15:
      return level
    default:
      throw invalid('A level is 1 (member), 8 (administrator) or 15 (owner).', 'level')
  }
}

function requireLength(text: string, lengthMax: number, attr: string): void {
  if (Array.from(text).length <= lengthMax) return
  throw invalid(`Ensure this field has no more than ${lengthMax} characters.`, attr, 'max_length')
}

type Place = { organization: OrganizationId; project: CreatedUser['project'] }

async function joinOrganization(tx: Db, id: OrganizationId, level: Level): Promise<Place> {
  const found = await lockOrganization(tx, id)
  if (found === undefined) throw notFound('Organization not found.')
  if (level === 15 && found.hasOwner) {
    throw invalid('The organization has an owner already.', 'level')
  }
  return { organization: id, project: (await findFirstProject(tx, id)) ?? null }
}

async function newOrganization(tx: Db, request: NewUserRequest): Promise<Place> {
  const name = cleanText(request.organizationName.trim()) || ORGANIZATION_NAME_DEFAULT
  const settings = { name, isMemberJoinEmailEnabled: true }
  return await makeOrganization(tx, settings, request.projectApiKey || undefined)
}

async function makeKey(tx: Db, user: UserId, request: NewUserRequest): Promise<string> {
  const value = request.personalApiKey || makePersonalKey()
  const label = request.keyLabel ?? KEY_LABEL_DEFAULT
  const digest = keyDigest(value)
  await insertKey(tx, { id: randomText(), user, label, digest, mask: maskKey(value) })
  return value
}

/** Another transaction may take a value between our look and our insert. */
function asRefusal(error: unknown): unknown {
  switch (violatedConstraint(error)) {
    case 'users_email':
      return emailTaken()
    case 'projects_api_token_key':
      return keyTaken('project_api_key', error)
    case 'personal_api_keys_key_sha256_key':
      return keyTaken('personal_api_key', error)
    default:
      return error
  }
}

function keyTaken(attr: string, cause: unknown): AppError {
  const detail = 'This key is in use already.'
  return new AppError('already_exists', `${attr} is in use`, {
    cause,
    detail: { type: 'validation_error', code: 'unique', detail, attr },
  })
}
