import { randomUUID } from 'node:crypto'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { contract, serviceDefinition } from '../../../src/wire/proto/proto.ts'
import { toStruct } from '../../../src/wire/proto/value.ts'
import { healthOf, reflectedServices } from '../../support/api/grpc-standard.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { freeze } from '../../support/servers/freeze.ts'
import { answered, request } from '../../support/servers/product.ts'
import { type Split, startSplit } from '../../support/servers/split.ts'
import { until } from '../../support/until.ts'

type Reply = { readonly error: { code: number; details: string } | null; readonly value: unknown }

/** Calls as an internal service would: its own channel, the contract's definitions. */
function caller(t: Test, { grpcAddress }: Split) {
  const client = new Client(grpcAddress, credentials.createInsecure())
  t.teardown(() => client.close())
  return (path: string, message: object, headers: Record<string, string>): Promise<Reply> => {
    const method = contract().methods.find((each) => each.path === path)
    const definition =
      method === undefined ? undefined : serviceDefinition(method.service)[method.name]
    if (definition === undefined) throw new Error(`no ${path}`)
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
    return new Promise((resolve) => {
      client.makeUnaryRequest(
        path,
        definition.requestSerialize,
        definition.responseDeserialize,
        message,
        metadata,
        { deadline: Date.now() + 10_000 },
        (error, value) => resolve({ error, value }),
      )
    })
  }
}

