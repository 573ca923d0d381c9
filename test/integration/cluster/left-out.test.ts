/** Removed users are refused by every process, whatever it has kept: two workers, two gateways. */
import t from 'tap'
import { pair } from '../../support/servers/cluster.ts'
import { startCluster } from '../../support/servers/cluster-processes.ts'
import type { ClusterMember } from '../../support/servers/member-process.ts'
import { answered, request } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

t.test('a key that is refused is refused everywhere, from caches too', async (t) => {
  const cluster = await startCluster(t, { workers: 2, gateways: 2, proxied: false })
  const gateways = pair(cluster.gateways)
  const manage = async (at: ClusterMember, path: string, method: string, body?: object) => {
    const more = body === undefined ? {} : { body }
    const { personalKey: key } = cluster
    const answer = await request(`${at.url}/api/${path}`, { method, key, ...more })
    t.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    return Object(answer.body)
  }
  const project = await manage(gateways[0], 'projects/@current/', 'GET')
  const join = async (email: string) =>
    Object(
      await cluster.admin('CreateUser', { email, organization_id: String(project.organization) }),
    )
  const decide = async (at: ClusterMember, key: string) => {
    const body = { api_key: key, project_id: Number(project.id), distinct_id: 'ann' }
    return (await answered(`${at.url}/decide/?v=2`, { body })).status
  }
  const me = async (at: ClusterMember, key: string) =>
    (await answered(`${at.url}/api/projects/${project.id}/`, { key })).status
  const statuses = async (key: string) => {
    const asked = gateways.flatMap((at) => [decide(at, key), me(at, key)])
    return await Promise.all(asked)
  }

  const members = 'organizations/@current/members/'
  const ways: readonly [
    string,
    (user: { user_uuid: string; user_id: number }) => Promise<unknown>,
  ][] = [
    ['removed', ({ user_uuid: uuid }) => manage(gateways[0], `${members}${uuid}/`, 'DELETE')],
    [
      'deactivated by staff',
      ({ user_uuid: uuid }) => manage(gateways[1], `users/${uuid}/`, 'PATCH', { is_active: false }),
    ],
    [
      'deactivated by the operator',
      ({ user_id: id }) => cluster.admin('DisableUser', { user: String(id) }, cluster.workers[1]),
    ],
    [
      'revoked',
      async ({ user_uuid: uuid }) => {
        const path = `${members}${uuid}/personal_api_keys/`
        const [key] = await manage(gateways[0], path, 'GET')
        await manage(gateways[1], `${path}${key.id}/`, 'DELETE')
      },
    ],
  ]
  for (const [index, [how, end]] of ways.entries()) {
    const user = await join(`user-${index}@example.com`)
    const key = String(user.personal_api_key)
    for (let times = 0; times < 2; times++) t.same(await statuses(key), [200, 200, 200, 200])
    await end(user)
    const from = performance.now()
    // Only the change feed ends what a gateway has cached of a key.
    await until(`${how}, everywhere`, async () =>
      (await statuses(key)).every((each) => each >= 400),
    )
    t.comment(`${how}: refused everywhere after ${Math.round(performance.now() - from)} ms`)
    t.same(
      (await statuses(key)).filter((each) => each < 400),
      [],
      how,
    )
  }
})
