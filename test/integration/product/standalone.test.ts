import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { answered, request, startStandalone, testFolder } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'

t.test('a first start, as the README tells it', async (t) => {
  const product = await startStandalone(t, { DATA_DIR: join(testFolder(t), 'data') })
  const { projectKey, personalKey } = product
  const list = () => request(`${product.url}/api/projects/1/events/`, { key: personalKey })

  t.test('captures an event, which is in the list at once', async (t) => {
    const event = {
      api_key: projectKey,
      event: 'hello',
      uuid: '01890000-0000-7000-8000-000000000001',
      properties: { distinct_id: 'ann', colour: 'red' },
      timestamp: '2020-08-16 09:03:11.913767',
    }
    // The partition of that month is made first: where the disk is slow it may be asked for again.
    const answer = await answered(`${product.url}/capture/`, { body: event })
    t.equal(answer.status, 200)
    t.strictSame(answer.body, { status: 1 })
    const { body } = await list()
    t.match(body, {
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          distinct_id: 'ann',
          event: 'hello',
          timestamp: '2020-08-16T09:03:11.913767+00:00',
          elements: '[]',
          elements_chain: '',
        },
      ],
    })
  })

  t.test('stores the events of a batch, drops what the rules drop, and answers 200', async (t) => {
    const batch = [
      { event: 'one', properties: { distinct_id: 'ann' } },
      { event: 'two', distinct_id: 'bob' },
      { event: '', distinct_id: 'bob' },
      { event: 'three' },
      { event: 'four', distinct_id: ' ' },
      { distinct_id: 'bob' },
    ]
    const body = { api_key: projectKey, batch }
    const answer = await answered(`${product.url}/batch/`, { body })
    t.equal(answer.status, 200)
    t.match((await list()).body, { count: 3 })
  })

  t.test('stores an event sent twice once', async (t) => {
    const uuid = '018f5f7c-6a30-7cc3-9f2b-6f1f6a6e7b01'
    const event = { event: 'twice', distinct_id: 'ann', uuid, timestamp: '2024-05-10T00:00:00Z' }
    const body = { api_key: projectKey, batch: [event] }
    const answers = await Promise.all(
      [1, 2, 3].map(() => answered(`${product.url}/batch/`, { body })),
    )
    t.strictSame(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    const found = await request(`${product.url}/api/projects/1/events/?event=twice`, {
      key: personalKey,
    })
    t.match(found.body, { count: 1, results: [{ id: uuid }] })
    const one = await request(`${product.url}/api/projects/1/events/${uuid}/`, { key: personalKey })
    t.match(one.body, { id: uuid, event: 'twice', person: /"distinct_ids" : \["ann"\]/ })
  })

  t.test('decides in the shapes of versions 1 and 2, at once after each change', async (t) => {
    const flags = `${product.url}/api/projects/1/feature_flags/`
    const decide = async (version: string) => {
      const body = { api_key: projectKey, distinct_id: 'ann' }
      const answer = await request(`${product.url}/decide/${version}`, { body })
      t.equal(answer.status, 200)
      return answer.body
    }
    t.match(await decide(''), {
      config: { enable_collect_everything: true },
      editorParams: {},
      isAuthenticated: false,
      supportedCompression: ['gzip', 'lz64'],
      featureFlags: [],
    })
    const everybody = { groups: [{ properties: [], rollout_percentage: 100 }] }
    const variants = [
      { key: 'control', rollout_percentage: 0 },
      { key: 'test', rollout_percentage: 100 },
    ]
    const made = await request(flags, {
      key: personalKey,
      body: { key: 'beta', filters: everybody },
    })
    t.equal(made.status, 201)
    const filters = { ...everybody, multivariate: { variants } }
    await request(flags, { key: personalKey, body: { key: 'trial', filters } })
    t.match(await decide(''), { featureFlags: ['beta', 'trial'] })
    t.match(await decide('?v=2'), { featureFlags: { beta: true, trial: 'test' } })
    const { id } = made.body as { id: number }
    const off = await request(`${flags}${id}/`, {
      method: 'PATCH',
      key: personalKey,
      body: { active: false },
    })
    t.match(off.body, { active: false, version: 2 })
    t.strictSame(((await decide('?v=2')) as { featureFlags: object }).featureFlags, {
      trial: 'test',
    })
  })

  t.test('a $set acknowledged is seen by the next decide', async (t) => {
    const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }]
    await request(`${product.url}/api/projects/1/feature_flags/`, {
      key: personalKey,
      body: { key: 'pro', filters: { groups: [{ properties, rollout_percentage: 100 }] } },
    })
    const isOn = async (distinctId: string) => {
      const body = { api_key: projectKey, distinct_id: distinctId }
      const answer = await request(`${product.url}/decide/?v=2`, { body })
      return (answer.body as { featureFlags: Record<string, unknown> }).featureFlags['pro'] === true
    }
    const set = (distinctId: string, plan: string) =>
      answered(`${product.url}/capture/`, {
        body: { api_key: projectKey, event: '$set', distinct_id: distinctId, $set: { plan } },
      })
    for (const [plan, expected] of [
      ['pro', true],
      ['free', false],
      ['pro', true],
    ] as const) {
      await set('cleo', plan)
      t.equal(await isOn('cleo'), expected, plan)
    }
    await answered(`${product.url}/capture/`, {
      body: {
        api_key: projectKey,
        event: '$identify',
        distinct_id: 'cleo',
        properties: { $anon_distinct_id: 'anon-cleo' },
      },
    })
    t.equal(await isOn('anon-cleo'), true, 'the merged id is the same person')
  })

  t.test('a group type seen for the first time counts for flags made before', async (t) => {
    const property = { key: 'tier', value: 'gold', type: 'group', group_type_index: 0 }
    await request(`${product.url}/api/projects/1/feature_flags/`, {
      key: personalKey,
      body: {
        key: 'gold',
        filters: {
          aggregation_group_type_index: 0,
          groups: [{ properties: [property], rollout_percentage: 100 }],
        },
      },
    })
    const isOn = async () => {
      const body = { api_key: projectKey, distinct_id: 'ann', groups: { company: 'acme' } }
      const answer = await request(`${product.url}/decide/?v=2`, { body })
      return (
        (answer.body as { featureFlags: Record<string, unknown> }).featureFlags['gold'] === true
      )
    }
    t.equal(await isOn(), false)
    for (const [tier, expected] of [
      ['gold', true],
      ['tin', false],
    ] as const) {
      await answered(`${product.url}/capture/`, {
        body: {
          api_key: projectKey,
          event: '$groupidentify',
          distinct_id: 'ann',
          properties: { $group_type: 'company', $group_key: 'acme', $group_set: { tier } },
        },
      })
      t.equal(await isOn(), expected, tier)
    }
  })

  t.test('keeps everything over a restart, and ends with 0 on Ctrl-C', async (t) => {
    const before = (await list()).body as { count: number }
    // Ctrl-C under npm comes from the terminal and from npm. The kernel may merge two equal ones.
    product.process.kill('SIGINT')
    product.process.kill('SIGTERM')
    t.equal(await product.process.ended, 0)
    t.match(product.process.lines.at(-1), { message: 'stopped' })
    await product.restart()
    t.match((await list()).body, { count: before.count })
    const logged = JSON.stringify(product.process.lines)
    t.notOk(logged.includes(personalKey), 'a second start shows no keys')
  })

  t.test('send captures an event, and tail shows each one once', async (t) => {
    const local = {
      DATA_DIR: product.settings['DATA_DIR'] ?? '',
      PORT: String(product.process.ports.http),
    }
    const sent = (name: string) =>
      runCommand(['send', name, '--property', 'n=1', '--distinct-id', 'tailed'], local)
    const first = await sent('before')
    t.equal(first.status, 0, first.stderr)
    const args = ['tail', '--distinct-id', 'tailed', '--lines', '3', '--count', '3']
    const tail = runCommand(args, { ...local, SLUICE_API_KEY: personalKey })
    const others = [await sent('one'), await sent('two')]
    const { status, stdout, stderr } = await tail
    t.equal(status, 0, stderr)
    const lines = stdout.toString().trimEnd().split('\n')
    const shown = lines.map((line): unknown => JSON.parse(line))
    const uuids = [first, ...others].map((each) => JSON.parse(each.stdout.toString()).uuid)
    t.match(
      shown,
      uuids.map((uuid) => ({ uuid, distinct_id: 'tailed', properties: { n: 1 } })),
    )
    const refused = await runCommand(['tail'], { ...local, SLUICE_API_KEY: 'phx_nobodys' })
    t.match(refused, { status: 1, stderr: /\(401\)/ })
  })

  t.test('query answers a question, and names what is wrong with one', async (t) => {
    const local = {
      DATA_DIR: product.settings['DATA_DIR'] ?? '',
      PORT: String(product.process.ports.http),
      SLUICE_API_KEY: personalKey,
    }
    const ask = async (question: unknown) => {
      const file = join(testFolder(t), 'question.json')
      writeFileSync(file, JSON.stringify(question))
      return await runCommand(['query', file], local)
    }
    const views = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'view' }] }
    const { status, stdout, stderr } = await ask(views)
    t.equal(status, 0, stderr)
    t.match(JSON.parse(stdout.toString()), { results: [{ label: 'view' }], hasMore: false })
    const wrong = { ...views, interval: 'cake' }
    t.match(await ask(wrong), { status: 1, stderr: /query\.interval: Must be .* \(400\)/ })
    const list = await ask({ query: [views, wrong] })
    t.match(list, { status: 1, stderr: /1 of 2 questions/ })
    t.match(JSON.parse(list.stdout.toString()).results[1], { error: { attr: 'query.1.interval' } })
  })

  t.test('another start on its port makes nothing, and says who has the port', async (t) => {
    const dataDir = join(testFolder(t), 'data')
    const { ports, pid } = product.process
    const others = { GRPC_PORT: String(ports.grpc), ADMIN_PORT: String(ports.admin) }
    const settings = { DATA_DIR: dataDir, ...others }
    const { status, stdout } = await runCommand(['start', '--port', String(ports.http)], settings)
    t.equal(status, 1)
    t.match(stdout.toString(), `PORT: 127.0.0.1:${ports.http} is taken by node, pid ${pid}; `)
    t.notOk(existsSync(dataDir), 'no keys, no database')
  })

  t.test('gzip bodies, and keys nobody knows', async (t) => {
    const packed = gzipSync(JSON.stringify({ api_key: projectKey, event: 'z', distinct_id: 'z' }))
    const stored = await fetch(`${product.url}/e/`, { method: 'POST', body: packed })
    t.equal(stored.status, 200)
    const unknown = await request(`${product.url}/capture/`, {
      body: { api_key: 'phc_nobody_knows_this', event: 'x', distinct_id: 'x' },
    })
    t.equal(unknown.status, 401)
    t.match(unknown.body, { type: 'authentication_error', code: 'invalid_api_key' })
    t.notOk('attr' in (unknown.body as object))
  })
})

