import { once } from 'node:events'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { openKvRegistry } from '../../../cluster/nats/kv-registry.ts'
import {
  connectNats,
  NATS_CONNECT_MS,
  type NatsLink,
} from '../../../cluster/nats/nats-connection.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import { createLogLines } from '../../support/log-lines.ts'
import { startLoopTime } from '../../support/loop-time.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startNats } from '../../support/servers/nats-server.ts'
import { startService } from '../../support/servers/service-process.ts'
import { until } from '../../support/until.ts'

const clock = systemClock
/** Twice what two pings without an answer take, and the one after them. */
const LOSS_KNOWN_MS = 6_000

async function link(t: Test, urls: string, log = silentLog): Promise<NatsLink> {
  const nats = await connectNats({ urls, name: 'test', clock, log })
  t.teardown(() => nats.close())
  return nats
}

/** Last words of the process, and its exit. */
async function refusal(t: Test, urls: string) {
  const elapsed = startLoopTime(t)
  try {
    const nats = await connectNats({ urls, name: 'test', clock, log: silentLog })
    await nats.close()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    return { code: error.code, message: error.message, ms: elapsed() }
  }
  throw new Error(`${urls} was connected to`)
}

/** A server of which only the greeting is real. */
async function pretend(t: Test, greeting: string): Promise<string> {
  const server = createServer((socket) => {
    t.teardown(() => socket.destroy())
    socket.on('error', () => {
      // The client leaves as it likes.
    })
    socket.on('data', (bytes) => {
      if (bytes.includes('PING')) socket.write('PONG\r\n')
    })
    socket.write(greeting)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `127.0.0.1:${address.port}`
}

t.test('nobody listens: the servers are named, without credentials', async (t) => {
  const servers = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const urls = servers.map((server) => `nats://someone:s3cret@${server}`).join(',')
  const { code, message, ms } = await refusal(t, urls)
  t.equal(code, 'unavailable')
  t.ok(message.includes(servers.join(', ')), message)
  t.notMatch(message, /s3cret|someone/)
  t.ok(ms < NATS_CONNECT_MS + 1_000, `${ms} ms`)
})

t.test('a name that does not resolve, a server that says nothing', async (t) => {
  const unresolved = await refusal(t, 'nats://no-such-host.invalid:4222')
  t.equal(unresolved.code, 'unavailable')
  t.match(unresolved.message, 'no-such-host.invalid:4222')
  const silent = await refusal(t, `nats://${await pretend(t, '')}`)
  t.equal(silent.code, 'unavailable')
  t.ok(silent.ms < NATS_CONNECT_MS + 1_000, `${silent.ms} ms`)
  const web = await refusal(t, `nats://${await pretend(t, 'HTTP/1.1 400 Bad Request\r\n\r\n')}`)
  t.equal(web.code, 'unavailable')
})

t.test('a server that hangs does not hide the next one', async (t) => {
  const server = await startNats(t)
  const hanging = await pretend(t, '')
  const nats = await link(t, `nats://${hanging},${server.url}`)
  t.ok(nats.connected())
})

t.test('refused credentials are said to be that', async (t) => {
  const server = await startNats(t, { args: ['--user', 'sluice', '--pass', 'r1ght'] })
  for (const login of ['', 'sluice:wr0ng@', 'other:r1ght@', 't0ken@']) {
    const { code, message } = await refusal(t, server.url.replace('://', `://${login}`))
    t.equal(code, 'unauthenticated', login)
    t.match(message, `127.0.0.1:${server.port}`)
    t.match(message, 'NATS_URL')
    t.notMatch(message, /wr0ng|r1ght|t0ken/)
  }
  const nats = await link(t, server.url.replace('://', '://sluice:r1ght@'))
  t.ok(nats.connected())
})

t.test('a token is a credential too', async (t) => {
  const server = await startNats(t, { args: ['--auth', 'a:b/c'] })
  const nats = await link(t, server.url.replace('://', '://a%3Ab%2Fc@'))
  t.ok(nats.connected())
})

t.test('JetStream switched off, or a server that is too old, is said', async (t) => {
  const port = await freePort()
  const args = ['-a', '127.0.0.1', '-p', String(port)]
  await startService(t, { program: 'nats-server', args, port, expect: 'INFO {' })
  const off = await refusal(t, `nats://127.0.0.1:${port}`)
  t.equal(off.code, 'failed_precondition')
  t.match(off.message, `127.0.0.1:${port} has JetStream switched off`)
  const info = { server_id: 'x', version: '2.8.4', proto: 1, headers: true, max_payload: 1_048_576 }
  const old = await refusal(t, `nats://${await pretend(t, `INFO ${JSON.stringify(info)}\r\n`)}`)
  t.equal(old.code, 'failed_precondition')
  t.match(old.message, /is version 2\.8\.4; 2\.9 or newer is needed/)
})

t.test('losing the server and finding it again is told and logged once each', async (t) => {
  const server = await startNats(t)
  const { log, all } = createLogLines()
  const nats = await link(t, server.url, log)
  const told: boolean[] = []
  nats.subscribe((connected) => told.push(connected))
  for (let round = 1; round <= 2; round++) {
    await server.kill()
    await until('the loss is known', () => !nats.connected())
    await server.start()
    await until('it is connected', () => nats.connected())
  }
  t.strictSame(told, [false, true, false, true])
  const lost = 'connection to NATS is lost'
  const back = 'connected to NATS again'
  t.strictSame(
    all().map(({ message }) => message),
    [lost, back],
    'the second one within a minute is counted',
  )
  await nats.close()
  t.notOk(nats.connected())
  t.equal(all().length, 2, 'a closed link is no change')
})

t.test('a server that hangs is left, however much was being sent to it', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  const events: string[] = []
  const listen = async () => {
    for await (const { type } of nats.connection.status()) events.push(type)
  }
  void listen()
  server.freeze()
  const elapsed = startLoopTime(t)
  // More than the sockets of both sides hold.
  for (let sent = 0; sent < 32; sent++) nats.connection.publish('x', new Uint8Array(1_000_000))
  await until('the loss is known', () => !nats.connected())
  t.ok(elapsed() < LOSS_KNOWN_MS, `known after ${elapsed()} ms`)
  await until('the old connection is gone', () => events.includes('disconnect'))
  server.thaw()
  await until('it is connected', () => nats.connected())
  await nats.connection.flush()
})

t.test('attempts at a server that hangs leave no sockets behind', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  let attempts = 0
  const listen = async () => {
    for await (const { type } of nats.connection.status())
      if (type === 'reconnecting') attempts += 1
  }
  void listen()
  const sockets = () =>
    process.getActiveResourcesInfo().filter((name) => /^TCPS(?:ocket|ERVER)WRAP$/i.test(name))
      .length
  const before = sockets()
  server.freeze()
  await until('four attempts are made', () => attempts >= 4)
  t.ok(sockets() <= before + 1, `${sockets()} sockets instead of ${before}`)
  server.thaw()
  await until('it is connected', () => nats.connected())
})

