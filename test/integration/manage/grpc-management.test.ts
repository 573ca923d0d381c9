import { status } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { createPolicy } from '../../../src/access/policy.ts'
import { GRPC_MESSAGE_BYTES_MAX, PAGE_LIMIT_MAX } from '../../../src/core/limits/limits.ts'
import { BODY_ERROR_METADATA, encodeBodyError } from '../../../src/wire/body-error.ts'
import { methodByPath, methods } from '../../../src/wire/proto/proto.ts'
import { toValue } from '../../../src/wire/proto/value.ts'
import { readFamilies } from '../../api/support/families.ts'
import { isChange, runCases } from '../../support/api/api-runner.ts'
import { makeWorld, type Person, type World } from '../../support/api/api-world.ts'
import {
  type Answer,
  type CallOptions,
  type ContractClient,
  createContractClient,
} from '../../support/api/contract-client.ts'
import { denied, refusedCalls, requestTo, restCall } from '../../support/api/grpc-access.ts'
import { healthOf, reflectedFiles, reflectedServices } from '../../support/api/grpc-standard.ts'
import { createGrpcTransport, errorBody, isLeftOut } from '../../support/api/grpc-transport.ts'
import { valueAt } from '../../support/api/placeholders.ts'
import { callRawGrpc } from '../../support/http/raw-grpc.ts'

/** `API_CASES=feature-flags` runs the cases of that family alone. */
const families = await readFamilies(process.env['API_CASES'])

const LOGIN_SERVICE = '/sluice.v1.LoginService'
const LOGIN = `${LOGIN_SERVICE}/Login`
const LOGOUT = `${LOGIN_SERVICE}/Logout`
const FLAGS = '/sluice.v1.FeatureFlagService'
const PROJECTS = '/sluice.v1.ProjectService'
const UPDATE_PROJECT = `${PROJECTS}/UpdateProject`

