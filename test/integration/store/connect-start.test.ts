/** How sessions begin, with a server that does as it likes. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { createReconnectingConnection } from '../../../src/postgres/reconnecting-connection.ts'
import {
  commandComplete,
  errorMessage,
  message,
  readyForQuery,
} from '../../support/servers/postgres-messages.ts'
import { until } from '../../support/until.ts'

const AUTHENTICATED = message('R', '\0\0\0\0')
const WELCOME = Buffer.concat([AUTHENTICATED, readyForQuery('I')])
const welcome = (socket: Socket) => socket.write(WELCOME)

/**
 * A server that lets everybody in, the first connections in these ways, and answers the questions of
 * the first in this way, and all others with nothing found.
 */
async function pretend(
  t: Test,
  first: (socket: Socket) => void,
  greetings: readonly ((socket: Socket) => void)[] = [],
) {
  /** Messages of each connection after its greeting. */
  const heard: string[] = []
  let asked = () => {}
  const question = new Promise<void>((resolve) => {
    asked = resolve
  })
  const server = createServer((socket) => {
    const place = heard.push('') - 1
    const greet = greetings[place] ?? welcome
    const answer =
      place === 0
        ? first
        : () => socket.write(Buffer.concat([commandComplete('SELECT 0'), readyForQuery('I')]))
    t.teardown(() => socket.destroy())
    socket.on('error', () => {
      // The client leaves as it likes.
    })
    socket.once('data', () => {
      greet(socket)
      socket.on('data', (bytes: Buffer) => {
        heard[place] += bytes.toString('latin1')
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
  return { open, question, heard }
}

const silence = () => {
  // As a server that hangs.
}

t.test('a pool is destroyed while the server does not answer it', async (t) => {
  const { open, question } = await pretend(t, silence)
  const sql = open()
  const asking = t.rejects(sql`select 1`)
  await question
  await sql.end({ timeout: 0 })
  await asking
})

t.test(
  'a connection whose server does not answer is destroyed, and the next one works',
  async (t) => {
    const { open } = await pretend(t, silence)
    const connection = createReconnectingConnection({ open, clock })
    t.teardown(() => connection.close())
    await t.rejects(
      connection.run(100, (sql) => sql`select 1`),
      { kind: 'unreachable', code: 'TIMEOUT' },
    )
    t.strictSame([...(await connection.run(10_000, (sql) => sql.unsafe('select 1')))], [])
  },
)

t.test('a server that cancels the first statement of a session is asked again', async (t) => {
  const answers = [
    [errorMessage('ERROR', '57014', 'canceling statement'), readyForQuery('I')],
    [commandComplete('SELECT 0'), readyForQuery('I')],
  ]
  const { open, heard } = await pretend(t, (socket) => {
    socket.write(Buffer.concat(answers.shift() ?? []))
  })
  const sql = open()
  t.teardown(() => sql.end({ timeout: 0 }))
  await t.rejects(sql.unsafe('select 1'), { code: '57014' })
  t.strictSame([...(await sql.unsafe('select 1'))], [])
  t.equal(heard.length, 1)
})

t.test('a server that dies as it authenticates is asked again once it is back', async (t) => {
  const dies = (socket: Socket) => {
    const fatal = errorMessage(
      'FATAL',
      '57P01',
      'terminating connection due to unexpected postmaster exit',
    )
    socket.end(Buffer.concat([WELCOME, fatal]))
  }
  const isAway = (socket: Socket) => socket.resetAndDestroy()
  const { open } = await pretend(t, silence, [dies, isAway])
  const sql = open()
  t.teardown(() => sql.end({ timeout: 0 }))
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
    socket.end(errorMessage('FATAL', '57P03', 'the database system is starting up'))
  const { open } = await pretend(
    t,
    (socket) => socket.write(Buffer.concat([commandComplete('SELECT 0'), readyForQuery('I')])),
    [starts],
  )
  const sql = open()
  t.teardown(() => sql.end({ timeout: 0 }))
  const refused = { code: '57P03', message: 'the database system is starting up' }
  await t.rejects(sql.unsafe('select 1'), refused)
  t.strictSame([...(await sql.unsafe('select 1'))], [])
})

t.test(
  'a statement that the server leaves without an answer is never taken for done',
  async (t) => {
    const { open } = await pretend(t, (socket) => socket.destroy())
    const sql = open()
    t.teardown(() => sql.end({ timeout: 0 }))
    await t.rejects(sql.unsafe('insert into t'), { code: '08006' })
  },
)

t.test('nothing of a session that was lost reaches the next one', async (t) => {
  const begun = Buffer.concat([commandComplete('BEGIN'), readyForQuery('T')])
  let isBegun = false
  const { open, heard } = await pretend(t, (socket) => {
    if (isBegun) socket.destroy()
    else socket.write(begun)
    isBegun = true
  })
  const sql = open()
  t.teardown(() => sql.end({ timeout: 0 }))
  const lost = sql.begin(async (tx) => {
    const first = tx.unsafe('insert into a')
    const second = tx.unsafe('insert into b')
    await Promise.allSettled([first, second])
    await tx.unsafe('insert into c')
  })
  await t.rejects(lost, { code: '08006' })
  t.strictSame([...(await sql.unsafe('select 1'))], [])
  t.equal(heard.length, 2)
  t.match(heard[0], /begin.*insert into a/s)
  t.match(heard[1], /^Q....select 1\0/s)
  t.notMatch(heard[1], /insert|begin|commit|rollback/)
})

t.test('statements are sent ahead behind one that fills the socket', async (t) => {
  let answers = 1
  const { open, heard } = await pretend(t, (socket) => {
    if (answers-- > 0)
      socket.write(Buffer.concat([commandComplete('SELECT 0'), readyForQuery('I')]))
  })
  const sql = open()
  await sql.unsafe('select 0')
  // More than the system keeps of a connection, so that the first is not written at once.
  const large = ['first', 'second'].map((word) => `select '${word}${'x'.repeat(30_000_000)}'`)
  const asking = Promise.allSettled(large.map((text) => sql.unsafe(text)))
  await until('the second', () => heard[0]?.includes('second') === true)
  await sql.end({ timeout: 0 })
  await asking
})
