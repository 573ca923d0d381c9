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
        attr: null,
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
