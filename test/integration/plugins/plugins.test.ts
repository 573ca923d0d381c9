/** Plugins as their users meet them: installed, ordered, changed, broken and removed over HTTP. */
import t from 'tap'
import { answered, type Product, request, startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

/** Properties are JSON text. */
type Events = { results: { event: string; properties: string }[] }

async function users(product: Product) {
  const { url, personalKey: key, projectKey } = product
  const call = async (method: string, path: string, body?: object) => {
    const answer = await request(`${url}${path}`, { key, method, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
  const install = async (source: string, manifest: object = {}): Promise<number> => {
    const files = { 'index.ts': source, 'plugin.json': JSON.stringify(manifest) }
    const body = { plugin_type: 'source', name: 'test', files }
    const made = await call('POST', '/api/organizations/@current/plugins/', body)
    return idOf(made)
  }
  const enable = async (plugin: number, order = 1): Promise<number> => {
    const body = { plugin, order, enabled: true }
    return idOf(await call('POST', '/api/projects/1/plugin_configs/', body))
  }
  const config = (id: number) => call('GET', `/api/projects/1/plugin_configs/${id}/`)
  const logs = async (id: number, type = 'ERROR'): Promise<string[]> => {
    const path = `/api/projects/1/plugin_configs/${id}/logs/?type_filter=${type}`
    const { results } = (await call('GET', path)) as { results: { message: string }[] }
    return results.map(({ message }) => message)
  }
  let count = 0
  /** Captures one event and answers what was stored of it; undefined when nothing was. */
  const sent = async (
    properties: object = {},
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    count += 1
    const event = `event ${count}`
    const body = { api_key: projectKey, event, distinct_id: 'ann', properties }
    const answer = await answered(`${url}/capture/`, { body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
    const path = `/api/projects/1/events/?event=${encodeURIComponent(event)}`
    const { results } = (await call('GET', path)) as Events
    const [stored] = results
    return stored === undefined ? undefined : JSON.parse(stored.properties)
  }
  return { call, install, enable, config, logs, sent }
}

function idOf(body: unknown): number {
  if (typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'number') {
    return body.id
  }
  throw new Error(`no id in ${JSON.stringify(body)}`)
}

t.test('plugins of a project', async (t) => {
  const product = await startStandalone(t)
  const { call, install, enable, config, logs, sent } = await users(product)
  const base = '/api/projects/1/plugin_configs/'

  t.test('change an event in their order, and are named on it', async (t) => {
    const first = await install(`
      export async function processEvent(event: { properties: Record<string, unknown> }) {
        event.properties.path = String(event.properties.path ?? '') + 'a'
        return event
      }`)
    const second = await install(`
      module.exports.processEvent = (event) => {
        event.properties.path = (event.properties.path || '') + 'b'
        return event
      }`)
    const configs = [await enable(first, 2), await enable(second, 1)] as const
    await until('both are in force', async () => (await sent())?.['path'] === 'ba')
    const stored = await sent()
    t.strictSame(stored?.['$plugins_succeeded'], [`test (${configs[1]})`, `test (${configs[0]})`])
    await call('PATCH', `${base}rearrange/`, { orders: { [first]: 1, [second]: 2 } })
    await until('the other order', async () => (await sent())?.['path'] === 'ab')
    for (const id of configs) await call('DELETE', `${base}${id}/`)
    await until('neither is in force', async () => (await sent())?.['path'] === undefined)
  })

  t.test('drop what they answer with nothing', async (t) => {
    const id = await enable(
      await install('export const processEvent = (e) => (e.properties.drop ? null : e)'),
    )
    await until('it is in force', async () => (await sent({ drop: true })) === undefined)
    t.ok(await sent(), 'others are stored')
    await call('DELETE', `${base}${id}/`)
  })

  t.test('fail open: the event continues, and the error is seen', async () => {
    const id = await enable(
      await install('export function processEvent() { throw new TypeError("no such luck") }'),
    )
    await until('a failure is named on an event', async () => {
      const stored = await sent()
      return JSON.stringify(stored?.['$plugins_failed']) === JSON.stringify([`test (${id})`])
    })
    await until('its config has the error', async () => {
      const { error } = (await config(id)) as { error: { name?: string; message?: string } | null }
      return error?.name === 'TypeError' && error.message === 'no such luck'
    })
    await until('so has its log', async () =>
      (await logs(id)).some((message) => message.includes('no such luck')),
    )
    await call('DELETE', `${base}${id}/`)
  })

  t.test('are switched off when they fail over and over, and on again by hand', async () => {
    const plugin = await install('export function processEvent() { throw new Error("always") }')
    const id = await enable(plugin)
    await until('it is disabled', async () => {
      await sent()
      return ((await config(id)) as { enabled: boolean }).enabled === false
    })
    const fixed = 'export const processEvent = (e) => { e.properties.fixed = 1; return e }'
    const path = `/api/organizations/@current/plugins/${plugin}/update_source/`
    await call('PATCH', path, { 'index.ts': fixed })
    await call('PATCH', `${base}${id}/`, { enabled: true })
    await until('it runs', async () => (await sent())?.['fixed'] === 1)
    await until('its error is gone', async () => {
      return ((await config(id)) as { error: unknown }).error === null
    })
    await call('DELETE', `${base}${id}/`)
  })

  t.test('keep what they store, log what they say, and start jobs', async () => {
    const plugin = await install(
      `
      export async function processEvent(event, { storage, jobs }) {
        const seen = (await storage.get('seen', 0)) + 1
        await storage.set('seen', seen)
        event.properties.seen = seen
        event.properties.told = await storage.get('told', null)
        console.info('seen', { seen })
        return event
      }
      export const jobs = {
        tell: async ({ word }, { storage }) => { await storage.set('told', word) },
      }`,
      { publicJobs: { tell: { payload: { word: { type: 'string' } } } } },
    )
    const id = await enable(plugin)
    await until('it counts', async () => Number((await sent())?.['seen']) > 1)
    await until('its log is there', async () =>
      (await logs(id, 'INFO')).some((message) => /^seen \{"seen":\d+\}$/.test(message)),
    )
    const job = { type: 'tell', operation: 'start', payload: { word: 'hello' } }
    await call('POST', `${base}${id}/job/`, { job })
    await until('the job has run', async () => (await sent())?.['told'] === 'hello')
    await call('DELETE', `${base}${id}/`)
  })

  t.test('show what they would do to an event, and store nothing', async (t) => {
    const plugin = await install(
      'export const processEvent = (e) => { e.properties.seen = true; console.log("x"); return e }',
    )
    const id = idOf(await call('POST', base, { plugin, order: 1 }))
    const event = { event: 'never stored', distinct_id: 'ann', properties: {} }
    const { steps } = (await call('POST', `${base}${id}/dry_run/`, { event })) as {
      steps: { outcome: string; event: { properties: object }; logs: object[] }[]
    }
    t.match(steps, [{ outcome: 'kept', event: { properties: { seen: true } } }])
    t.match(steps[0]?.logs, [{ type: 'LOG', message: 'x' }])
    const found = (await call('GET', '/api/projects/1/events/?event=never%20stored')) as Events
    t.strictSame(found.results, [])
    await call('DELETE', `${base}${id}/`)
  })

  t.test('come with the product, too', async (t) => {
    const { results } = (await call('GET', '/api/organizations/@current/plugins/?limit=100')) as {
      results: { id: number; name: string; is_global: boolean; plugin_type: string }[]
    }
    const own = results.filter(({ is_global: isGlobal }) => isGlobal)
    t.equal(own.length, 8)
    const filter = own.find(({ name }) => /property filter/i.test(name))
    if (filter === undefined) throw new Error(JSON.stringify(own))
    const id = idOf(await call('POST', base, { plugin: filter.id, order: 1, enabled: false }))
    const schema = (await call('GET', `/api/organizations/@current/plugins/${filter.id}/`)) as {
      config_schema: { key?: string }[]
    }
    t.ok(schema.config_schema.length > 0)
    await call('PATCH', `${base}${id}/settings/`, { properties: 'secret, $ip' })
    await call('PATCH', `${base}${id}/`, { enabled: true })
    await until('it takes properties away', async () => {
      const stored = await sent({ secret: 1, open: 2 })
      return stored?.['secret'] === undefined && stored?.['open'] === 2
    })
    await call('DELETE', `${base}${id}/`)
  })

  t.test('that never end are cut, and others go on', async (t) => {
    const id = await enable(await install('export function processEvent() { for (;;); }'))
    await until('it is disabled', async () => {
      await sent()
      return ((await config(id)) as { enabled: boolean }).enabled === false
    })
    t.ok(await sent())
    await call('DELETE', `${base}${id}/`)
  })
})
