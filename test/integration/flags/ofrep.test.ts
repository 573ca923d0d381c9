import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type Answer, answered, request, startStandalone } from '../../support/servers/product.ts'

type Entry = Readonly<Record<string, unknown>> & { readonly key: string }

const EVERYBODY = { groups: [{ properties: [], rollout_percentage: 100 }] }
const HALF = { groups: [{ properties: [], rollout_percentage: 50 }] }
const NOBODY = { groups: [{ properties: [], rollout_percentage: 0 }] }
const MULTIVARIATE = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ],
}

t.test("OpenFeature's remote evaluation protocol", async (t) => {
  const product = await startStandalone(t)
  const { url, projectKey, personalKey } = product
  const flags = `${url}/api/projects/1/feature_flags/`
  const evaluate = `${url}/ofrep/v1/evaluate/flags`

  const make = async (key: string, filters: object, more: object = {}): Promise<string> => {
    const made = await request(flags, { key: personalKey, body: { key, filters, ...more } })
    t.equal(made.status, 201, key)
    return `${flags}${(made.body as { id: number }).id}/`
  }
  const change = async (flag: string, body: object) => {
    const changed = await request(flag, { method: 'PATCH', key: personalKey, body })
    t.equal(changed.status, 200)
  }
  const capture = async (body: object) => {
    const sent = await answered(`${url}/capture/`, { body: { api_key: projectKey, ...body } })
    t.equal(sent.status, 200)
  }
  const ask = (context: object, headers: Record<string, string> = {}, path = ''): Promise<Answer> =>
    request(`${evaluate}${path}`, { key: projectKey, body: { context }, headers })
  const entries = async (context: object): Promise<Entry[]> => {
    const { status, body } = await ask(context)
    t.equal(status, 200)
    return (body as { flags: Entry[] }).flags
  }
  const one = async (key: string, context: object) => {
    const { status, body } = await ask(context, {}, `/${key}`)
    t.equal(status, 200, key)
    return body as Entry
  }

  t.test('all flags come in one list, with values of their own type', async (t) => {
    t.strictSame((await ask({ targetingKey: 'ann' })).body, { flags: [] })
    await make('on', { ...EVERYBODY, payloads: { true: '{"a":1}' } })
    await make('off', NOBODY)
    await make('colour', {
      groups: [{ properties: [], rollout_percentage: 100, variant: 'test' }],
      multivariate: MULTIVARIATE,
    })
    await make('colour-off', { ...NOBODY, multivariate: MULTIVARIATE })
    await make('inactive', EVERYBODY, { active: false })
    const found = await entries({ targetingKey: 'ann' })
    t.match(found, [
      {
        key: 'on',
        value: true,
        reason: 'STATIC',
        variant: 'on',
        metadata: { version: 1, reasonCode: 'condition_match', payload: '{"a":1}' },
      },
      { key: 'off', value: false, reason: 'DEFAULT', variant: 'off' },
      { key: 'colour', value: 'test', reason: 'STATIC', variant: 'test' },
      { key: 'colour-off', reason: 'DEFAULT', variant: 'off' },
    ])
    t.equal(found.length, 4)
    t.notOk('value' in (found[3] ?? {}))
    for (const entry of found) t.strictSame(await one(entry.key, { targetingKey: 'ann' }), entry)
  })

  t.test('the evaluation is the answer of decide', async (t) => {
    await make('half', HALF)
    await make('split', { ...HALF, multivariate: MULTIVARIATE })
    for (let index = 0; index < 20; index++) {
      const id = `person ${index}`
      const decided = await request(`${url}/decide/?v=3`, {
        body: { api_key: projectKey, distinct_id: id },
      })
      const { featureFlags } = decided.body as { featureFlags: Record<string, unknown> }
      for (const entry of await entries({ targetingKey: id })) {
        const isText = /colour|split/.test(entry.key)
        t.equal(entry['value'] ?? false, featureFlags[entry.key], `${id} ${entry.key}`)
        t.equal('value' in entry, !isText || featureFlags[entry.key] !== false)
        if (/half|split/.test(entry.key)) t.equal(entry['reason'], 'SPLIT')
      }
    }
  })

  t.test('a request without a key of a project is 401', async (t) => {
    const body = { context: { targetingKey: 'ann' } }
    for (const path of ['', '/on']) {
      for (const headers of [
        {},
        { authorization: `Bearer ${personalKey}` },
        { 'x-api-key': 'phc_nobody_knows_this' },
      ]) {
        const answer = await request(`${evaluate}${path}`, { body, headers })
        t.equal(answer.status, 401, JSON.stringify(Object.keys(headers)))
        t.match(answer.body, { errorDetails: /key/ })
      }
    }
    const taken = await request(evaluate, { body, headers: { 'x-api-key': projectKey } })
    t.equal(taken.status, 200)
  })

  t.test('errors are worded as providers read them', async (t) => {
    const post = (path: string, body: string | Buffer) => {
      const headers = { authorization: `Bearer ${projectKey}`, 'content-type': 'application/json' }
      return fetch(`${evaluate}${path}`, { method: 'POST', body, headers })
    }
    const rows: [body: string, status: number, errorCode: string][] = [
      ['', 400, 'PARSE_ERROR'],
      ['{"context":', 400, 'PARSE_ERROR'],
      ['{"context":"ann"}', 400, 'INVALID_CONTEXT'],
      ['{"context":{"plan":"pro"}}', 400, 'TARGETING_KEY_MISSING'],
      ['{}', 400, 'TARGETING_KEY_MISSING'],
    ]
    for (const [body, status, errorCode] of rows) {
      const all = await post('', body)
      t.equal(all.status, status, body)
      t.match(await all.json(), { errorCode, errorDetails: /\w/ })
      const single = await post('/on', body)
      t.equal(single.status, status, body)
      t.match(await single.json(), { key: 'on', errorCode })
    }
    for (const key of ['nothing', 'inactive']) {
      const lost = await ask({ targetingKey: 'ann' }, {}, `/${key}`)
      t.equal(lost.status, 404)
      t.match(lost.body, { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: /\w/ })
    }
    const large = await post('', Buffer.alloc(20_971_521, ' '))
    t.equal(large.status, 413)
    t.match(await large.json(), { errorDetails: /too large/ })
    for (const path of ['', '/on']) {
      const got = await request(`${evaluate}${path}`, { key: projectKey })
      t.equal(got.status, 405)
      t.equal(got.headers.get('allow'), 'OPTIONS, POST')
      t.match(got.body, { errorDetails: /\w/ })
    }
  })

  t.test('bodies arrive compressed and large as on other routes', async (t) => {
    const context = { targetingKey: 'ann', note: 'x'.repeat(300_000) }
    const answers = [JSON.stringify({ context }), gzipSync(JSON.stringify({ context }))].map(
      (body) =>
        fetch(`${evaluate}/on`, {
          method: 'POST',
          body,
          headers: {
            'x-api-key': projectKey,
            ...(typeof body === 'string' ? {} : { 'content-encoding': 'gzip' }),
          },
        }),
    )
    for (const answer of await Promise.all(answers)) {
      t.match(await answer.json(), { key: 'on', value: true })
    }
  })

  t.test('a client that has the answer is told so until a flag changes', async (t) => {
    const flag = await make('tagged', EVERYBODY)
    const context = { targetingKey: 'ann' }
    const first = await ask(context)
    const tag = first.headers.get('etag') ?? ''
    t.match(tag, /^"/)
    const again = await ask(context, { 'if-none-match': tag })
    t.equal(again.status, 304)
    t.equal(again.body, '')
    t.equal(again.headers.get('etag'), tag)
    await change(flag, { filters: NOBODY })
    const changed = await ask(context, { 'if-none-match': tag })
    t.equal(changed.status, 200)
    t.not(changed.headers.get('etag'), tag)
    t.match(await one('tagged', context), { value: false, metadata: { version: 2 } })
    await change(flag, { active: false })
    t.equal((await ask(context, {}, '/tagged')).status, 404)
  })

  t.test('a $set that was answered is seen by the next evaluation', async (t) => {
    const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }]
    await make('pro', { groups: [{ properties, rollout_percentage: 100 }] })
    const context = { targetingKey: 'cleo' }
    for (const [plan, value] of [
      ['pro', true],
      ['free', false],
      ['pro', true],
    ] as const) {
      await capture({ event: '$set', distinct_id: 'cleo', $set: { plan } })
      for (let round = 0; round < 2; round++) {
        const reason = value ? 'TARGETING_MATCH' : 'DEFAULT'
        t.match(await one('pro', context), { value, reason }, plan)
        const found = (await entries(context)).find(({ key }) => key === 'pro')
        t.match(found, { value, reason }, plan)
      }
    }
    const sent = await one('pro', { ...context, plan: 'free' })
    t.equal(sent['value'], false, 'an attribute of the context wins')
  })

  t.test('groups are named and described by the context', async (t) => {
    await capture({
      event: '$groupidentify',
      distinct_id: 'ann',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { tier: 'gold' } },
    })
    const property = { key: 'tier', value: 'gold', type: 'group', group_type_index: 0 }
    await make('gold', {
      aggregation_group_type_index: 0,
      groups: [{ properties: [property], rollout_percentage: 100 }],
    })
    const context = { targetingKey: 'ann' }
    t.match(await one('gold', context), {
      value: false,
      metadata: { reasonCode: 'no_group_type' },
    })
    const named = { ...context, groups: { company: 'acme' } }
    t.match(await one('gold', named), { value: true, reason: 'TARGETING_MATCH' })
    t.equal((await one('gold', { ...context, groups: ['acme'] }))['value'], false)
    const groupProperties = { company: { tier: 'tin' } }
    t.equal((await one('gold', { ...named, groupProperties }))['value'], false)
    await capture({
      event: '$groupidentify',
      distinct_id: 'ann',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { tier: 'tin' } },
    })
    t.equal((await one('gold', named))['value'], false, 'the group has changed')
  })

  t.test('a flag for another runtime or context is not there', async (t) => {
    await make('servers', EVERYBODY, { evaluation_runtime: 'server' })
    const context = { targetingKey: 'ann' }
    t.match(await one('servers', context), { value: true })
    const client = { ...context, evaluationRuntime: 'client' }
    t.equal((await ask(client, {}, '/servers')).status, 404)
    t.notOk((await entries(client)).some(({ key }) => key === 'servers'))
  })

  t.test('pages of any origin may ask, and read the tag', async (t) => {
    const origin = 'https://app.example.com'
    for (const path of ['', '/on']) {
      const preflight = await fetch(`${evaluate}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,if-none-match',
        },
      })
      t.equal(preflight.status, 200)
      t.match(preflight.headers.get('access-control-allow-headers'), /if-none-match/)
      t.match(preflight.headers.get('access-control-allow-methods'), /POST/)
    }
    const answered = await ask({ targetingKey: 'ann' }, { origin })
    const tag = answered.headers.get('etag') ?? ''
    const known = await ask({ targetingKey: 'ann' }, { origin, 'if-none-match': tag })
    const refused = await request(evaluate, { body: {}, headers: { origin } })
    const wrong = await request(evaluate, { headers: { origin } })
    t.strictSame(
      [answered, known, refused, wrong].map(({ status }) => status),
      [200, 304, 401, 405],
    )
    for (const { headers } of [answered, known, refused, wrong]) {
      t.equal(headers.get('access-control-allow-origin'), origin)
      t.match(headers.get('access-control-expose-headers'), /ETag/)
    }
  })

  t.test('its requests have a label of their own', async (t) => {
    const metrics = await fetch(`http://127.0.0.1:${product.process.ports.admin}/metrics`)
    t.match(await metrics.text(), /sluice_http_requests_total\{route="ofrep",status="200"\} \d/)
  })
})
