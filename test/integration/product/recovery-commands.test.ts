import { randomUUID } from 'node:crypto'
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { startRefused } from '../../support/servers/cluster.ts'
import { answered, request, startStandalone, testFolder } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'
import { until } from '../../support/until.ts'

t.test('commands that make no sense end with 2 and change nothing', async (t) => {
  const settings = { DATA_DIR: join(testFolder(t), 'none') }
  const cases: [string[], RegExp][] = [
    [['deadletter', 'replay', '--project', 'x'], /not a whole number/],
    [['deadletter', 'discard', '--reason', ' '], /empty/],
    [['deadletter', 'list', '--limit', '0'], /not a whole number/],
    [['deadletter', 'show'], /missing required argument/],
    [['backup'], /missing required argument/],
    [['backup', testFolder(t)], /is not a file/],
    [['restore', '-'], /reads its file twice/],
    [['stat'], /unknown command 'stat'\. Did you mean status\?/],
  ]
  for (const [args, message] of cases) {
    const { status, stderr } = await runCommand(args, settings)
    t.equal(status, 2, args.join(' '))
    t.match(stderr, message)
  }
  const missing = await runCommand(['restore', '--check', '/nowhere/at-all'], settings)
  t.match(missing, { status: 1, stderr: /cannot read \/nowhere\/at-all/ })
  // A mistyped folder: there is nothing to read, so nothing is made.
  for (const args of [
    ['backup', join(testFolder(t), 'file')],
    ['migrate', '--check'],
  ]) {
    const { status, stderr } = await runCommand(args, settings)
    t.equal(status, 1)
    t.match(stderr, `no database in ${settings.DATA_DIR} (DATA_DIR)`)
  }
  await t.rejects(stat(settings.DATA_DIR))
})

t.test('dead letters by command', async (t) => {
  const product = await startStandalone(t)
  const { grpc } = product.process.ports
  const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '', GRPC_PORT: String(grpc) }
  const deadletter = async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand(['deadletter', ...args], settings)
    return { status, stdout: stdout.toString(), stderr }
  }
  const running = await findRunningPostgres(settings.DATA_DIR)
  if (running === undefined) throw new Error('no Postgres runs')
  const sql = createSql(running.connection, { applicationName: 'test', connectionsMax: 1, log })
  t.teardown(async () => {
    await sql.end()
    await running.release()
  })
  t.match(await deadletter('list'), { status: 0, stdout: '0 found\n' })

  await sql`alter table events add constraint odd check (event not like 'odd%') not valid`
  for (let n = 0; n < 3; n++) {
    const properties = { distinct_id: 'd', secret: `hidden-${n}` }
    const event = { event: `odd \u009b31m ${n}`, uuid: randomUUID(), properties }
    const body = { api_key: product.projectKey, ...event }
    // A busy machine may answer 503: then it is sent again, as clients do.
    await until(`event ${n} is taken`, async () => {
      const { status } = await request(`${product.url}/capture/`, { body })
      return status === 200
    })
  }
  const list = await deadletter('list', '--reason', 'ODD')
  t.match(list, { status: 0, stdout: /23514 +odd ·31m 0 .*violates check constraint/ })
  t.match(list.stdout, /3 found\n$/)
  t.notMatch(list.stdout, /hidden|\u009b/)
  const { results } = JSON.parse((await deadletter('list', '--json', '--limit', '2')).stdout)
  t.equal(results.length, 2)
  const shown = await deadletter('show', String(results[1].id))
  t.match(shown, { status: 0, stdout: /"secret": "hidden-1"/ })
  t.match(await deadletter('show', '999'), {
    status: 1,
    stderr: 'sluice: There is no dead letter 999.\n',
  })

  t.match(await deadletter('replay'), { status: 2, stderr: /add --all/ })
  t.match(await deadletter('list', '--since', 'noon'), { status: 2, stderr: /since: Not a time/ })
  t.match(await deadletter('replay', '--all', '--dry-run'), { status: 0, stdout: '3 found\n' })
  t.match(await deadletter('replay', '--all'), {
    status: 1,
    stdout: '3 done: 0 stored, 3 refused again, 0 discarded\n',
  })
  t.match(await deadletter('discard', '--id', String(results[0].id)), {
    status: 0,
    stdout: '1 done: 0 stored, 0 refused again, 1 discarded\n',
  })
  await sql`alter table events drop constraint odd`
  const replayed = await deadletter('replay', '--project', String(results[0].project_id), '--json')
  t.same(replayed.status, 0)
  t.same(JSON.parse(replayed.stdout), { matched: 2, stored: 2, refused: 0, discarded: 0 })
  const [count] = await sql`select count(*)::int from events where event like 'odd%'`
  t.match(count, { count: 2 })
})

