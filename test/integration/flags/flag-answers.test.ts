/** Answers of decide and flags over HTTP: which shape a request gets, and what is in it. */
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { base64, FORM_TYPE, formOf, startWire } from '../../support/ingest/wire.ts'
import { answered, request } from '../../support/servers/product.ts'

type Body = Readonly<Record<string, unknown>>
type Detail = Readonly<Record<string, unknown>> & { readonly reason: unknown }

const CONFIG = [
  'config',
  'editorParams',
  'toolbarParams',
  'toolbarVersion',
  'isAuthenticated',
  'supportedCompression',
  'sessionRecording',
  'siteApps',
  'capturePerformance',
  'autocapture_opt_out',
  'autocaptureExceptions',
  'surveys',
  'heatmaps',
  'captureDeadClicks',
  'analytics',
  'errorTracking',
]
const EVERYBODY = { groups: [{ properties: [], rollout_percentage: 100 }] }
const NOBODY = { groups: [{ properties: [], rollout_percentage: 0 }] }
const VARIANTS = {
  groups: [
    { properties: [{ key: 'plan', value: 'none', type: 'person' }], rollout_percentage: 100 },
    { properties: [], rollout_percentage: 100, variant: 'test' },
  ],
  multivariate: {
    variants: [
      { key: 'control', rollout_percentage: 50 },
      { key: 'test', rollout_percentage: 50 },
    ],
  },
  payloads: { test: '{"colour":"red"}', control: '1' },
}

