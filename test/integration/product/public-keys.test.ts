/** Personal keys on public routes, and in query strings. */
import t from 'tap'
import { startWire, type Wire } from '../../support/ingest/wire.ts'
import { request } from '../../support/servers/product.ts'

async function keyWith({ product }: Wire, scopes: readonly string[]): Promise<string> {
  const { status, body } = await request(`${product.url}/api/personal_api_keys/`, {
    key: product.personalKey,
    body: { label: scopes.join(), scopes },
  })
  t.equal(status, 201, scopes.join())
  return String((body as { value: unknown }).value)
}

const post = (wire: Wire, path: string, body: object) => wire.send(path, JSON.stringify(body))

t.test(
  'a personal key captures with event:write, and decides with feature_flag:read',
  async (t) => {
    const wire = await startWire(t)
    const event = { project_id: 1, event: 'by key', distinct_id: 'scoped' }
    const question = { project_id: 1, distinct_id: 'scoped' }
    const large = { ...event, properties: { text: 'x'.repeat(200_000) } }
    const lacks = (scope: string) => ({
      status: 403,
      body: {
        type: 'authentication_error',
        code: 'permission_denied',
        detail: `API key missing required scope '${scope}'.`,
      },
    })
    const rows: [scopes: string[], captures: boolean, decides: boolean][] = [
      [['feature_flag:read'], false, true],
      [['feature_flag:write'], false, true],
      [['event:write'], true, false],
      [['event:read', 'project:write'], false, false],
      [['*'], true, true],
    ]
    for (const [scopes, captures, decides] of rows) {
      const api_key = await keyWith(wire, scopes)
      for (const path of ['/capture/', '/batch/', '/track/']) {
        const reply = await post(wire, path, { api_key, ...event })
        t.match(reply, captures ? { status: 200 } : lacks('event:write'), `${path} ${scopes}`)
      }
      const reply = await post(wire, '/capture/', { api_key, ...large })
      t.match(reply, captures ? { status: 200 } : lacks('event:write'), `a large body, ${scopes}`)
      for (const path of ['/decide/?v=3', '/flags/?v=2']) {
        const answer = await post(wire, path, { api_key, ...question })
        t.match(answer, decides ? { status: 200 } : lacks('feature_flag:read'), `${path} ${scopes}`)
      }
    }
    t.equal((await wire.stored('scoped')).length, 8, 'only what was allowed is stored')
    t.match(await post(wire, '/capture/', { ...event, api_key: wire.projectKey }), { status: 200 })
  },
)

const INVALID_PROJECT = {
  status: 400,
  body: {
    type: 'validation_error',
    code: 'invalid_project',
    detail: 'Invalid Project ID.',
    attr: 'project_id',
  },
}
const INVALID_PERSONAL = {
  type: 'authentication_error',
  code: 'invalid_personal_api_key',
  detail: 'Invalid Personal API key.',
}
const ROUTES = ['/capture/', '/batch/', '/e/', '/decide/?v=2', '/flags/?v=2']

t.test('a personal key stands for the only project that it reaches', async (t) => {
  const wire = await startWire(t)
  const { url, personalKey } = wire.product
  const manage = async (path: string, body: object, verb?: string) => {
    const reply = await request(`${url}${path}`, {
      ...{ key: personalKey, body },
      ...(verb === undefined ? {} : { method: verb }),
    })
    t.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`)
    return reply.body as { id: number; value: string; organization: string }
  }
  const event = { event: 'by key', distinct_id: 'alone' }
  const send = async (api_key: string, expected: object, more: object = {}) => {
    for (const path of ROUTES) {
      const reply = await post(wire, path, { api_key, ...event, ...more })
      t.match(reply, expected, `${path} ${JSON.stringify(more)}`)
      if (reply.status === 401) t.strictSame(reply.body, INVALID_PERSONAL, path)
    }
  }
  const isTaken = { status: 200 }
  await send(personalKey, isTaken)
  t.equal((await wire.stored('alone')).length, 3)
  const large = { properties: { text: 'x'.repeat(200_000) } }
  t.match(await post(wire, '/capture/', { api_key: personalKey, ...event, ...large }), isTaken)
  const question = new Array(3).fill({ ...event, properties: { token: personalKey } })
  t.match(await post(wire, '/e/', question), isTaken, 'where a library has its token')

  const second = await manage('/api/projects/', { name: 'Second' })
  await send(personalKey, INVALID_PROJECT)
  await send(personalKey, INVALID_PROJECT, { project_id: 'second' })
  await send(personalKey, isTaken, { project_id: second.id })
  t.match(
    await post(wire, `/capture/?project_id=${second.id}`, { api_key: personalKey, ...event }),
    isTaken,
  )
  const only = { label: 'only', scopes: ['*'], scoped_teams: [1] }
  const held = await manage('/api/personal_api_keys/', only)
  await send(held.value, isTaken)
  t.equal((await wire.stored('alone')).length, 10, 'all but four are of the first project')
  await send(held.value, { status: 401 }, { project_id: second.id })

  await send('phx_nobody', { status: 401 })
  await send('phx_nobody', { status: 401 }, { project_id: 1 })
  await send('phx_nobody', { status: 401 }, { project_id: 'x' })
  await send(`phx_${'x'.repeat(200)}`, { status: 401 })
  await request(`${url}/api/projects/${second.id}/`, { key: personalKey, method: 'DELETE' })
  await send(personalKey, isTaken)
})

t.test('a key in the query goes into no link, and may be refused', async (t) => {
  const wire = await startWire(t)
  const { product } = wire
  for (let at = 0; at < 3; at++) {
    await post(wire, '/capture/', { api_key: wire.projectKey, event: 'e', distinct_id: `d${at}` })
  }
  const query = `personal_api_key=${product.personalKey}`
  const list = await wire.send(`/api/projects/1/events/?limit=1&offset=1&${query}`)
  t.equal(list.status, 200)
  t.match((list.body as { next: string }).next, /limit=1/)
  t.notMatch(JSON.stringify(list.body), product.personalKey)

  const strict = await startWire(t, { PERSONAL_KEYS_IN_QUERY: 'off' })
  const own = strict.product.personalKey
  const code = { type: 'authentication_error', code: 'invalid_personal_api_key' }
  for (const path of [
    `/api/projects/1/events/?personal_api_key=${own}`,
    `/api/users/@me/?personal%5Fapi%5Fkey=${own}`,
    `/api/surveys/?token=${own}&project_id=1`,
    `/capture/?data=e30&api_key=${own}&project_id=1`,
  ]) {
    t.match(await strict.send(path), { status: 401, body: code }, path)
  }
  const authorization = `Bearer ${own}`
  const headed = await strict.send('/api/users/@me/', undefined, { authorization })
  t.equal(headed.status, 200)
})