t.test('the management interface over gRPC', async (t) => {
  const world = await makeWorld(t)
  const address = `127.0.0.1:${world.product.process.ports.grpc}`
  const client = createContractClient(address)
  t.teardown(() => client.close())
  const as =
    (person: Person) =>
    (path: string, request: object, options: CallOptions = {}) =>
      client.call(path, request, { ...options, metadata: bearer(world.keys[person]) })
  const ask = as('owner')
  // Objects made here are removed before the cases run.
  const made = successOf(await ask(`${PROJECTS}/CreateProject`, { name: 'Calls' })).message
  const project = String(valueAt(made, 'id'))

  await t.test('every method with a scope refuses as REST does', (t) => refuses(t, world, client))

  await t.test('methods for staff, for anybody and for members of the cluster', async (t) => {
    const places = { project, organization: String(world.names.get('organization')) }
    for (const method of methods()) {
      const { path, rules, request } = method
      const parent = createPolicy(methods()).get(path)?.parent ?? 'caller'
      const message = requestTo(method, parent, places)
      if (rules.staff) {
        const refused = denied()
        t.match(brief(await as('admin')(path, message)), refused, `${path}: not for others`)
        t.notMatch(brief(await ask(path, message)), refused, `${path}: for staff`)
      } else if (rules.public) {
        const rest = restCall(method, message) ?? { verb: 'GET', path: '/' }
        for (const metadata of [{}, bearer('phx_nobody'), { authorization: 'Basic Zm9v' }]) {
          const answer = brief(await client.call(path, message, { metadata }))
          const reply = await world.http.call({ ...rest, headers: metadata })
          // The content of a success is compared by api.test.ts.
          const error = reply.status >= 400 ? reply.body : undefined
          t.strictSame(answer.body, error, `${path} with ${JSON.stringify(metadata)}`)
          const isAnonymous = Object.keys(metadata).length === 0
          // Whoever is not signed in cannot sign out.
          if (!isAnonymous || path === LOGOUT) continue
          t.not(answer.status, status.UNAUTHENTICATED, `${path} asks for no key`)
        }
      } else if (rules.scope === '') {
        for (const metadata of [{}, bearer('phx_nobody')]) {
          const answer = await client.callRaw(path, client.encode(path, {}), { metadata })
          t.match(brief(answer), { status: status.UNAUTHENTICATED }, `${path}: ${request.name}`)
        }
      }
    }
  })

  await t.test('the metadata x-api-key holds a key too, where there is no other', async (t) => {
    const call = (metadata: Record<string, string>) =>
      client.call(`${PROJECTS}/GetProject`, { id: project }, { metadata })
    const key = { 'x-api-key': world.keys.owner }
    t.match(await call(key), { kind: 'message' })
    const bad = { ...key, ...bearer('phx_nobody') }
    t.match(brief(await call(bad)), { body: { code: 'invalid_personal_api_key' } })
  })

  await t.test('a session begins, holds and ends over gRPC', async (t) => {
    const begun = successOf(await client.call(LOGIN, { personal_api_key: world.keys.owner }))
    const token = String(valueAt(begun.message, 'session_token'))
    const within = { metadata: { 'x-sluice-session': token } }
    const get = () => client.call(`${PROJECTS}/GetProject`, { id: project }, within)
    t.match(await get(), { kind: 'message' })
    const shown = successOf(await client.call(`${LOGIN_SERVICE}/GetSession`, {}, within))
    t.type(valueAt(shown.message, 'user.email'), 'string')
    t.match(await client.call(LOGOUT, {}, within), { kind: 'message' })
    t.match(brief(await get()), { status: status.UNAUTHENTICATED })
    t.match(brief(await client.call(LOGOUT, {}, within)), { status: status.UNAUTHENTICATED })
  })

  await t.test('a list is clamped, and never fails, by its limit and offset', async (t) => {
    const batch = Array.from({ length: PAGE_LIMIT_MAX + 1 }, (_, index) => ({
      event: `event ${index}`,
      distinct_id: 'ann',
    }))
    const captured = await world.http.call({
      verb: 'POST',
      path: '/batch/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: valueAt(made, 'api_token'), batch }),
    })
    t.equal(captured.status, 200)
    const path = '/sluice.v1.EventDefinitionService/ListEventDefinitions'
    const sizes = async (page: object) => {
      const { message } = successOf(await ask(path, { project_id: project, ...page }))
      const results = valueAt(message, 'results')
      return [valueAt(message, 'count'), Array.isArray(results) ? results.length : undefined]
    }
    const count = PAGE_LIMIT_MAX + 1
    for (const [page, length] of [
      [{}, 100],
      [{ limit: 0 }, 100],
      [{ limit: -1, offset: -1 }, 100],
      [{ limit: -2_147_483_648, offset: -2_147_483_648 }, 100],
      [{ limit: 7 }, 7],
      [{ limit: 7, offset: count - 3 }, 3],
      [{ limit: 2_147_483_647 }, PAGE_LIMIT_MAX],
      [{ limit: PAGE_LIMIT_MAX, offset: PAGE_LIMIT_MAX }, 1],
      [{ offset: 2_147_483_647 }, 0],
    ] as const) {
      t.strictSame(await sizes(page), [count, length], JSON.stringify(page))
    }
  })

  await t.test('a call whose deadline has passed is told so and writes nothing', async (t) => {
    const path = `${FLAGS}/CreateFeatureFlag`
    const late = (key: string, timeout: string) => ({
      path,
      request: client.encode(path, { project_id: project, key }),
      metadata: bearer(world.keys.owner),
      timeout,
    })
    const passed = Array.from({ length: 5 }, (_, at) => late(`passed-${at}`, '1n'))
    t.strictSame(
      await callRawGrpc(address, passed),
      passed.map(() => status.DEADLINE_EXCEEDED),
    )
    // Some of these end before their deadline, some in mid-call.
    const short = Array.from({ length: 12 }, (_, at) => late(`short-${at}`, `${at}m`))
    for (const code of await callRawGrpc(address, short)) {
      t.ok([status.OK, status.DEADLINE_EXCEEDED].includes(code), `status ${code}`)
    }
    const cancelled = new AbortController()
    const calls = Array.from({ length: 5 }, (_, at) =>
      ask(path, { project_id: project, key: `left-${at}` }, { signal: cancelled.signal }),
    )
    cancelled.abort()
    for (const answer of await Promise.all(calls)) {
      t.match(brief(answer), { status: status.CANCELLED })
    }
    t.match(await ask(path, { project_id: project, key: 'after' }), { kind: 'message' })

    const flags = async () => {
      const { message } = successOf(await ask(`${FLAGS}/ListFeatureFlags`, { project_id: project }))
      return column(message, 'key')
    }
    const before = await flags()
    const activity = '/sluice.v1.ActivityService/ListProjectActivity'
    const { message } = successOf(await ask(activity, { project_id: project, limit: 1_000 }))
    const logged = new Set(column(message, 'detail.name'))
    const after = new Set(await flags())
    t.notOk(
      [...after].some((key) => String(key).startsWith('passed-')),
      'none of the late ones',
    )
    for (const key of before) t.ok(logged.has(key), `${key} is there with its entry`)
    for (const name of logged) {
      if (/^(?:passed|short|left)-/.test(String(name))) t.ok(after.has(name), `${name} is whole`)
    }
  })

  await t.test('bytes that are no request of the method are answered, not a crash', async (t) => {
    const key = { metadata: bearer(world.keys.owner) }
    const raw = async (path: string, bytes: Buffer) => brief(await client.callRaw(path, bytes, key))
    const large = Buffer.alloc(GRPC_MESSAGE_BYTES_MAX + 1)
    t.match(await raw(UPDATE_PROJECT, large), { status: status.RESOURCE_EXHAUSTED })
    t.match(await raw(UPDATE_PROJECT, Buffer.from([0xff, 0xff])), {
      status: status.INVALID_ARGUMENT,
    })
    t.match(await raw(`${PROJECTS}/NoSuchMethod`, Buffer.alloc(0)), {
      status: status.UNIMPLEMENTED,
    })
    t.match(await raw('/sluice.v1.NoSuchService/Get', Buffer.alloc(0)), {
      status: status.UNIMPLEMENTED,
    })
    // A time zone of half a surrogate pair, which no UTF-8 holds and an error may not repeat.
    const half = Buffer.concat([
      client.encode(UPDATE_PROJECT, { id: project }),
      Buffer.from([10 * 8 + 2, 3, 0xed, 0xa0, 0x80]),
    ])
    t.match(await raw(UPDATE_PROJECT, half), {
      status: status.INVALID_ARGUMENT,
      body: { code: 'invalid_choice', attr: 'timezone' },
    })
    // The same as a gateway sends it along: a body of JSON can hold it.
    const wrong = { type: 'validation_error', code: 'invalid_choice', detail: '\ud800', attr: null }
    const sentAlong = encodeBodyError({ stage: 'fields', detail: wrong })
    const metadata = { ...key.metadata, [BODY_ERROR_METADATA]: sentAlong }
    t.match(brief(await client.call(UPDATE_PROJECT, { id: project }, { metadata })), {
      status: status.INVALID_ARGUMENT,
      body: { ...wrong, detail: '\ufffd' },
    })
    for (const levels of [65, 100, 5_000]) {
      const filters = field(3, nestedLists(levels))
      const deep = Buffer.concat([
        client.encode(`${FLAGS}/CreateFeatureFlag`, { project_id: project, key: 'deep' }),
        filters,
      ])
      const answer = await raw(`${FLAGS}/CreateFeatureFlag`, deep)
      const isRefused = [status.INVALID_ARGUMENT, status.INTERNAL].includes(Number(answer.status))
      t.ok(isRefused, `${levels} levels of JSON`)
    }
    t.match(await ask(`${PROJECTS}/GetProject`, { id: project }), { kind: 'message' })
  })

  await t.test('null_fields names what is null', async (t) => {
    const change = async (request: object) => brief(await ask(UPDATE_PROJECT, request))
    const given = { id: project, chat_incoming_webhook: 'https://example.com/', is_demo: true }
    t.match(await change(given), { message: { chat_incoming_webhook: 'https://example.com/' } })
    const others = ['no_such', 'id', 'null_fields', '__proto__', 'constructor', '', 'is demo']
    const unknown = await change({ id: project, null_fields: others })
    t.match(unknown, { message: { is_demo: true } }, 'names that are no writable field are ignored')
    const many = Array.from({ length: 20_000 }, () => 'chat_incoming_webhook')
    const nulled = { id: project, chat_incoming_webhook: 'https://other.example.com/' }
    t.match(
      await change({ ...nulled, null_fields: [...many, 'correlation_config'] }),
      { message: { is_demo: true } },
      'a field may be named more than once',
    )
    const { message } = successOf(await ask(`${PROJECTS}/GetProject`, { id: project }))
    t.equal(valueAt(message, 'chat_incoming_webhook'), undefined, 'null wins over a value')
    t.match(valueAt(message, 'correlation_config'), { nullValue: 'NULL_VALUE' })
    const refused = { status: status.INVALID_ARGUMENT, body: { code: 'null', attr: 'name' } }
    for (const name of [undefined, 'a name']) {
      t.match(await change({ id: project, name, null_fields: ['is_demo', 'name'] }), refused)
    }
    const value = { id: project, name: 'a name', correlation_config: toValue(null) }
    t.match(await change(value), { message: { name: 'a name' } }, 'a Value may be null itself')
  })

  await t.test('health serves and reflection lists every service', async (t) => {
    const listed = await reflectedServices(address, 'v1')
    t.strictSame(await reflectedServices(address, 'v1alpha'), listed, 'in either version')
    for (const service of new Set(methods().map((method) => method.service))) {
      t.ok(listed.includes(service), service)
      t.match(await healthOf(address, service), { status: 'SERVING' })
    }
    t.match(await healthOf(address, ''), { status: 'SERVING' })
  })

  await t.test('reflection answers each file once', async (t) => {
    for (const version of ['v1', 'v1alpha'] as const) {
      const files = await reflectedFiles(address, version, 'sluice.v1.ProjectService')
      const texts = files.map((file) => file.toString('latin1'))
      t.ok(texts[0]?.includes('ProjectService'), 'that of the symbol is first')
      t.ok(texts.length > 1, 'with those that it refers to')
      t.equal(new Set(texts).size, texts.length)
    }
  })

  const { http, product } = world
  const transport = createGrpcTransport({ client, http, url: product.url })

  await t.test(
    'a field that a caller may not set is refused after wrong ones, as over REST',
    async (t) => {
      const me = '/api/users/@me/'
      const ours = `/api/projects/${project}/`
      for (const [person, path, body, expected] of [
        ['admin', me, { is_staff: true }, 403],
        ['admin', me, { is_staff: null }, 400],
        ['admin', me, { is_staff: true, first_name: 'x'.repeat(151) }, 400],
        ['member', ours, { access_control: true }, 403],
        ['member', ours, { access_control: true, timezone: 'Mars/Base' }, 400],
      ] as const) {
        const headers = { ...bearer(world.keys[person]), 'content-type': 'application/json' }
        const call = { verb: 'PATCH', path, headers, body: JSON.stringify(body) }
        t.equal((await transport.call(call)).status, expected, `${person} sends ${call.body}`)
      }
    },
  )

  t.match(await ask(`${PROJECTS}/DeleteProject`, { id: project }), { kind: 'message' })
  // Reads and refusals over gRPC are compared with those over REST by api.test.ts.
  for (const { name, cases } of families) {
    await t.test(`changes of the cases of ${name} are made over gRPC`, async (t) => {
      const kept = cases.filter((each) => !isLeftOut(each) && (isChange(each) || each.save))
      const before = transport.tally.overGrpc
      await runCases(t, { ...world, http: transport }, kept)
      t.comment(`${transport.tally.overGrpc - before} calls over gRPC`)
    })
  }
  t.comment(`calls over HTTP alone: ${JSON.stringify([...transport.tally.overHttp])}`)
  if (process.env['API_CASES'] === undefined) {
    for (const { path, bindings } of methods()) {
      // Sessions begin and end above: over REST they are a cookie.
      const isAbove = path === LOGIN || path === LOGOUT
      if (!isAbove && bindings.some(({ verb }) => verb !== 'GET')) {
        t.ok(transport.tally.succeeded.has(path), `${path} has answered`)
      }
    }
  }
})

