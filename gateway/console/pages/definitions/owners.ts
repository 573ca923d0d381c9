/** Names of the members who may own a definition. */
import { listOrganizationMembers, type UserSummary } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { DEFINITIONS_TEXTS as TEXTS } from './texts.ts'

const MEMBERS_MAX = 200

export function useOwners(isAsked = true): Resource<readonly UserSummary[]> {
  const { organization } = useProject()
  return useResource(isAsked ? `owners ${organization}` : undefined, async (signal) => {
    const input = { organization_id: organization, limit: MEMBERS_MAX }
    const { results } = await listOrganizationMembers(client, input, { signal })
    return results.flatMap(({ user }) => user ?? [])
  })
}

/** A user who has left has a number only. */
export function ownerName(owners: readonly UserSummary[] | undefined, owner: number): string {
  const user = owners?.find(({ id }) => id === owner)
  return user === undefined ? TEXTS.user(owner) : user.first_name || user.email
}
