/** `/mcp`, as the client of the official SDK calls it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { isObject } from '../../../src/core/json.ts'
import { answered, type Product, request, startStandalone } from '../../support/servers/product.ts'

const KINDS = [
  ...['ask_trends', 'ask_funnel', 'ask_retention', 'ask_stickiness', 'ask_lifecycle', 'ask_paths'],
  ...['ask_events_table', 'ask_people'],
]
const READS = ['list_events', 'list_persons', 'list_event_definitions', 'list_flags']
const OTHERS = ['list_projects', 'get_flag', 'evaluate_flag']
const WRITES = ['create_flag', 'update_flag']
const VIEW = { kind: 'EventsNode', event: 'view' }

t.test('assistants that may change flags', async (t) => {
  await assists(t, { HTTP_SERVER: 'uws', MCP_WRITES: 'on' })
})

t.test('assistants that may change nothing, over the other server', async (t) => {
  await assists(t, { HTTP_SERVER: 'node', MCP_WRITES: 'off' })
})

async function assists(t: Test, settings: { HTTP_SERVER: string; MCP_WRITES: string }) {
  const product = await startStandalone(t, settings)
  const isWriting = settings.MCP_WRITES === 'on'
  await capture(product)
  const client = await connect(t, product, product.personalKey)
  const { tools } = await client.listTools()
  const named = [...KINDS, ...READS, ...OTHERS, ...(isWriting ? WRITES : [])]
  t.same(tools.map(({ name }) => name).toSorted(), named.toSorted())
  await asksQuestions(t, client)
  await reads(t, client)
  if (isWriting) await changesFlags(t, client, product)
  else t.match(await failed(client, 'create_flag', { key: 'f' }), /no such tool/)
  await refuses(t, product)
}

async function capture({ url, projectKey }: Product): Promise<void> {
  const batch = ['ann', 'ben'].map((distinct_id) => ({
    ...{ event: 'view', distinct_id, properties: { $pathname: '/', $set: { plan: 'pro' } } },
  }))
  await answered(`${url}/batch/`, { body: { api_key: projectKey, batch } })
}

async function connect(t: Test, { url }: Product, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers },
  })
  // Its type has no `undefined` where the SDK's own interface has one.
  await client.connect(transport as Parameters<Client['connect']>[0])
  t.teardown(() => client.close())
  return client
}

type Args = Record<string, unknown>

async function called(client: Client, name: string, args: Args): Promise<Args> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
  if (isError === true) throw new Error(JSON.stringify(content))
  return isObject(structuredContent) ? { ...structuredContent } : {}
}

async function failed(client: Client, name: string, args: Args): Promise<string> {
  try {
    await called(client, name, args)
  } catch (error) {
    return String(error)
  }
  return ''
}

async function asksQuestions(t: Test, client: Client) {
  const range = { dateRange: { date_from: '-1d' } }
  const series = [VIEW]
  const trends = await called(client, 'ask_trends', {
    series: [{ ...VIEW, math: 'dau' }],
    ...range,
  })
  t.match(trends, { results: [{ count: 2 }] })
  const funnel = await called(client, 'ask_funnel', { series: [VIEW, VIEW], ...range })
  t.match(funnel, { results: [{ count: 2 }, { count: 0 }] })
  const day = String(Object(Object(trends)['results'][0])['days'].at(-1))
  const asked = { kind: 'TrendsQuery', series: [{ ...VIEW, math: 'dau' }], ...range }
  const source = { kind: 'InsightActorsQuery', source: asked, day, series: 0 }
  const people = await called(client, 'ask_people', { source })
  t.equal(Object(people['results']).length, 2)
  t.match(await called(client, 'ask_retention', range), { results: [{ label: 'Day 0' }] })
  t.match(await called(client, 'ask_stickiness', { series, ...range }), { results: [{ count: 2 }] })
  t.match(await called(client, 'ask_lifecycle', { series, ...range }), { results: { length: 4 } })
  t.match(await called(client, 'ask_paths', range), { results: { length: 0 } })
  const table = { select: ['event', 'count()'], after: '-1d' }
  t.match(await called(client, 'ask_events_table', table), { results: [['view', 2]] })
  const wrong = await failed(client, 'ask_trends', { series: [{ ...VIEW, math: 'most' }] })
  t.match(wrong, /query\.series\.0\.math/, 'an error names the member')
  t.match(await failed(client, 'ask_trends', { series, interval: 'year' }), /Wrong arguments/)
  t.match(await failed(client, 'ask_trends', { series, more: 1 }), /Wrong arguments/)
  t.match(
    await failed(client, 'ask_trends', { series, project: 999 }),
    /Project not found|not found/i,
  )
}

async function reads(t: Test, client: Client) {
  const events = await called(client, 'list_events', { event: 'view', limit: 1 })
  t.match(events, { count: 2, results: [{ event: 'view', properties: { $pathname: '/' } }] })
  t.match(await called(client, 'list_persons', { search: 'ann' }), { count: 1 })
  t.match(await called(client, 'list_event_definitions', {}), { results: [{ name: 'view' }] })
  t.match(await called(client, 'list_flags', {}), { count: 0 })
  t.match(await called(client, 'list_projects', {}), { count: 1 })
  t.match(await failed(client, 'get_flag', { id: 5 }), /Not found/)
  const nobody = await failed(client, 'evaluate_flag', { key: 'none', distinct_id: 'ann' })
  t.match(nobody, /No active flag/)
}

async function changesFlags(t: Test, client: Client, product: Product) {
  const groups = [{ properties: [{ key: 'plan', value: 'pro', type: 'person' }] }]
  const made = await called(client, 'create_flag', { key: 'pros', filters: { groups } })
  const ofAnn = { key: 'pros', distinct_id: 'ann' }
  t.match(await called(client, 'evaluate_flag', ofAnn), { flag: { enabled: true } })
  await called(client, 'update_flag', { id: made['id'], active: false })
  t.match(await failed(client, 'evaluate_flag', ofAnn), /No active flag/)
  const { url, personalKey } = product
  const scopes = ['feature_flag:read', 'project:read']
  const key = await request(`${url}/api/personal_api_keys/`, {
    body: { label: 'reads', scopes },
    headers: { authorization: `Bearer ${personalKey}` },
  })
  const reader = await connect(t, product, String(Object(key.body)['value']))
  t.match(await called(reader, 'list_flags', {}), { count: 1 })
  const change = await failed(reader, 'update_flag', { id: made['id'], active: true })
  t.match(change, /permission_denied/, 'a key that may only read changes nothing')
  t.match(await failed(reader, 'list_events', {}), /permission_denied/)
}

async function refuses(t: Test, product: Product) {
  const address = `${product.url}/mcp`
  const authorization = `Bearer ${product.personalKey}`
  const accept = 'application/json, text/event-stream'
  const ask = (method: string, headers: Record<string, string>, body?: string) =>
    fetch(address, {
      method,
      headers: { accept, 'content-type': 'application/json', ...headers },
      body: body ?? null,
    })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  t.equal((await ask('POST', { authorization }, list)).status, 200)
  t.match(await (await ask('POST', {}, list)).json(), { code: 'not_authenticated' })
  const wrong = await ask('POST', { authorization: 'Bearer phx_wrong' }, list)
  t.equal(wrong.status, 401)
  t.equal(wrong.headers.get('www-authenticate'), 'Bearer')
  t.equal((await ask('GET', { authorization })).status, 405)
  t.equal((await ask('DELETE', { authorization })).status, 405)
  const foreign = await ask('POST', { authorization, origin: 'https://evil.example' }, list)
  t.equal(foreign.status, 403, 'a page of another origin')
  const own = await ask('POST', { authorization, origin: product.url }, list)
  t.equal(own.status, 200, 'a page of this instance')
  t.equal((await ask('POST', { authorization }, '{')).status, 400)
  t.equal((await ask('POST', { authorization }, '[]'.repeat(40_000))).status, 400)
  t.equal((await ask('POST', { authorization }, `"${'x'.repeat(200_000)}"`)).status, 413)
  t.equal((await ask('POST', { authorization, accept: 'text/html' }, list)).status, 406)
}
