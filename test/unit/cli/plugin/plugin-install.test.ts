import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { installPlugin } from '../../../../src/cli/plugin/plugin-install.ts'
import { type FakeAnswer, startFakeHttpServer } from '../../../support/http/fake-http-server.ts'

const KEY = 'phx_secret-of-the-tests'
const MANIFEST = { name: 'Mark', config: [{ key: 'a' }, { key: 'rules', type: 'attachment' }] }
const OWNER = '0190e1f0-0000-4000-8000-000000000001'

type Plugin = { id: number; name: string; organization_id?: string; is_global?: boolean }
type Config = { id: number; plugin: number; order: number; enabled: boolean }

/** Answers as the management interface does, of what it is told to have. */
async function startServer(
  t: Test,
  has: { plugins?: Plugin[]; configs?: Config[]; step?: object } = {},
) {
  const page = (results: unknown[]) => ({ count: results.length, next: null, results })
  const config = { id: 9, plugin: 5, order: 3, enabled: false }
  const answers: [RegExp, (body: string) => unknown][] = [
    [/^GET \/api\/organizations\/[^/]+\/plugins\/\?/, () => page(has.plugins ?? [])],
    [/^POST \/api\/organizations\/[^/]+\/plugins\/$/, () => ({ id: 5 })],
    [/^GET .*\/source\/$/, () => ({ 'index.js': 'old', 'plugin.json': '{}' })],
    [/^PATCH .*\/update_source\/$/, () => ({})],
    [/^GET \/api\/projects\/1\/plugin_configs\/\?/, () => page(has.configs ?? [])],
    [/^POST \/api\/projects\/1\/plugin_configs\/$/, () => config],
    [/^PATCH .*\/settings\/$/, () => config],
    [/^POST .*\/dry_run\/$/, () => ({ steps: [{ config: 9, outcome: 'kept', ...has.step }] })],
    [
      /^PATCH .*\/plugin_configs\/\d+\/$/,
      (body) => ({ ...config, order: 7, enabled: body.includes('enabled') }),
    ],
  ]
  const refusals = new Map<string, FakeAnswer>()
  const server = await startFakeHttpServer(({ method, path, body }) => {
    const call = `${method} ${path}`
    const refusal = [...refusals].find(([start]) => call.startsWith(start))?.[1]
    if (refusal !== undefined) return refusal
    const answer = answers.find(([pattern]) => pattern.test(call))?.[1]
    if (answer === undefined) return { status: 404, body: '{"detail":"Not found."}' }
    return { status: 200, body: JSON.stringify(answer(body.toString())) }
  })
  t.teardown(() => server.close())
  const calls = () => server.seen.map(({ method, path }) => `${method} ${path.split('?', 1)[0]}`)
  const bodyOf = (call: string) => {
    const seen = server.seen.find(({ method, path }) => `${method} ${path}` === call)
    return seen === undefined ? undefined : JSON.parse(seen.body.toString())
  }
  const options = { url: server.url, organization: '@current', key: KEY }
  return { server, options, calls, bodyOf, refusals }
}

