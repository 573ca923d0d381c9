/** Instance-wide calls of `sluice admin`. */
import type { InstanceDetails__Output } from '../../../proto/gen/sluice/v1/InstanceDetails.ts'
import type { OrganizationDetails__Output } from '../../../proto/gen/sluice/v1/OrganizationDetails.ts'
import { AppError } from '../../core/code.ts'
import type { AdminClient } from './admin-client.ts'

/** All organizations with their projects, from as many pages as there are. */
export async function showInstance(
  client: AdminClient,
): Promise<{ users: number; organizations: readonly OrganizationDetails__Output[] }> {
  const organizations = new Map<string, OrganizationDetails__Output>()
  let users = 0
  let after = ''
  do {
    // That method's answer.
    const page = (await client.call('ShowInstance', { after })) as InstanceDetails__Output
    for (const each of page.organizations) {
      const before = organizations.get(each.id)
      const projects = [...(before?.projects ?? []), ...each.projects]
      organizations.set(each.id, { ...each, projects })
    }
    users = page.users
    after = page.next
  } while (after !== '')
  return { users, organizations: [...organizations.values()] }
}

/** @throws {AppError} `invalid_argument` when there are several, or the only one owns nothing. */
export async function onlyUser(client: AdminClient): Promise<string> {
  const { users, organizations } = await showInstance(client)
  const owner = organizations.find(({ owner_email: email }) => email !== undefined)?.owner_email
  if (users === 1 && owner !== undefined) return owner
  throw new AppError('invalid_argument', `there are ${users} users: name one with --user`)
}
