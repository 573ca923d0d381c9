/** The projects of a world: made once, and known to every gateway before the first fault. */
import { randomUUID } from 'node:crypto'
import type { Cluster } from '../../support/servers/cluster-processes.ts'
import type { ClusterMember } from '../../support/servers/member-process.ts'
import { request } from '../../support/servers/product.ts'
import { live } from './changes.ts'
import { fieldOf, type Project } from './load.ts'
import { EVEN } from './persons.ts'

/** Creates projects in organizations of their own, with a changing flag and one about persons. */
export async function createProjects(cluster: Cluster, count: number): Promise<Project[]> {
  const url = cluster.gateways[0]?.url ?? ''
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const user = { email: `faults-${index}-${randomUUID()}@example.com`, organization_name: 'f' }
      const made = await cluster.admin('CreateUser', user)
      const id = Number(fieldOf(made, 'project_id'))
      const projectKey = String(fieldOf(made, 'project_api_key'))
      const personalKey = String(fieldOf(made, 'personal_api_key'))
      const flags = `${url}/api/projects/${id}/feature_flags/`
      const create = async (body: object) => {
        const answer = await request(flags, { key: personalKey, body })
        if (answer.status !== 201) throw new Error(JSON.stringify(answer))
        return Number(fieldOf(answer.body, 'id'))
      }
      const liveFlag = await create({ key: 'live', name: '0', filters: live(0) })
      await create({ key: 'even', filters: EVEN })
      return { id, projectKey, personalKey, liveFlag }
    }),
  )
}

/** Shows all keys to each gateway: unknown ones are refused while the database is away. */
export async function meetKeys(
  gateways: readonly ClusterMember[],
  projects: readonly Project[],
): Promise<void> {
  const meet = async (url: string, token: string) => {
    const body = { token, distinct_id: 'the load begins' }
    const answer = await request(`${url}/decide/?v=3`, { body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  }
  await Promise.all(
    gateways.flatMap(({ url }) => projects.map(({ projectKey }) => meet(url, projectKey))),
  )
}
