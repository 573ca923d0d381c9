import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testFolder } from '../support/servers/product.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'
import { until } from '../support/until.ts'

/** An echo server that counts its resets. */
async function startEcho(t: Test) {
  const seen = { bytes: 0, resets: 0, ends: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', (chunk) => {
      seen.bytes += chunk.length
      socket.write(chunk)
    })
    socket.on('end', () => {
      seen.ends += 1
    })
    socket.on('error', () => {
      seen.resets += 1
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : 0)
    })
  })
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port, seen }
}

/** A connection that records received bytes and its end. */
function dial(t: Test, port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const heard = { text: '', error: '', closed: false }
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard.text += text
  })
  socket.on('error', (error) => {
    heard.error = 'code' in error ? String(error.code) : error.message
  })
  socket.on('close', () => {
    heard.closed = true
  })
  t.teardown(() => {
    socket.destroy()
  })
  return { heard, send: (text: string) => socket.write(text), end: () => socket.end() }
}

t.test('a proxy between a client and a server', async (t) => {
  const echo = await startEcho(t)
  const proxy = await startTcpProxy(t, { port: echo.port })

  t.test('passes bytes and ends both ways', async (t) => {
    const client = dial(t, proxy.port)
    client.send('hello')
    await until('an echo', () => client.heard.text === 'hello')
    client.end()
    await until('the end', () => client.heard.closed && proxy.count() === 0)
    t.equal(client.heard.error, '')
    t.equal(echo.seen.resets, 0)
  })

  t.test('cut: connections are reset and new ones refused', async (t) => {
    const client = dial(t, proxy.port)
    client.send('a')
    await until('an echo', () => client.heard.text === 'a')
    await proxy.cut()
    await until('a reset', () => client.heard.error === 'ECONNRESET')
    const refused = dial(t, proxy.port)
    await until('a refusal', () => refused.heard.error === 'ECONNREFUSED')
    await proxy.restore()
    const again = dial(t, proxy.port)
    again.send('b')
    await until('an echo', () => again.heard.text === 'b')
    t.equal(echo.seen.resets, 1, 'the server was reset too')
  })

  t.test('hold: bytes and ends arrive when the partition heals', async (t) => {
    const client = dial(t, proxy.port)
    client.send('a')
    await until('an echo', () => client.heard.text === 'a')
    const before = echo.seen.bytes
    proxy.hold()
    client.send('late')
    const newcomer = dial(t, proxy.port)
    newcomer.send('new')
    newcomer.end()
    await until('both are held', () => proxy.hit() === 7)
    t.equal(echo.seen.bytes, before)
    await proxy.restore()
    await until('what was held', () => client.heard.text === 'alate')
    await until('what was held', () => newcomer.heard.text === 'new' && newcomer.heard.closed)
    t.equal(client.heard.error + newcomer.heard.error, '')
  })

  t.test('lose, one way: the server hears, the client does not, and is reset', async (t) => {
    const client = dial(t, proxy.port)
    client.send('a')
    await until('an echo', () => client.heard.text === 'a')
    const before = echo.seen.bytes
    const hit = proxy.hit()
    proxy.lose(['down'])
    client.send('lost')
    await until('the server hears', () => echo.seen.bytes === before + 4)
    await until('the client does not', () => proxy.hit() === hit + 4)
    const idle = dial(t, proxy.port)
    await until('both are there', () => proxy.count() === 2)
    await proxy.restore()
    await until('a reset', () => client.heard.error === 'ECONNRESET')
    t.equal(client.heard.text, 'a')
    idle.send('b')
    await until('who lost nothing goes on', () => idle.heard.text === 'b')
  })

  t.test('lose, upwards: the server hears nothing', async (t) => {
    const hit = proxy.hit()
    const client = dial(t, proxy.port)
    proxy.lose(['up'])
    const before = echo.seen.bytes
    client.send('lost')
    await until('the bytes are swallowed', () => proxy.hit() === hit + 4)
    await proxy.restore()
    await until('resets', () => client.heard.closed)
    t.equal(echo.seen.bytes, before)
  })

  t.test('delay and slow: bytes come later, all of them, in order', async (t) => {
    const client = dial(t, proxy.port)
    proxy.delay(120)
    const start = performance.now()
    for (let index = 0; index < 10; index += 1) client.send(String(index))
    await until('an echo', () => client.heard.text === '0123456789')
    t.ok(performance.now() - start >= 235, 'each way has its delay')
    proxy.slow(20_000)
    const text = 'x'.repeat(4_000)
    const slowStart = performance.now()
    client.send(text)
    await until('an echo', () => client.heard.text.endsWith(text))
    t.ok(performance.now() - slowStart >= 195, 'at its pace')
    await proxy.restore()
    client.send('y')
    await until('an echo', () => client.heard.text.endsWith('y'))
  })

  t.test('a fault of one process leaves the others alone', async (t) => {
    const client = dial(t, proxy.port)
    client.send('a')
    await until('an echo', () => client.heard.text === 'a')
    proxy.lose(['up', 'down'], { pid: 1 })
    client.send('b')
    await until('an echo', () => client.heard.text === 'ab')
    await proxy.cut(process)
    await until('a reset', () => client.heard.error === 'ECONNRESET')
    const fresh = dial(t, proxy.port)
    await until('a reset', () => fresh.heard.error === 'ECONNRESET')
    await proxy.restore()
  })

  t.test('a target that is gone resets', async (t) => {
    proxy.aim({ port: 1 })
    const client = dial(t, proxy.port)
    await until('a reset', () => client.heard.error === 'ECONNRESET')
  })
})

t.test('a server on a Unix socket: cut and ended without a fault', async (t) => {
  const path = join(testFolder(t), 'echo.sock')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const proxy = await startTcpProxy(t, { path })
  const client = dial(t, proxy.port)
  client.send('a')
  await until('an echo', () => client.heard.text === 'a')
  await proxy.cut()
  await until('a reset', () => client.heard.error === 'ECONNRESET')
  await until('the server is told', () => [...sockets].every(({ readableEnded }) => readableEnded))
  t.equal(proxy.count(), 0)
})