async function refuses(t: Test, world: World, client: ContractClient): Promise<void> {
  const keys = (action: string, request: object) =>
    client.call(`/sluice.v1.PersonalApiKeyService/${action}PersonalApiKey`, request, {
      metadata: bearer(world.keys.owner),
    })
  const made = await Promise.all(
    ['plugin:write', 'feature_flag:write'].map(async (scope) => {
      const request = { label: scope, scopes: toValue([scope]) }
      return successOf(await keys('Create', request)).message
    }),
  )
  const [plugins = '', flags = ''] = made.map((key) => String(valueAt(key, 'value')))
  const scoped = { 'plugin:write': plugins, 'feature_flag:write': flags }
  for (const policy of createPolicy(methods()).values()) {
    const method = methodByPath(policy.path)
    if (method === undefined || method.rules.public) continue
    for (const refused of refusedCalls(method, policy, world, scoped)) {
      const { name, request, key, status: code, body } = refused
      const metadata = key === undefined ? {} : bearer(key)
      const answer = await client.call(method.path, request, { metadata })
      t.match(brief(answer), { status: code, body }, `${method.path}: ${name}`)
      const rest = restCall(method, request)
      if (rest === undefined) continue
      const reply = await world.http.call({ ...rest, headers: metadata })
      t.strictSame(brief(answer).body, reply.body, `${rest.verb} ${rest.path}: ${name}`)
      t.equal(answer.kind === 'failure' && answer.detail?.http_status, reply.status)
    }
  }
  for (const key of made) successOf(await keys('Delete', { id: valueAt(key, 'id') }))
}

type Brief = { readonly message?: object; readonly status?: number; readonly body?: object }

/** An answer as a test compares it. */
function brief(answer: Answer): Brief {
  if (answer.kind === 'message') return { message: answer.message }
  const { status: code, detail } = answer
  return { status: code, ...(detail === undefined ? {} : { body: errorBody(detail) }) }
}

function successOf(answer: Answer): { readonly message: object } {
  if (answer.kind === 'message') return answer
  throw new Error(`${status[answer.status]}: ${answer.text}`)
}

/** One place of every result of a list. */
function column(message: object, place: string): readonly unknown[] {
  const results = valueAt(message, 'results')
  return Array.isArray(results) ? results.map((each) => valueAt(each, place)) : []
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

/** A field of bytes: its number, its length, and what is in it. */
function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = []
  let rest = bytes.length
  for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length, rest]), bytes])
}

/** A google.protobuf.Value that is a list of a list of …: encoded by hand, for no encoder would. */
function nestedLists(levels: number): Buffer {
  let value: Buffer = field(6, Buffer.alloc(0))
  for (let level = 1; level < levels; level += 1) value = field(6, field(1, value))
  return value
}
