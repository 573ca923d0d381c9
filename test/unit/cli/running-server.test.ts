import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { noteServer, withServerOf } from '../../../src/cli/running-server.ts'
import { silentLog } from '../../../src/core/log.ts'

const PLACE = {
  ...{ HOST: '127.0.0.1', PORT: 9400 },
  ...{ GRPC_HOST: '127.0.0.1', GRPC_PORT: 9401, ADMIN_PORT: 9402 },
}

t.test('commands find the server of a data folder, and what is given wins', async (t) => {
  const folder = join(t.testdir(), 'new', 'data')
  const forget = await noteServer(silentLog, folder, PLACE)
  const found = { HOST: '127.0.0.1', PORT: '9400', GRPC_HOST: '127.0.0.1', GRPC_PORT: '9401' }
  t.match(withServerOf(folder, { OTHER: 'x' }), { ...found, ADMIN_PORT: '9402', OTHER: 'x' })
  const given = { PORT: '8000', GRPC_PORT: ' ' }
  t.match(withServerOf(folder, given), { PORT: '8000', GRPC_PORT: '9401' })
  await forget()
  t.strictSame(readdirSync(folder), [])
  t.strictSame(withServerOf(folder, given), given)
})

t.test('a note of a killed server, and a file that is no note, count for nothing', async (t) => {
  const folder = t.testdir()
  const dead = { pid: 2 ** 30, ...PLACE }
  for (const text of [JSON.stringify(dead), '{"pid":', '[]', '{"pid":0,"PORT":1}', '{"pid":"1"}']) {
    writeFileSync(join(folder, 'server.json'), text)
    t.strictSame(withServerOf(folder, {}), {}, text)
  }
})

t.test('a server takes away no note of another', async (t) => {
  const folder = t.testdir()
  const forget = await noteServer(silentLog, folder, PLACE)
  writeFileSync(join(folder, 'server.json'), JSON.stringify({ pid: process.ppid, ...PLACE }))
  await forget()
  t.match(withServerOf(folder, {}), { PORT: '9400' })
})
