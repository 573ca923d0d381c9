import { connect, createServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { findPortHolder } from '../../../../src/cli/service/port-holder.ts'
import { claimPorts, listenOn } from '../../../../src/cli/service/ports.ts'
import { AppError } from '../../../../src/core/code.ts'
import { freePort } from '../../../support/servers/free-port.ts'

const HOST = '127.0.0.1'

function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : 0)
    })
  })
}

async function taken(t: Test): Promise<number> {
  const server = createServer()
  t.teardown(() => server.close())
  return await listen(server)
}

t.test('a taken port names its setting, its option and the process that has it', async (t) => {
  const port = await taken(t)
  await t.rejects(claimPorts([{ setting: 'GRPC_PORT', host: HOST, port }]), {
    code: 'failed_precondition',
    message: new RegExp(
      `^GRPC_PORT: 127\\.0\\.0\\.1:${port} is taken by \\S+, pid ${process.pid}; .*--grpc-port$`,
    ),
  })
})

t.test('claimed ports are held until their server listens, and none after a failure', async (t) => {
  const [port, other] = [await freePort(), await taken(t)]
  const place = { setting: 'PORT', host: HOST, port } as const
  await t.rejects(claimPorts([place, { setting: 'GRPC_PORT', host: HOST, port: other }]))
  const ports = await claimPorts([place, { setting: 'GRPC_PORT', host: HOST, port: 0 }])
  await t.rejects(listen(createServer(), port), { code: 'EADDRINUSE' })
  const cut = new Promise((resolve) => {
    connect(port, HOST).once('error', resolve).once('end', resolve)
  })
  t.ok(await cut, 'nobody waits for an answer there')
  await ports.free('PORT')
  const server = createServer()
  t.teardown(() => server.close())
  t.equal(await listen(server, port), port)
  await ports.freeAll()
})

t.test('the failure of a server is worded by the code that it has somewhere', async (t) => {
  const place = { setting: 'PORT', host: HOST, port: 80 } as const
  const failing = (message: string, cause?: Error) =>
    listenOn(place, () => Promise.reject(new AppError('failed_precondition', message, { cause })))
  await t.rejects(failing('no address bound: [listen EACCES 127.0.0.1:80]'), {
    message: 'cannot listen on 127.0.0.1:80 (PORT): this user may not listen there',
  })
  await t.rejects(failing('cannot serve', new Error('listen EADDRNOTAVAIL')), {
    message: /\(PORT\): no address of this machine$/,
  })
  await t.rejects(failing('something else'), { message: 'something else' })
})

t.test('the listener is read from what Linux shows', async (t) => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid'
  const row = (address: string, state: string, inode: number) =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  0  0 ${inode} 1`
  const proc = t.testdir({
    net: {
      tcp: [head, row('0100007F:1F40', '01', 7), row('0100007F:1F41', '0A', 8)].join('\n'),
      tcp6: [head, row('00000000000000000000000000000000:1F40', '0A', 9)].join('\n'),
    },
    self: {},
    '12': { comm: 'other\n', fd: { '0': t.fixture('symlink', '/dev/null') } },
    '34': { comm: 'server\n', fd: { '5': t.fixture('symlink', 'socket:[9]') } },
  })
  t.strictSame(await findPortHolder(0x1f40, proc), { pid: 34, program: 'server' })
  t.equal(await findPortHolder(0x1f41, proc), undefined, 'of a process that shows nothing')
  t.equal(await findPortHolder(0x1f42, proc), undefined)
  t.equal(await findPortHolder(0x1f40, `${proc}/nowhere`), undefined)
})
