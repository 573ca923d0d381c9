/** Numbers that no double holds, on the ways that events take beside the straight one. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { makeEvent } from '../../support/ingest/ingest-store.ts'
import { setUp } from '../../support/ingest/spilling-worker.ts'
import { ALL, buyAll, isHeld, LONG, textCalls } from '../../support/numbers/long-numbers.ts'
import { startStandalone, testFolder } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'
import { until } from '../../support/until.ts'

const plain = (text: string) => text.replaceAll('\\"', '"')

t.test('numbers on their way through the product', async (t) => {
  const product = await startStandalone(t)
  const { url, personalKey: key, settings } = product
  const site = textCalls(product)
  const grpc = { GRPC_PORT: String(product.process.ports.grpc) }
  const own = { DATA_DIR: settings['DATA_DIR'] ?? '', ...grpc }
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand(args, own)
    t.equal(status, 0, stderr)
    return stdout.toString()
  }
  await buyAll(product)

  await t.test('the live stream has their digits, and so has the tail of it', async (t) => {
    const left = new AbortController()
    const stream = await fetch(`${url}/api/projects/1/live/?event=bought`, {
      ...{ headers: { authorization: `Bearer ${key}` }, signal: left.signal },
    })
    let live = ''
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of stream.body ?? []) live += decoder.decode(chunk, { stream: true })
    })().catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    const args = ['tail', '--url', url, '--json', '--event', 'bought', '--project', '1']
    const child = spawn(process.execPath, [join(packageRoot, 'bin', 'sluice'), ...args], {
      ...{ env: { ...process.env, SLUICE_API_KEY: key }, stdio: ['ignore', 'pipe', 'inherit'] },
    })
    const gone = new Promise((resolve) => child.once('exit', resolve))
    let tailed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      tailed += text
    })
    const lines = () => tailed.split('\n').slice(0, -1)
    await until('the tail has begun', () => lines().length === ALL.length)
    await buyAll(product)
    await until('all came', () => lines().length === 2 * ALL.length)
    await until('all came live', () => live.split('event: event').length > ALL.length)
    left.abort()
    child.kill('SIGTERM')
    await Promise.all([reading, gone])
    for (const number of ALL) {
      const digits = new RegExp(`"order": ?${number}[,}]`)
      t.match(live, digits, `live: ${number}`)
      for (const part of [lines().slice(0, ALL.length), lines().slice(ALL.length)]) {
        t.equal(part.filter((line) => digits.test(line)).length, 1, `tail: ${number}`)
      }
    }
  })

  await t.test('a dead letter has them, and what is stored of it', async (t) => {
    const running = await findRunningPostgres(own.DATA_DIR)
    if (running === undefined) throw new Error('no Postgres runs')
    const sql = createSql(running.connection, { applicationName: 'test', connectionsMax: 1, log })
    t.teardown(async () => {
      await sql.end()
      await running.release()
    })
    await sql`alter table events add constraint odd check (event <> 'odd') not valid`
    const odd = ALL.map((number) => `"_${number}":${number}`).join()
    const uuid = randomUUID()
    await until('it is taken', async () => {
      const taken = site.capture([
        `{"event":"odd","uuid":"${uuid}","distinct_id":"d","properties":{${odd},"$set":{${odd}}}}`,
      ])
      return await taken.then(
        () => true,
        () => false,
      )
    })
    const [, id = ''] = /"id":"?(\d+)/.exec(await run('deadletter', 'list', '--json')) ?? []
    const shown = await run('deadletter', 'show', id)
    await sql`alter table events drop constraint odd`
    await run('deadletter', 'replay', '--all')
    await until('it is stored', async () => (await site.events('[]', 'odd')).includes(uuid))
    const stored = plain(await site.events('[]', 'odd'))
    const person = await site.ask('/api/projects/1/persons/d/')
    for (const number of ALL) {
      const member = new RegExp(`"_${number}": ?${number}[,}]`)
      t.match(plain(shown), member, 'the dead letter')
      t.match(stored, member, 'the event')
      t.match(person, member, 'the person')
    }
  })

  await t.test('a backup and what is restored from it have them', async (t) => {
    const file = join(testFolder(t), 'sluice.backup')
    await run('backup', file)
    const fresh = { ...settings, DATA_DIR: join(testFolder(t), 'data') }
    product.process.kill('SIGTERM')
    await product.process.ended
    const restored = await runCommand(['restore', file], fresh)
    t.equal(restored.status, 0, restored.stderr)
    await copyFile(join(own.DATA_DIR, 'secrets.key'), join(fresh.DATA_DIR, 'secrets.key'))
    const second = textCalls({ ...product, url: (await startStandalone(t, fresh)).url })
    const events = plain(await second.events('[]'))
    const persons = await second.ask('/api/projects/1/persons/?limit=100')
    for (const number of ALL) {
      const member = new RegExp(`"order": ?${number}[,}]`)
      t.match(events, member, `event: ${number}`)
      t.match(persons, member, `person: ${number}`)
    }
    t.ok(isHeld(persons, LONG))
  })
})

t.test('an event that waited in the spill has all digits', async (t) => {
  const { db, project, spill, drain, emptied, goDown, comeBack } = await setUp(t)
  const member = (place: number) => `"n${place}": ${ALL[place]}`
  const properties = `{${ALL.map((_, place) => member(place)).join(', ')}}`
  await goDown()
  await spill(makeEvent({ event: 'spilled', properties }))
  await comeBack()
  drain()
  await emptied()
  const [row] = await db.sql<{ properties: string }[]>`
    select properties::text from events where project_id = ${project} and event = 'spilled'`
  for (const [place] of ALL.entries()) t.ok(row?.properties.includes(member(place)), member(place))
})