t.test('killing the embedded Postgres under load loses no acknowledged event', async (t) => {
  const product = await startStandalone(t)
  const acked = new Set<string>()
  let answered = 0
  const send = async (worker: number) => {
    for (let index = 0; index < 150; index++) {
      const event = `load ${worker} ${index}`
      const body = { api_key: product.projectKey, event, distinct_id: `w${worker}` }
      for (;;) {
        const { status, headers, body: reply } = await request(`${product.url}/capture/`, { body })
        answered++
        if (status === 200) {
          acked.add(event)
          break
        }
        t.equal(status, 503)
        t.match(reply, { type: 'server_error', code: 'fetch_team_fail' })
        t.match(headers.get('retry-after'), /^\d+$/)
        // Pause of a client between two tries.
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  const load = Promise.all([0, 1, 2, 3].map(send))
  while (acked.size < 100) await new Promise((resolve) => setTimeout(resolve, 5))
  const pidFile = `${product.settings['DATA_DIR']}/postgres/postmaster.pid`
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL')
  await load
  t.equal(acked.size, 600)
  t.ok(answered >= 600)
  const stored = new Set<string>()
  for (let offset = 0; offset < 600; offset += 500) {
    const url = `${product.url}/api/projects/1/events/?limit=500&offset=${offset}`
    const { body } = await request(url, { key: product.personalKey })
    for (const { event } of (body as { results: { event: string }[] }).results) stored.add(event)
  }
  t.strictSame(
    [...acked].filter((event) => !stored.has(event)),
    [],
    'nothing acknowledged is lost',
  )
})
