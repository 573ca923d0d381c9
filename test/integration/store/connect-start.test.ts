/**
 * The driver's own first question of each connection, for array types: it catches no failure of it,
 * so that one would end the process. A test with an unhandled rejection fails.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { GuardedSocket } from '../../../src/store/guarded-socket.ts'
import { createSql, destroySql } from '../../../src/store/pool/connect.ts'
import { dial } from '../../../src/store/pool/dial.ts'
import { createSlotConnection } from '../../../src/store/pool/reconnecting-connection.ts'
import {
  commandComplete,
  errorResponse,
  framesOf,
  readyForQuery,
} from '../../../src/store/wire-frames.ts'
import { until } from '../../support/until.ts'

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])
const CANCELLED = Buffer.from(
  errorResponse('57014', 'canceling statement due to statement timeout')
    .toString('latin1')
    .replaceAll('FATAL', 'ERROR'),
  'latin1',
)

const WELCOME = Buffer.concat([AUTHENTICATED, readyForQuery('I')])
const welcome = (socket: Socket) => socket.write(WELCOME)

const TLS = { mode: 'disable', rootCertPath: undefined } as const
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

/** A message that prepares a statement without a name or parameters. */
function parse(statement: string): Buffer {
  const body = Buffer.from(`\0${statement}\0\0\0`)
  const bytes = Buffer.concat([Buffer.from('P....'), body])
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}

/**
 * A server that lets everybody in, the first connections in these ways, and answers the questions of
 * the first in this way, and all others with nothing found.
 */
async function pretend(
  t: Test,
  first: (socket: Socket) => void,
  greetings: readonly ((socket: Socket) => void)[] = [],
) {
  let connections = 0
  let asked = () => {}
  const question = new Promise<void>((resolve) => {
    asked = resolve
  })
  const server = createServer((socket) => {
    connections += 1
    const greet = greetings[connections - 1] ?? welcome
    const answer =
      connections === 1
        ? first
        : () => socket.write(Buffer.concat([commandComplete('SELECT 0'), readyForQuery('I')]))
    t.teardown(() => socket.destroy())
    socket.on('error', () => {
      // The client leaves as it likes.
    })
    socket.once('data', () => {
      greet(socket)
      socket.on('data', () => {
        asked()
        answer(socket)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const options = { applicationName: 'test', connectionsMax: 1, log }
  const open = () => createSql(`postgres://joe@127.0.0.1:${address.port}/sluice`, options)
  return { open, question, port: address.port }
}

const silence = () => {
  // As a server that hangs.
}

t.test('a pool is destroyed while the server does not answer it', async (t) => {
  const { open, question } = await pretend(t, silence)
  const sql = open()
  const asking = t.rejects(sql`select 1`)
  await question
  await destroySql(sql)
  await asking
})

t.test(
  'a slot whose server does not answer it is thrown away, and the next one works',
  async (t) => {
    const { open } = await pretend(t, silence)
    const slot = createSlotConnection({ open, clock })
    t.teardown(() => slot.close())
    await t.rejects(
      slot.run(100, (sql) => sql`select 1`),
      { kind: 'unreachable', code: 'TIMEOUT' },
    )
    t.strictSame([...(await slot.run(10_000, (sql) => sql.unsafe('select 1')))], [])
  },
)

t.test('a server that refuses to answer it is left, and asked again', async (t) => {
  const { open } = await pretend(t, (socket) => {
    socket.write(Buffer.concat([CANCELLED, readyForQuery('I')]))
  })
  const sql = open()
  t.teardown(() => destroySql(sql))
  await t.rejects(sql.unsafe('select 1'), { code: '08006' })
  await until('another connection', async () => (await sql.unsafe('select 1')).length === 0)
})

t.test('a server that dies as it lets somebody in is asked again once it is back', async (t) => {
  const dies = (socket: Socket) => {
    const fatal = errorResponse('57P01', 'terminating connection due to unexpected postmaster exit')
    socket.end(Buffer.concat([WELCOME, fatal]))
  }
  const isAway = (socket: Socket) => socket.resetAndDestroy()
  const { open } = await pretend(t, silence, [dies, isAway])
  const sql = open()
  t.teardown(() => destroySql(sql))
  await t.rejects(sql.unsafe('select 1'), { code: '57P01' })
  await until('another connection', async () => {
    try {
      return (await sql.unsafe('select 1')).length === 0
    } catch {
      return false // The second connection is reset.
    }
  })
})

t.test('a server that refuses a session says why, once', async (t) => {
  const starts = (socket: Socket) =>
    socket.end(errorResponse('57P03', 'the database system is starting up'))
  const { open } = await pretend(
    t,
    (socket) => socket.write(Buffer.concat([commandComplete('SELECT 0'), readyForQuery('I')])),
    [starts],
  )
  const sql = open()
  t.teardown(() => destroySql(sql))
  const refused = { code: '57P03', message: 'the database system is starting up' }
  await t.rejects(sql.unsafe('select 1'), refused)
  t.strictSame([...(await sql.unsafe('select 1'))], [])
})

t.test('a first statement that is not the driver’s own is never taken for answered', async (t) => {
  const { port } = await pretend(t, (socket) => socket.destroy())
  const guarded = new GuardedSocket(() =>
    dial({ kind: 'tcp', host: '127.0.0.1', port }, TLS, 3_000),
  )
  const seen: string[] = []
  guarded.on('data', (bytes: Buffer) => {
    const types = [...framesOf(bytes)].map(({ type }) => type)
    seen.push(...types)
    if (seen.join('') === 'RZ') guarded.write(Buffer.concat([parse('insert into t'), SYNC]))
  })
  guarded.write(Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]))
  await once(guarded, 'close')
  t.equal(seen.join(''), 'RZEZ', 'it failed')
})
