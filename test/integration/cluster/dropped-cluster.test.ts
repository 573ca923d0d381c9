/** Dropped events of a cluster are summed up over its processes, and over their ends. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createContractClient } from '../../support/api/contract-client.ts'
import { droppedInMetrics, warningsOf } from '../../support/ingest/dropped.ts'
import { settled, startCluster } from '../../support/servers/cluster-processes.ts'
import { answered, request } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

t.test('dropped events of a cluster', async (t) => {
  const cluster = await startCluster(t, {
    ...{ workers: 2, gateways: 2, settings: { SPILL_BYTES_MAX: '1048576' } },
  })
  const { database, projectKey, personalKey } = cluster
  const [w1, w2] = cluster.workers
  const [g1, g2] = cluster.gateways
  if (w1 === undefined || w2 === undefined || g1 === undefined || g2 === undefined) {
    throw new Error('a member is missing')
  }
  const eventOf = (fields: object) => ({ api_key: projectKey, event: 'e', ...fields })
  const captureOnce = async (fields: object) =>
    (await request(`${g1.url}/capture/`, { body: eventOf({ distinct_id: 'ada', ...fields }) }))
      .status
  /** A gateway that cannot ask about the key in time answers 503, and has counted nothing. */
  const capture = async (fields: object, url = g1.url) => {
    const body = eventOf({ distinct_id: 'ada', uuid: randomUUID(), ...fields })
    return (await answered(`${url}/capture/`, { body })).status
  }
  const countOf = async (reason: string, asked = w1) => {
    const { dropped } = await cluster.status(asked)
    const row = dropped.find((each) => each.reason === reason && each.project_id === 1)
    return Number(row?.count ?? 0)
  }
  let noNames = 0
  const listed = async (reason: string) => {
    const { last_hour } = await warningsOf(g2.url, personalKey)
    return Number(last_hour.find((row) => row.reason === reason)?.count ?? 0)
  }

  t.test('counts of gateways and of calls to each worker are one sum', async (t) => {
    for (const { url } of [g1, g2]) t.equal(await capture({ event: '' }, url), 200)
    let sent = 2
    for (const { grpcAddress } of [w1, w2]) {
      const client = createContractClient(grpcAddress)
      const metadata = { authorization: `Bearer ${projectKey}` }
      const message = { event: '', distinct_id: 'ada' }
      const path = '/sluice.v1.IngestService/Capture'
      await until('the call is taken', async () => {
        sent += 1
        return (await client.call(path, message, { metadata })).kind === 'message'
      })
      client.close()
    }
    // A call that was sent again, as its answer was late, counts twice.
    await until('all are counted by each worker', async () => {
      noNames = await countOf('no_name', w1)
      return noNames >= 4 && noNames <= sent && (await countOf('no_name', w2)) === noNames
    })
    await until('the list has them', async () => (await listed('no_name')) === noNames)
    const ports = [w1, w2, g1, g2].map(({ adminPort }) => adminPort)
    t.equal((await droppedInMetrics(ports)).get('no_name 1'), noNames)
    const text = await cluster.sluice(['status'])
    t.match(text.stdout, /PROJECT +REASON +EFFECT +EVENTS\n/)
    // A busy start may have refused calls, which have a row of their own.
    t.match(text.stdout, new RegExp(`\\n +1 +no_name +dropped +${noNames}\\n`))
  })

  t.test('a worker that is killed, and one that takes its shards, change nothing', async (t) => {
    await w2.kill()
    await settled(cluster)
    t.equal(await countOf('no_name'), noNames)
    await until('the list has them', async () => (await listed('no_name')) === noNames)
    await w2.start()
    await settled(cluster)
    t.equal(await countOf('no_name', w2), noNames)
  })

  t.test('deleted_person: what comes home for it is counted, and nobody is named', async (t) => {
    t.equal(await capture({ distinct_id: 'zoe' }), 200)
    t.equal(await capture({ distinct_id: 'zoe', timestamp: 'bad' }), 200)
    await until('there is a sample', async () => (await countOf('bad_timestamp')) === 1)
    t.match(JSON.stringify(await warningsOf(g1.url, personalKey)), /zoe/)
    const person = `${g1.url}/api/projects/1/persons/zoe/?by=distinct_id&delete_events=true`
    const { status } = await request(person, { key: personalKey, method: 'DELETE' })
    t.ok(status < 300, `${status}`)
    await until('the sample is gone', async () => {
      return !JSON.stringify(await warningsOf(g1.url, personalKey)).includes('zoe')
    })
    // As if the deletion came after the capture, which the spill holds meanwhile.
    await database.sql`update deleted_distinct_ids set asked_at = now() + interval '1 hour'`
    await database.pg.kill('SIGKILL')
    t.equal(await capture({ distinct_id: 'zoe' }), 200, 'it is spilled')
    await database.pg.restart()
    await until('it is dropped', async () => (await countOf('deleted_person')) === 1)
    t.equal(await listed('deleted_person'), 1)
    t.notMatch(JSON.stringify(await warningsOf(g1.url, personalKey)), /zoe/)
  })

  t.test('spill_full: what neither store takes is counted when one is back', async (t) => {
    await database.pg.kill('SIGKILL')
    const properties = { filler: 'x'.repeat(100_000) }
    await until('capture is refused', async () => (await captureOnce({ properties })) === 503)
    const ports = [g1.adminPort]
    await until('the spill is full', async () => {
      await captureOnce({ properties })
      return ((await droppedInMetrics(ports)).get('spill_full 1') ?? 0) > 0
    })
    const { dropped_since: since } = await cluster.status(w1)
    t.equal(since, '', 'the status says that it does not know')
    t.match((await cluster.sluice(['status'])).stdout, /Dropped events: unknown/)
    await database.pg.restart()
    await until('it is counted', async () => (await countOf('spill_full')) > 0)
    const { results, last_hour } = await warningsOf(g1.url, personalKey)
    t.ok(last_hour.some(({ reason }) => reason === 'spill_full'))
    t.ok(last_hour.every(({ reason }) => reason !== 'no_name' || results.length > 0))
  })
})