t.test('answers of decide and flags', async (t) => {
  const wire = await startWire(t)
  const { projectKey, product, send } = wire
  const make = async (key: string, fields: object) => {
    const url = `${product.url}/api/projects/1/feature_flags/`
    const body = { key, ...fields }
    const made = await request(url, { key: product.personalKey, body })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return made.body as { id: number }
  }
  const ask = async (path: string, question: object = {}): Promise<Body> => {
    const body = JSON.stringify({ token: projectKey, distinct_id: 'ann', ...question })
    const reply = await send(path, body, { 'content-type': 'application/json' })
    t.equal(reply.status, 200, reply.text)
    return reply.body as Body
  }
  const keysOf = (value: unknown) => Object.keys(value as object).sort()
  const detailsOf = (answer: Body) => answer['flags'] as Readonly<Record<string, Detail>>

  await t.test('a project without flags has empty ones in every shape', async (t) => {
    const errors = { errorsWhileComputingFlags: false }
    t.strictSame((await ask('/decide/'))['featureFlags'], [])
    t.strictSame((await ask('/decide/?v=2'))['featureFlags'], {})
    t.match(await ask('/decide/?v=3'), { featureFlags: {}, featureFlagPayloads: {}, ...errors })
    t.match(await ask('/flags/?v=2'), { flags: {}, ...errors })
    t.strictSame(keysOf((await ask('/flags/?v=2'))['flags']), [])
  })

  const on = await make('on', {
    name: 'Said to people',
    filters: { ...EVERYBODY, payloads: { true: '"hi"' } },
  })
  await make('off', { filters: { ...NOBODY, payloads: { true: '"never"' } } })
  await make('variant', { filters: VARIANTS })
  await make('inactive', { filters: EVERYBODY, active: false })
  await make('deleted', { filters: EVERYBODY, deleted: true })

  t.test('the shape follows route, version and config', async (t) => {
    const v3 = ['featureFlags', 'featureFlagPayloads', 'errorsWhileComputingFlags']
    const v4 = ['flags', 'errorsWhileComputingFlags', 'requestId', 'evaluatedAt']
    const decide = (members: readonly string[]) => [...CONFIG, ...members].sort()
    const rows: [string, readonly string[]][] = [
      ['/decide/', decide(['featureFlags'])],
      ['/decide', decide(['featureFlags'])],
      ['/decide/?v=1', decide(['featureFlags'])],
      ['/decide/?v=0', decide(['featureFlags'])],
      ['/decide/?v=-3', decide(['featureFlags'])],
      ['/decide/?v=2', decide(['featureFlags'])],
      ['/decide/?v=abc', decide(['featureFlags'])],
      ['/decide/?v=', decide(['featureFlags'])],
      ['/decide/?v=3', decide(v3)],
      ['/decide/?v=4', decide(v4)],
      ['/decide/?v=9', decide(v4)],
      ['/flags/?v=2', [...v4].sort()],
      ['/flags?v=2', [...v4].sort()],
      ['/flags/?v=2&config=true', decide(v4)],
      ['/flags/?v=2&config=false', [...v4].sort()],
      ['/flags/?v=9', [...v4].sort()],
      ['/flags/?v=1', [...v3].sort()],
      ['/flags/?v=0', [...v3].sort()],
      ['/flags/?v=1&config=true', decide(v3)],
      ['/flags/?config=true', decide(v3)],
      ['/flags/?config=false', [...v3].sort()],
      ['/flags/', decide(['featureFlags'])],
      ['/flags/?v=abc', [...v4].sort()],
    ]
    for (const [path, expected] of rows) t.strictSame(keysOf(await ask(path)), expected, path)
  })

  t.test('flags of each shape: a list, those that are on, all, and details', async (t) => {
    for (const path of ['/decide/', '/decide/?v=0', '/decide/?v=1']) {
      const { featureFlags } = await ask(path)
      t.strictSame([...(featureFlags as string[])].sort(), ['on', 'variant'], path)
    }
    for (const path of ['/decide/?v=2', '/decide/?v=abc', '/flags/']) {
      const { featureFlags } = await ask(path)
      t.strictSame(featureFlags, { on: true, variant: 'test' }, path)
    }
    for (const path of ['/decide/?v=3', '/flags/?v=1', '/flags/?config=true']) {
      const answer = await ask(path)
      t.strictSame(answer['featureFlags'], { on: true, off: false, variant: 'test' }, path)
      const payloads = { on: '"hi"', variant: '{"colour":"red"}' }
      t.strictSame(answer['featureFlagPayloads'], payloads, path)
      t.equal(answer['errorsWhileComputingFlags'], false)
    }
    for (const path of ['/decide/?v=4', '/decide/?v=9', '/flags/?v=2', '/flags/?v=abc']) {
      t.strictSame(keysOf((await ask(path))['flags']), ['off', 'on', 'variant'], path)
    }
  })

  t.test('a detail has these fields and no others', async (t) => {
    const flags = detailsOf(await ask('/flags/?v=2'))
    const { reason, ...rest } = flags['on'] ?? {}
    t.strictSame(rest, {
      key: 'on',
      enabled: true,
      variant: null,
      metadata: { id: on.id, version: 1, description: 'Said to people', payload: '"hi"' },
    })
    t.strictSame(keysOf(reason), ['code', 'condition_index', 'description'])
    t.match(reason, { code: 'condition_match', condition_index: 0, description: /1/ })
    t.match(flags['off'], {
      enabled: false,
      variant: null,
      reason: { code: 'out_of_rollout_bound', condition_index: 0 },
      metadata: { payload: null },
    })
    t.match(flags['variant'], {
      enabled: true,
      variant: 'test',
      reason: { code: 'condition_match', condition_index: 1, description: /2/ },
      metadata: { payload: '{"colour":"red"}' },
    })
    const edit = { key: product.personalKey, method: 'PATCH', body: { name: 'Edited' } }
    await request(`${product.url}/api/projects/1/feature_flags/${on.id}/`, edit)
    const after = detailsOf(await ask('/flags/?v=2'))['on']
    t.match(after, { metadata: { version: 2, description: 'Edited' } })
  })

  t.test('each answer has an id and a time of its own, one from the cache too', async (t) => {
    const before = Date.now()
    const answers = [await ask('/flags/?v=2'), await ask('/flags/?v=2'), await ask('/decide/?v=4')]
    const ids = answers.map(({ requestId }) => requestId)
    t.equal(new Set(ids).size, 3)
    for (const { requestId, evaluatedAt } of answers) {
      t.match(requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
      const at = Number(evaluatedAt)
      t.ok(Number.isInteger(at) && at >= before && at <= Date.now(), `${evaluatedAt}`)
    }
    const times = answers.map(({ evaluatedAt }) => Number(evaluatedAt))
    t.strictSame(
      times,
      [...times].sort((one, other) => one - other),
    )
  })

  t.test('nothing is said of quotas', async (t) => {
    for (const path of ['/decide/', '/decide/?v=4', '/flags/?v=2&config=true']) {
      t.notOk('quotaLimited' in (await ask(path)), path)
    }
  })

  t.test('disable_flags leaves the config, and needs no distinct id', async (t) => {
    const rows: [string, object][] = [
      ['/decide/', { featureFlags: [] }],
      ['/decide/?v=2', { featureFlags: {} }],
      ['/decide/?v=3', { featureFlags: {}, featureFlagPayloads: {} }],
      ['/flags/?v=2&config=true', { flags: {}, errorsWhileComputingFlags: false }],
    ]
    for (const [path, members] of rows) {
      const answer = await ask(path, { disable_flags: true, distinct_id: undefined })
      for (const [name, value] of Object.entries(members)) t.strictSame(answer[name], value, path)
      t.strictSame(answer['config'], { enable_collect_everything: true }, path)
    }
    t.strictSame((await ask('/decide/', { disable_flags: false }))['featureFlags'], [
      ...((await ask('/decide/'))['featureFlags'] as string[]),
    ])
  })

  t.test('without a distinct id it is 400, an empty or odd one is a text', async (t) => {
    for (const path of ['/decide/', '/decide/?v=3', '/flags/?v=2', '/flags/']) {
      for (const distinct_id of [undefined, null]) {
        const { status, body } = await request(`${product.url}${path}`, {
          body: { token: projectKey, distinct_id },
        })
        t.equal(status, 400)
        t.match(body, { type: 'validation_error', code: 'missing_distinct_id', detail: String })
      }
    }
    for (const distinct_id of ['', 5, 0, false, ['a'], 'x'.repeat(500)]) {
      t.match(await ask('/decide/?v=2', { distinct_id }), { featureFlags: { on: true } })
    }
    await make('for-five', {
      filters: { groups: [{ properties: [{ key: 'distinct_id', value: '5', type: 'person' }] }] },
    })
    t.match(await ask('/decide/?v=2', { distinct_id: 5 }), { featureFlags: { 'for-five': true } })
  })

  t.test('groups, properties and lists of the wrong kind count as absent', async (t) => {
    const plain = (await ask('/decide/?v=3'))['featureFlags']
    for (const odd of [null, [], 'text', 5, {}]) {
      const question = {
        groups: odd,
        person_properties: odd,
        group_properties: odd,
        $anon_distinct_id: null,
        $device_id: null,
        evaluation_runtime: odd,
        timezone: odd,
        sent_at: odd,
        geoip_disable: odd,
      }
      const name = JSON.stringify(odd)
      t.strictSame((await ask('/decide/?v=3', question))['featureFlags'], plain, name)
    }
  })

  t.test('flag_keys_to_evaluate limits the answer', async (t) => {
    const only = async (path: string, flag_keys_to_evaluate: unknown) => {
      const answer = await ask(path, { flag_keys_to_evaluate })
      return keysOf(answer['flags'] ?? answer['featureFlags'])
    }
    t.strictSame(await only('/flags/?v=2', ['on']), ['on'])
    t.strictSame(await only('/decide/?v=3', ['on', 'off', 'unknown', 'inactive']), ['off', 'on'])
    t.strictSame(await only('/flags/?v=2', []), [])
    t.ok((await only('/flags/?v=2', null)).length > 2, 'null is no list')
  })

  t.test('runtime and contexts leave out the flags of others', async (t) => {
    const filters = EVERYBODY
    await make('of-server', { filters, evaluation_runtime: 'server' })
    await make('of-client', { filters, evaluation_runtime: 'client' })
    await make('of-docs', { filters, evaluation_contexts: ['docs', 'app'] })
    const found = async (question: object) => {
      const names = keysOf((await ask('/flags/?v=2', question))['flags'])
      return names.filter((name) => name.startsWith('of-'))
    }
    t.strictSame(await found({ evaluation_runtime: 'server' }), ['of-docs', 'of-server'])
    t.strictSame(await found({ evaluation_runtime: 'client' }), ['of-client', 'of-docs'])
    t.strictSame(await found({ evaluation_runtime: 'all' }), ['of-client', 'of-docs', 'of-server'])
    t.strictSame(await found({ evaluation_contexts: ['docs'] }), [
      'of-client',
      'of-docs',
      'of-server',
    ])
    t.strictSame(await found({ evaluation_contexts: ['other'] }), ['of-client', 'of-server'])
    t.strictSame(await found({}), ['of-client', 'of-docs', 'of-server'])
  })

  t.test('properties and groups of the request are read', async (t) => {
    await make('gold', {
      filters: { groups: [{ properties: [{ key: 'tier', value: 'gold', type: 'person' }] }] },
    })
    const isOn = async (question: object) =>
      detailsOf(await ask('/flags/?v=2', question))['gold']?.['enabled']
    t.equal(await isOn({ person_properties: { tier: 'gold' } }), true)
    t.equal(await isOn({ person_properties: { tier: null } }), false)
    await answered(`${product.url}/e/`, {
      body: {
        api_key: projectKey,
        event: '$groupidentify',
        distinct_id: 'x',
        properties: { $group_type: 'company', $group_key: 'acme' },
      },
    })
    const properties = [{ key: 'tier', value: 'gold', type: 'group', group_type_index: 0 }]
    await make('gold-company', {
      filters: { aggregation_group_type_index: 0, groups: [{ properties }] },
    })
    const ofCompany = async (question: object) =>
      detailsOf(await ask('/flags/?v=2', question))['gold-company']
    const group_properties = { company: { tier: 'gold' } }
    t.match(await ofCompany({ groups: { company: 'acme' }, group_properties }), { enabled: true })
    t.match(await ofCompany({ groups: { company: 7 }, group_properties }), { enabled: true })
    t.match(await ofCompany({ group_properties }), {
      enabled: false,
      reason: { code: 'no_group_type' },
    })
  })

  t.test('payloads that are kept secret are not given out', async (t) => {
    const filters = { ...EVERYBODY, payloads: { true: '"secret"' } }
    await make('secret', { filters, has_encrypted_payloads: true })
    const answer = JSON.stringify([await ask('/decide/?v=3'), await ask('/flags/?v=2')])
    t.ok(answer.includes('\\"hi\\"'), 'as other payloads are')
    t.notOk(answer.includes('\\"secret\\"'), answer)
  })

  t.test('every encoding of clients asks the same', async (t) => {
    const question = { token: projectKey, distinct_id: 'ann', person_properties: { note: 'û>~' } }
    const text = JSON.stringify(question)
    const plain = { 'content-type': 'text/plain' }
    const json = { 'content-type': 'application/json' }
    const form = { 'content-type': FORM_TYPE }
    const gzip = { ...json, 'content-encoding': 'gzip' }
    const rows: [string, string, string | Buffer, Record<string, string>][] = [
      ['JSON', '', text, json],
      ['plain text', '', text, plain],
      ['a form of base64', '&compression=base64', formOf({ data: base64(question) }), form],
      ['a form of base64, no hint', '', formOf({ data: base64(question) }), form],
      ['a form of JSON', '', formOf({ data: text }), form],
      ['gzip of a query', '&compression=gzip-js', gzipSync(text), plain],
      ['gzip of a header', '', gzipSync(text), gzip],
      ['gzip of both', '&compression=gzip', gzipSync(text), gzip],
      ['gzip without a hint', '', gzipSync(text), plain],
      ['bare base64', '&compression=base64', base64(question), plain],
    ]
    const expected = await ask('/decide/?v=3')
    for (const [name, query, body, headers] of rows) {
      const reply = await send(`/decide/?v=3${query}`, body, headers)
      t.strictSame([reply.status, reply.body], [200, expected], name)
      const flags = await send(`/flags/?v=2${query}`, body, headers)
      t.strictSame(keysOf((flags.body as Body)['flags']), keysOf(expected['featureFlags']), name)
    }
    const large = { ...question, person_properties: { note: randomUUID().repeat(8_000) } }
    const reply = await send('/decide/?v=3', JSON.stringify(large), json)
    t.strictSame([reply.status, reply.body], [200, expected], 'a body beside the event loop')
  })

  t.test('undecodable bodies and keys are refused in the shape of failures', async (t) => {
    const rows: [string, string, number, string][] = [
      ['/decide/', '{', 400, 'malformed_data'],
      ['/flags/?v=2', 'undefined', 400, 'malformed_data'],
      ['/decide/', '', 400, 'no_data'],
      ['/decide/', '{}', 400, 'no_data'],
      ['/flags/?v=2', '{"distinct_id":"a"}', 401, 'invalid_api_key'],
      ['/decide/', '{"distinct_id":"a","token":"nobody"}', 401, 'invalid_api_key'],
    ]
    for (const [path, text, status, code] of rows) {
      const reply = await send(path, text, { origin: 'https://a.example.com' })
      t.match(reply, { status, body: { type: String, code, detail: String } }, `${path} ${text}`)
      t.equal(reply.headers['access-control-allow-origin'], 'https://a.example.com')
    }
  })

  t.test('GET has the config without flags', async (t) => {
    t.match((await send('/decide/')).body, { featureFlags: [], isAuthenticated: false })
    t.match((await send('/flags/?v=2&config=true')).body, { flags: {}, config: Object })
    t.strictSame(keysOf((await send('/flags/?v=2')).body), [
      'errorsWhileComputingFlags',
      'evaluatedAt',
      'flags',
      'requestId',
    ])
  })
})