t.test('credentials that change under a running member end nothing', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  await server.kill()
  const args = ['-a', '127.0.0.1', '-p', String(server.port), '--user', 'u', '--pass', 'p']
  const strict = await startService(t, {
    program: 'nats-server',
    args,
    port: server.port,
    expect: 'INFO {',
  })
  const events: string[] = []
  const listen = async () => {
    for await (const { type } of nats.connection.status()) events.push(type)
  }
  void listen()
  await until(
    'it has tried some times',
    () => events.filter((e) => e === 'reconnecting').length > 5,
  )
  t.notOk(nats.connected())
  await strict.kill()
  await server.start()
  await until('it is connected', () => nats.connected())
})

t.test('a bucket with other settings is refused, and left as it is', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  const streams = nats.connection.jetstream()
  const open = (bucket: string) =>
    openKvRegistry({ nats, bucket, ttlMs: 60_000, replicas: 1, clock, log: silentLog })
  await streams.views.kv('other_ttl', { ttl: 5_000 })
  await streams.views.kv('other_history', { ttl: 60_000, history: 3 })
  const manager = await nats.connection.jetstreamManager()
  await streams.views.kv('right', { ttl: 60_000 })
  const { config } = await manager.streams.info('KV_right')
  const memory = { ...config, name: 'KV_other_storage', subjects: ['$KV.other_storage.>'] }
  await nats.connection.request(
    '$JS.API.STREAM.CREATE.KV_other_storage',
    JSON.stringify({ ...memory, storage: 'memory' }),
  )
  const says = { other_ttl: /ttl in ms 5000 .*60000/, other_history: /history 3 .*1/ }
  for (const [bucket, message] of Object.entries({ ...says, other_storage: /storage memory/ })) {
    await t.rejects(open(bucket), { code: 'failed_precondition', message }, bucket)
    await t.rejects(open(bucket), { message: new RegExp(`bucket ${bucket} has`) })
  }
  const replicas = openKvRegistry({
    nats,
    bucket: 'right',
    ttlMs: 60_000,
    replicas: 3,
    clock,
    log: silentLog,
  })
  await t.rejects(replicas, { code: 'failed_precondition', message: /replicas 1 instead of 3/ })
  const left = await manager.streams.info('KV_other_ttl')
  t.equal(left.config.max_age, 5_000 * 1_000_000)
  const registry = await open('right')
  await registry.close()
})

t.test('replicas that a single server cannot make are refused', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  const settings = { bucket: 'new', ttlMs: 0, replicas: 3 }
  await t.rejects(openKvRegistry({ nats, ...settings, clock, log: silentLog }), {
    code: 'failed_precondition',
    message: /replicas/,
  })
})

t.test('without a connection every operation fails at once', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  const settings = { bucket: 'b', ttlMs: 0, replicas: 1 }
  const registry = await openKvRegistry({ nats, ...settings, clock, log: silentLog })
  const revision = await registry.create('k', 'v')
  await server.kill()
  await until('the loss is known', () => !registry.connected())
  const code = 'unavailable'
  await t.rejects(registry.create('x', 'v'), { code })
  await t.rejects(registry.update('k', 'v', revision), { code })
  await t.rejects(registry.remove('k', revision), { code })
  await t.rejects(registry.get('k'), { code })
  await t.rejects(registry.list(), { code })
  await server.start()
  await until('it is connected', () => registry.connected())
  t.equal((await registry.get('k'))?.revision, revision, 'kill -9 has lost nothing')
})

t.test('an update that a hanging server takes later is unknown, not failed', async (t) => {
  const server = await startNats(t)
  const nats = await link(t, server.url)
  const settings = { bucket: 'b', ttlMs: 0, replicas: 1 }
  const registry = await openKvRegistry({ nats, ...settings, clock, log: silentLog })
  const revision = await registry.create('k', 'before')
  server.freeze()
  await t.rejects(registry.update('k', 'after', revision), { code: 'unavailable' })
  server.thaw()
  await until('it is stored', async () => (await registry.get('k'))?.value === 'after')
})
