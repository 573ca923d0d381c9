/** Makes the first user, organization and project of an empty database. */
import { setPluginsAccessLevel } from '../store/people/organization-store.ts'
import { anyUserExists, lockBootstrap } from '../store/people/user-store.ts'
import type { Sql } from '../store/pool/connect.ts'
import { type CreatedUser, createUser } from './create-user.ts'
import { PLUGINS_ROOT } from './policy.ts'

/** Presets; undefined ones are generated. */
export type BootstrapOptions = {
  readonly email: string | undefined
  readonly projectApiKey: string | undefined
  readonly personalApiKey: string | undefined
}

/** What the first start made. The keys are known now and never again: print them once. */
export type Bootstrapped = {
  readonly email: string
  readonly projectApiKey: string
  readonly personalApiKey: string
  readonly user: CreatedUser
}

const EMAIL_DEFAULT = 'admin@sluice.local'

/**
 * Makes the first user (owner and staff) with an organization, a project and keys, when no user
 * exists. Only this organization may publish plugins for all others. Else it does nothing and
 * answers undefined. Members that start together wait for one another, and one of them makes it.
 * @throws {AppError} `invalid_argument` when a preset is no such value. Nothing is made then.
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
