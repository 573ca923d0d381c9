/** Live events of two workers behind two gateways. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { LiveMessage } from '../../../src/events/live/live-message.ts'
import { readServerStream } from '../../../src/wire/server-stream.ts'
import { readLive } from '../../support/live/live-reader.ts'
import { startCluster } from '../../support/servers/cluster-processes.ts'
import { answered } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

t.test('whoever watches sees what any worker stores, at any member', async (t) => {
  const cluster = await startCluster(t, { workers: 2, gateways: 2 })
  const [one, other] = cluster.gateways
  if (one === undefined || other === undefined) throw new Error('two gateways')
  const key = cluster.personalKey
  const capture = async (url: string, event: string) => {
    const batch = [{ event, distinct_id: 'ada', uuid: randomUUID() }]
    return (await answered(`${url}/batch/`, { body: { api_key: cluster.projectKey, batch } }))
      .status
  }
  const left = new AbortController()
  t.teardown(() => left.abort())
  const seen = await Promise.all(cluster.workers.map(({ address }) => watch(address)))
  const readers = [
    await readLive(t, { url: one.url, key }),
    await readLive(t, { url: other.url, key }),
  ]
  t.equal(await capture(one.url, 'first'), 200)
  t.equal(await capture(other.url, 'second'), 200)
  for (const names of [...seen, ...readers.map((reader) => reader.names)]) {
    await until('both came', () => names().length === 2)
    // Events stored by two workers arrive in any order.
    t.strictSame([...names()].sort(), ['first', 'second'])
  }

  await t.test('a spilled event is streamed once it is stored', async (t) => {
    for (const { links } of cluster.workers) await links.postgres.cut()
    t.equal(await capture(one.url, 'spilled'), 200)
    for (const { links } of cluster.workers) await links.postgres.restore()
    for (const { names } of readers) await until('it came', () => names().includes('spilled'))
    t.pass()
  })

  await t.test('a gateway that ends says bye, and the other continues', async (t) => {
    await one.term()
    t.strictSame(await readers[0]?.heard('bye'), { reason: 'drain' })
    t.equal(await capture(other.url, 'later'), 200)
    await until('it came', () => readers[1]?.names().includes('later') === true)
  })

  await t.test('a worker that dies ends its streams or tells of a gap', async () => {
    const before = readers[1]?.events.length ?? 0
    await cluster.workers[0]?.kill()
    await until('it is told', () => {
      const told = readers[1]?.events.slice(before) ?? []
      return told.some(({ event, data }) => event === 'bye' || data['dropped'] === null)
    })
  })

  async function watch(address: string): Promise<() => readonly unknown[]> {
    const path = '/sluice.v1.LiveService/WatchEvents'
    const metadata = { authorization: `Bearer ${key}` }
    const call = { path, request: { project_id: '1' }, metadata, signal: left.signal }
    const stream = readServerStream(address, call)
    await stream.next()
    const names: unknown[] = []
    const read = async () => {
      for await (const message of stream) {
        const { kind, event } = message as LiveMessage // The method's own type.
        if (kind === 'event') names.push(event?.event)
      }
    }
    read().catch(() => names.push('ended'))
    return () => names
  }
})