function pluginFolder(t: Test, config: object = {}) {
  const dir = t.testdir({
    'index.ts': 'export {}',
    'plugin.json': JSON.stringify(MANIFEST),
    'rules.txt': 'abc',
  })
  const file = join(dir, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  return { dir, config: file }
}

const PLUGINS = '/api/organizations/@current/plugins/'
const CONFIGS = '/api/projects/1/plugin_configs/'

t.test('a plugin that is not there is made, with its files', async (t) => {
  const { server, options, calls, bodyOf } = await startServer(t, {
    plugins: [
      { id: 1, name: 'Other' },
      { id: 2, name: 'Mark', is_global: true },
    ],
  })
  const { dir } = pluginFolder(t)
  t.equal(await installPlugin(dir, options), 'plugin 5 installed: Mark')
  t.same(calls(), [`GET ${PLUGINS}`, `POST ${PLUGINS}`])
  t.same(bodyOf(`POST ${PLUGINS}`), {
    plugin_type: 'source',
    name: 'Mark',
    files: { 'index.ts': 'export {}', 'plugin.json': JSON.stringify(MANIFEST) },
  })
  for (const { headers } of server.seen) t.equal(headers.authorization, `Bearer ${KEY}`)
})

t.test('one of this name is updated: files that are gone here go there', async (t) => {
  const { options, calls, bodyOf } = await startServer(t, { plugins: [{ id: 4, name: 'Mark' }] })
  const { dir } = pluginFolder(t)
  const text = await installPlugin(dir, { ...options, json: true })
  t.same(JSON.parse(text), { plugin: 4, name: 'Mark', created: false })
  const update = `PATCH ${PLUGINS}4/update_source/`
  t.same(calls(), [`GET ${PLUGINS}`, `GET ${PLUGINS}4/source/`, update])
  t.match(bodyOf(update), { 'index.ts': 'export {}', 'index.js': null })
})

t.test('the one of the named organization is meant; two of them are too many', async (t) => {
  const plugins = [
    { id: 4, name: 'Mark', organization_id: OWNER },
    { id: 6, name: 'Mark', organization_id: 'another', is_global: true },
  ]
  const { options } = await startServer(t, { plugins })
  const { dir } = pluginFolder(t)
  t.match(await installPlugin(dir, { ...options, organization: OWNER }), /plugin 4 updated/)
  plugins.push({ id: 7, name: 'Mark', organization_id: OWNER })
  await t.rejects(installPlugin(dir, { ...options, organization: OWNER }), {
    name: 'UsageError',
    message: /several plugins are named "Mark": 4, 7/,
  })
})

t.test('a config is made last of all, gets its settings, and then is enabled', async (t) => {
  const { options, calls, bodyOf } = await startServer(t, {
    configs: [{ id: 1, plugin: 2, order: 40, enabled: true }],
  })
  const { dir, config } = pluginFolder(t, { a: 'b' })
  const text = await installPlugin(dir, { ...options, project: '1', enable: true, config })
  t.equal(text, 'plugin 5 installed: Mark\nconfig 9: order 7, enabled')
  t.same(calls().slice(2), [
    `GET ${CONFIGS}`,
    `POST ${CONFIGS}`,
    `PATCH ${CONFIGS}9/settings/`,
    `PATCH ${CONFIGS}9/`,
    ...Array(3).fill(`POST ${CONFIGS}9/dry_run/`),
    `PATCH ${CONFIGS}9/`,
  ])
  t.same(bodyOf(`POST ${CONFIGS}`), { plugin: 5, order: 41 })
  t.same(bodyOf(`PATCH ${CONFIGS}9/settings/`), { a: 'b' })
  t.same(bodyOf(`PATCH ${CONFIGS}9/`), { order: 41 })
  t.same(bodyOf(`POST ${CONFIGS}9/dry_run/`), {
    event: {
      event: '$pageview',
      distinct_id: 'ann',
      properties: { $current_url: 'https://shop.example.com/', $ip: '192.0.2.1' },
    },
  })
})

t.test('a config whose dry run fails is not enabled, and what failed is said', async (t) => {
  const step = { outcome: 'failed', error: 'TypeError: rates is undefined' }
  const { server, options, calls } = await startServer(t, { step })
  const { dir } = pluginFolder(t)
  const enabling = { ...options, project: '1', enable: true }
  await t.rejects(installPlugin(dir, enabling), {
    name: 'AppError',
    message:
      /^the dry run of config 9, which is not enabled, failed .*"\$pageview": TypeError: rates/,
  })
  t.equal(calls().at(-1), `POST ${CONFIGS}9/dry_run/`)
  const asked = server.seen.length
  t.match(await installPlugin(dir, { ...enabling, test: false }), /enabled$/)
  t.notOk(
    calls()
      .slice(asked)
      .some((call) => call.endsWith('/dry_run/')),
  )
})

t.test('a plugin that cannot be loaded changes nothing on the server', async (t) => {
  const { server, options } = await startServer(t)
  const { dir } = pluginFolder(t)
  writeFileSync(join(dir, 'index.ts'), 'throw new Error("no such table")')
  await t.rejects(installPlugin(dir, options), { message: /cannot be loaded: .*no such table/ })
  t.equal(server.seen.length, 0)
})

t.test('a config that is there keeps its order, and whether it is enabled', async (t) => {
  const { options, calls, bodyOf } = await startServer(t, {
    plugins: [{ id: 4, name: 'Mark' }],
    configs: [{ id: 8, plugin: 4, order: 3, enabled: true }],
  })
  const { dir } = pluginFolder(t)
  await installPlugin(dir, { ...options, project: '1' })
  t.notOk(calls().includes(`POST ${CONFIGS}`))
  t.same(bodyOf(`PATCH ${CONFIGS}8/`), { order: 3 })
  await installPlugin(dir, { ...options, project: '1', order: -1 })
  t.equal(calls().filter((call) => call === `PATCH ${CONFIGS}8/`).length, 2)
})

t.test('a setting that is a file is sent as one', async (t) => {
  const { server, options } = await startServer(t)
  const { dir, config } = pluginFolder(t, { rules: 'rules.txt' })
  await installPlugin(dir, { ...options, project: '1', config })
  const { headers, body } = server.seen.at(-1) ?? {}
  t.match(headers?.['content-type'], /^multipart\/form-data/)
  t.match(body?.toString(), /name="add_attachment\[rules\]"; filename="rules.txt"[\s\S]*abc/)
})

t.test('a refusal of the server is printed in its own words', async (t) => {
  const { options, refusals } = await startServer(t)
  const { dir } = pluginFolder(t)
  const refuse = (call: string, status: number, body: object | string) => {
    refusals.clear()
    refusals.set(call, { status, body: typeof body === 'string' ? body : JSON.stringify(body) })
    return installPlugin(dir, { ...options, project: '1' })
  }
  const refusal = { type: 'validation_error', code: 'x', detail: 'No such file.', attr: 'files' }
  await t.rejects(refuse('POST /api/organizations', 400, refusal), {
    name: 'AppError',
    message: 'cannot install the plugin: files: No such file. (400)',
  })
  const forbidden = { ...refusal, detail: 'No permission.', attr: null }
  await t.rejects(refuse(`GET ${CONFIGS}`, 403, forbidden), {
    code: 'permission_denied',
    message: 'cannot set up plugin 5 in project 1: No permission. (403)',
  })
  await t.rejects(refuse('GET', 502, '<html>'), { message: /The instance answered 502/ })
  await t.rejects(refuse('GET', 200, '<html>'), { message: /not one of this service/ })
})

t.test('a server that is away is said so, and the key is in no message', async (t) => {
  const { server, options } = await startServer(t)
  await server.close()
  const { dir } = pluginFolder(t)
  await t.rejects(installPlugin(dir, options), {
    code: 'unavailable',
    message: 'cannot install the plugin: no answer (ECONNREFUSED)',
  })
  const wrong = [
    { ...options, key: `${KEY}\nx` },
    { ...options, key: `${KEY} x` },
    { ...options, url: `http://user:${KEY}@127.0.0.1:1` },
    { ...options, url: `ftp://${KEY}` },
    { ...options, url: KEY },
    { ...options, enable: true },
    { ...options, order: 1 },
    { ...options, config: 'config.json' },
  ]
  for (const each of wrong) {
    const error: unknown = await installPlugin(dir, each).catch((thrown: unknown) => thrown)
    t.match(error, { name: 'UsageError' })
    t.notMatch(String(error), KEY)
  }
})