t.test('a backup of a running standalone is restored into a new data directory', async (t) => {
  const product = await startStandalone(t)
  const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '' }
  for (let n = 0; n < 20; n++) {
    const body = {
      api_key: product.projectKey,
      event: `e${n}`,
      properties: { distinct_id: 'd', n },
    }
    t.equal((await answered(`${product.url}/capture/`, { body })).status, 200)
  }
  const file = join(testFolder(t), 'sluice.backup')
  await writeFile(file, 'an older one', { mode: 0o644 })
  const made = await runCommand(['backup', file, '--json'], settings)
  t.match(made, { status: 0, stderr: '' })
  t.match(JSON.parse(made.stdout.toString()), { rows: Number, schema: String, bytes: Number })
  t.equal((await stat(file)).mode & 0o777, 0o600)
  const piped = await runCommand(['backup', '-'], settings)
  t.match(piped, { status: 0, stderr: /rows of \d+ tables as of/ })
  const pipedFile = join(testFolder(t), 'piped')
  await writeFile(pipedFile, piped.stdout)
  const checked = await runCommand(['restore', '--check', pipedFile], {})
  t.match(checked, { status: 0, stdout: /^whole: / })
  t.match(await runCommand(['migrate', '--check'], settings), { status: 0, stdout: /nothing/ })

  const used = await runCommand(['restore', file], settings)
  t.match(used, { status: 1, stderr: /is in use by another Sluice.*stop it/ })
  product.process.kill('SIGTERM')
  t.equal(await product.process.ended, 0)
  t.match(await runCommand(['restore', file], settings), { status: 1, stderr: /is not empty/ })
  const again = await runCommand(['backup', pipedFile], settings)
  t.match(again, { status: 0 }, 'also of a standalone that is stopped')

  const fresh = { ...product.settings, DATA_DIR: join(testFolder(t), 'data') }
  const cut = join(testFolder(t), 'cut')
  await writeFile(cut, (await readFile(file)).subarray(0, -20))
  t.match(await runCommand(['restore', cut], fresh), {
    status: 1,
    stderr: /damaged: it is cut short/,
  })
  await t.rejects(stat(fresh.DATA_DIR), 'no data directory was made for it')
  const restored = await runCommand(['restore', file], fresh)
  t.match(restored, { status: 0, stdout: /^restored \d+ rows of \d+ tables/ })
  t.match(
    restored.stdout.toString(),
    /sealed under the key [0-9a-f]{16}: set SECRETS_KEY, or bring/,
  )
  const refused = await startRefused('start', fresh)
  t.match(refused, {
    status: 1,
    reason: /sealed under the key [0-9a-f]{16}, and no key is set: set SECRETS_KEY .* or bring/,
  })
  await t.rejects(stat(join(fresh.DATA_DIR, 'secrets.key')), 'no other key was made')
  await copyFile(join(settings.DATA_DIR, 'secrets.key'), join(fresh.DATA_DIR, 'secrets.key'))

  const second = await startStandalone(t, fresh)
  const projects = await request(`${second.url}/api/projects/`, { key: product.personalKey })
  t.equal(projects.status, 200, 'the keys are those of before')
  const { id } = Object(Object(projects.body).results[0])
  const events = await request(`${second.url}/api/projects/${id}/events/?limit=100`, {
    key: product.personalKey,
  })
  t.equal(Object(events.body).results.length, 20)
})