t.test('worker and gateway as two processes', async (t) => {
  const database = await testDatabase(t)
  const split = await startSplit(t, database.url)
  const { url, projectKey, personalKey } = split
  const call = caller(t, split)

  t.test('an event through the gateway is committed when it is acknowledged', async (t) => {
    const body = { api_key: projectKey, event: 'split', distinct_id: 'ann' }
    t.equal((await answered(`${url}/capture/`, { body })).status, 200)
    const [row] = await database.sql`select count(*)::int as count from events`
    t.equal(row?.['count'], 1)
    const { body: list } = await request(`${url}/api/projects/@current/events/`, {
      key: personalKey,
    })
    t.match(list, { count: 1, results: [{ event: 'split', distinct_id: 'ann' }] })
  })

  t.test('a body of megabytes is parsed beside the event loop and stored whole', async (t) => {
    const text = 'x'.repeat(2_000)
    const batch = Array.from({ length: 2_000 }, (_, index) => ({
      event: 'large',
      uuid: randomUUID(),
      properties: { distinct_id: `id ${index % 10}`, index, text },
    }))
    const answer = await answered(`${url}/batch/`, { body: { api_key: projectKey, batch } })
    t.equal(answer.status, 200)
    const [row] = await database.sql`
      select count(*)::int as count, count(distinct properties->>'index')::int as different
      from events where event = 'large'`
    t.strictSame({ ...row }, { count: 2_000, different: 2_000 })
  })

  t.test('a flag made through the gateway is decided at once', async (t) => {
    const made = await request(`${url}/api/projects/1/feature_flags/`, {
      key: personalKey,
      body: { key: 'beta' },
    })
    t.equal(made.status, 201)
    const body = { api_key: projectKey, distinct_id: 'ann' }
    const decided = await request(`${url}/decide/?v=2`, { body })
    t.match(decided.body, { featureFlags: { beta: true } })
    await request(`${url}/api/projects/1/`, {
      method: 'PATCH',
      key: personalKey,
      body: { anonymize_ips: true },
    })
    await answered(`${url}/capture/`, {
      body: {
        api_key: projectKey,
        event: 'anonymous',
        distinct_id: 'a',
        properties: { $ip: '1.2.3.4' },
      },
    })
    const [row] = await database.sql`select properties from events where event = 'anonymous'`
    t.strictSame(row?.['properties'], {}, 'a project setting holds at once, too')
  })

  t.test('internal services capture and decide over gRPC under a project key', async (t) => {
    const key = { authorization: `Bearer ${projectKey}` }
    const event = {
      event: 'from a service',
      distinct_id: 'svc',
      properties: toStruct({ plan: 'pro', nested: { deep: [1, null] } }),
      uuid: '018f5f7c-6a30-7cc3-9f2b-6f1f6a6e7b09',
    }
    const captured = await call('/sluice.v1.IngestService/Capture', event, key)
    t.match(captured, { error: null, value: { status: 1, accepted: 1, dropped: 0 } })
    const batch = { batch: [event, { event: '', distinct_id: 'svc' }] }
    const again = await call('/sluice.v1.IngestService/CaptureBatch', batch, {
      'x-api-key': projectKey,
    })
    t.match(again, { error: null, value: { status: 1, accepted: 1, dropped: 1 } })
    const [row] = await database.sql`select properties from events where distinct_id = 'svc'`
    t.strictSame(row?.['properties'], { plan: 'pro', nested: { deep: [1, null] } })
    const decided = await call('/sluice.v1.DecideService/Decide', { distinct_id: 'svc' }, key)
    t.match(decided.value, {
      flags: [{ key: 'beta', enabled: true, reason_code: 'condition_match', condition_index: 0 }],
      errors_while_computing_flags: false,
    })
  })

  t.test('wrong, missing and unfit keys are UNAUTHENTICATED', async (t) => {
    const capture = '/sluice.v1.IngestService/Capture'
    const event = { event: 'x', distinct_id: 'x' }
    for (const headers of [
      {},
      { authorization: 'Bearer phc_nobody' },
      { authorization: `Basic ${projectKey}` },
      { authorization: `Bearer ${personalKey}` },
    ]) {
      const { error } = await call(capture, event, headers as Record<string, string>)
      t.equal(error?.code, 16, JSON.stringify(headers))
    }
    const member = '/sluice.v1.IngestService/IngestBatch'
    const batch = { batch_id: 'b', groups: [] }
    const { error } = await call(member, batch, { authorization: `Bearer ${projectKey}` })
    t.equal(error?.code, 16, 'a project key is no member')
    const admin = await call('/sluice.v1.AdminService/GetStatus', {}, { 'x-api-key': personalKey })
    t.equal(admin.error?.code, 16, 'a personal key is no operator')
  })

  t.test('management calls over gRPC have the same answers and errors', async (t) => {
    const key = { authorization: `Bearer ${personalKey}` }
    const path = '/sluice.v1.FeatureFlagService/CreateFeatureFlag'
    const refused = await call(path, { project_id: '1', key: 'beta' }, key)
    t.equal(refused.error?.code, 3)
    const listed = await call(
      '/sluice.v1.FeatureFlagService/ListFeatureFlags',
      { project_id: '1' },
      key,
    )
    t.match(listed.value, { count: 1, results: [{ key: 'beta' }] })
  })

  t.test('health answers without a key, and reflection names the services', async (t) => {
    const status = await healthOf(split.grpcAddress, 'sluice.v1.IngestService')
    t.match(status, { status: 'SERVING' })
    const names = await reflectedServices(split.grpcAddress, 'v1')
    for (const name of ['IngestService', 'DecideService', 'ProjectService', 'EventService']) {
      t.ok(names.includes(`sluice.v1.${name}`), name)
    }
  })

  t.test(
    'a gateway without its worker says 503, is not ready, and recovers by itself',
    async (t) => {
      const ready = () => request(`http://127.0.0.1:${split.gateway.ports.admin}/readyz`)
      await until('it is ready', async () => (await ready()).status === 200)
      freeze(split.worker.pid)
      t.teardown(() => split.worker.kill('SIGCONT'))
      const body = { api_key: projectKey, event: 'later', distinct_id: 'ann' }
      const refused = await request(`${url}/capture/`, { body })
      t.equal(refused.status, 503)
      t.match(refused.headers.get('retry-after'), /^\d+$/)
      t.equal((await ready()).status, 503)
      split.worker.kill('SIGCONT')
      await until('it captures again', async () => {
        return (await request(`${url}/capture/`, { body })).status === 200
      })
      await until('it is ready again', async () => (await ready()).status === 200)
    },
  )

  t.test('both end with 0 on SIGTERM', async (t) => {
    split.gateway.kill('SIGTERM')
    t.equal(await split.gateway.ended, 0)
    split.worker.kill('SIGTERM')
    t.equal(await split.worker.ended, 0)
    const [row] =
      await database.sql`select count(*)::int as held from shard_epochs where not released`
    t.equal(row?.['held'], 0, 'the worker has given its shards back')
  })
})
