/** Makes the first user, organization and project of an empty database. */
import { AppError } from '../core/code.ts'
import type { Sql } from '../postgres/connect.ts'
import { findPresets } from '../store/people/instance-store.ts'
import { setPluginsAccessLevel } from '../store/people/organization-store.ts'
import { anyUserExists, lockBootstrap } from '../store/people/user-store.ts'
import { type CreatedUser, createUser } from './create-user.ts'
import { keyDigest } from './keys.ts'
import { PLUGINS_ROOT } from './policy.ts'

/** Presets; undefined ones are generated. */
export type BootstrapOptions = {
  readonly email: string | undefined
  readonly projectApiKey: string | undefined
  readonly personalApiKey: string | undefined
}

/** Objects that the first start created. The keys cannot be shown again: print them once. */
export type Bootstrapped = {
  readonly email: string
  readonly projectApiKey: string
  readonly personalApiKey: string
  readonly user: CreatedUser
}

const EMAIL_DEFAULT = 'admin@sluice.local'

/**
 * Makes the first user (owner and staff) with an organization, a project and keys, when no user
 * exists; otherwise does nothing and answers undefined. Only this organization may publish plugins
 * for all others. Members that start together wait for one another, and one of them makes it.
 * @throws {AppError} `invalid_argument` when a preset is malformed. Nothing is made then.
 */
export async function bootstrap(
  sql: Sql,
  options: BootstrapOptions,
): Promise<Bootstrapped | undefined> {
  // Nearly every start: spares the lock.
  if (await anyUserExists(sql)) return undefined
  const email = options.email ?? EMAIL_DEFAULT
  const made = await sql.begin(async (tx) => {
    await lockBootstrap(tx)
    if (await anyUserExists(tx)) return { user: undefined }
    const user = await createUser(tx, {
      email,
      firstName: '',
      organizationId: '',
      organizationName: '',
      level: 15,
      personalApiKey: options.personalApiKey ?? '',
      projectApiKey: options.projectApiKey ?? '',
      isStaff: true,
      isEmailConfirmed: true,
    })
    await setPluginsAccessLevel(tx, user.organizationId, PLUGINS_ROOT)
    return { user }
  })
  const { user } = made
  if (user === undefined) return undefined
  const { personalApiKey, project } = user
  return { email, projectApiKey: project?.apiToken ?? '', personalApiKey, user }
}

/** The settings of a first start by the presets that they give. */
const SETTINGS = {
  email: 'BOOTSTRAP_EMAIL',
  projectApiKey: 'BOOTSTRAP_PROJECT_API_KEY',
  personalApiKey: 'BOOTSTRAP_PERSONAL_API_KEY',
} as const

/**
 * Checks the presets of a database that already has its first user. Every start gives the presets
 * it was created with again. A preset that has changed since, such as a revoked key, must not keep
 * a start from succeeding; but presets of which the database has none were set too late.
 * @returns the settings that are not in force.
 * @throws {AppError} `failed_precondition` when none is.
 */
export async function requireTimely(
  sql: Sql,
  presets: BootstrapOptions,
): Promise<readonly string[]> {
  const { email, projectApiKey, personalApiKey } = presets
  const given = [
    ...(email === undefined ? [] : (['email'] as const)),
    ...(projectApiKey === undefined ? [] : (['projectApiKey'] as const)),
    ...(personalApiKey === undefined ? [] : (['personalApiKey'] as const)),
  ]
  if (given.length === 0) return []
  const found = await findPresets(sql, {
    email: email ?? null,
    projectToken: projectApiKey ?? null,
    keyDigest: personalApiKey === undefined ? null : keyDigest(personalApiKey),
  })
  const has = { email: found.email, projectApiKey: found.projectToken, personalApiKey: found.key }
  const late = given.filter((name) => !has[name]).map((name) => SETTINGS[name])
  if (late.length < given.length) return late
  const message =
    `${late.join(', ')} come too late: this database has its first user already. Leave them out; ` +
    'sluice admin show prints the project keys, and sluice admin create-key makes a personal one'
  throw new AppError('failed_precondition', message)
}
