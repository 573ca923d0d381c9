/** `sluice demo`: it fills a project once, however often it runs, and takes all of it away. */
import t from 'tap'
import { answered, request, startStandalone } from '../../support/servers/product.ts'
import { beginCommand, runCommand } from '../../support/servers/run-command.ts'
import { until } from '../../support/until.ts'

const EVENTS = 400
const DAY_MS = 86_400_000

t.test('the demo', async (t) => {
  const product = await startStandalone(t)
  const { url, projectKey, personalKey: key } = product
  const ask = async (tail: string, body?: object) => {
    const answer = await request(`${url}/api/projects/1/${tail}`, { key, body })
    if (answer.status >= 300) throw new Error(`${tail}: ${JSON.stringify(answer.body)}`)
    return Object(answer.body)
  }
  const sizes = async () => {
    const tails = ['events/', 'persons/', 'feature_flags/', 'insights/', 'dashboards/']
    const counts = await Promise.all(tails.map((tail) => ask(`${tail}?limit=1`)))
    return counts.map(({ count }) => Number(count))
  }
  const demo = async (...args: string[]) => {
    const given = ['demo', '--url', url, '--project', '1', ...args]
    const { status, stdout, stderr } = await runCommand(given, { SLUICE_API_KEY: key })
    return { status, text: stdout.toString(), stderr }
  }
  const page = async () => {
    const names = async (tail: string, member: string) => {
      const { results } = await ask(tail)
      return results.map((one: Record<string, unknown>) => one[member])
    }
    const { web_goals: goals } = await ask('')
    return {
      goals: goals.map(({ name }: { name: string }) => name),
      annotations: await names('annotations/', 'content'),
      alerts: await names('alerts/', 'name'),
    }
  }
  const now = ['--events', String(EVENTS), '--until', new Date().toISOString()]
  // An object of another user, which must stay.
  await answered(`${url}/capture/`, {
    body: { api_key: projectKey, event: 'mine', distinct_id: 'ann' },
  })
  await ask('feature_flags/', { key: 'mine' })
  await ask('annotations/', { content: 'mine', date_marker: '2026-01-01T00:00:00Z' })
  await request(`${url}/api/projects/1/`, {
    ...{ method: 'PATCH', key },
    body: { web_goals: [{ name: 'Mine', event: 'mine' }] },
  })
  const before = [1, 1, 1, 0, 0]
  const filled = [1 + EVENTS, 1 + EVENTS / 20, 4, 7, 1]

  await t.test('a wrong key, host or size is said in words', async (t) => {
    t.match(await demo('--key', 'phx_nobody_has_this_key'), { status: 1, stderr: /401/ })
    const away = await demo('--url', 'http://127.0.0.1:9')
    t.match(away, { status: 1, stderr: /project at http:\/\/127\.0\.0\.1:9: no answer/ })
    t.match(await demo('--project', '99'), { status: 1, stderr: /404/ })
    t.match(await demo('--events', '0'), { status: 2, stderr: /whole number/ })
    t.match(await demo('--until', 'noon'), { status: 2, stderr: /ISO 8601/ })
    t.same(await sizes(), before, 'nothing was made')
  })

  await t.test('twice is as once', async (t) => {
    const first = await demo(...now)
    t.match(first, { status: 0, stderr: '', text: /has the demo: 400 events of 20 persons/ })
    t.match(first.text, `${url}/project/1?date=-30d`)
    t.same(await sizes(), filled)
    const { results: persons } = await ask('persons/?search=demo-person&limit=100')
    t.equal(persons.length, 20)
    for (const { is_identified: isIdentified } of persons) t.equal(isIdentified, true)
    const again = JSON.parse((await demo(...now, '--json')).text)
    t.match(again, { project_id: 1, events: EVENTS, persons: 20 })
    t.same(await sizes(), filled)
  })

  await t.test('its questions have answers, its flags are what its events say', async (t) => {
    const { results } = await ask('dashboards/')
    const { tiles } = await ask(`dashboards/${results[0].id}/`)
    const query = tiles.flatMap((tile: { query: unknown }) => tile.query ?? [])
    const answers = await ask('query/', { query })
    t.equal(answers.results?.length ?? answers.length, 7)
    t.notMatch(JSON.stringify(answers), /"error":\s*[{"]/)
    const { results: calls } = await ask('events/?event=$feature_flag_called&limit=20&shape=native')
    t.ok(calls.length > 5)
    for (const { distinct_id, properties } of calls) {
      const body = { api_key: projectKey, distinct_id }
      const { featureFlags } = Object((await request(`${url}/decide/?v=2`, { body })).body)
      const { $feature_flag: flag, $feature_flag_response: response } = properties
      t.equal(featureFlags[flag] ?? false, response, `${flag} of ${distinct_id}`)
    }
  })

  await t.test('its page has goals, and a deployment that broke it with an alert', async (t) => {
    const goals = ['Mine', 'Order', 'Checkout', 'Sign-up', 'Read the blog']
    const annotations = [/^Back to 2\.3: /, /^Deployed 2\.4: /, 'mine']
    t.match(await page(), { goals, annotations, alerts: ['Unusual checkouts'] })
    const query = { kind: 'WebGoalsQuery', dateRange: { date_from: '-30d' } }
    const { results } = await ask('query/', { query })
    const [, [readers]] = results.find(([goal]: [string]) => goal === 'Read the blog')
    t.ok(readers > 0)
    // A run of another day leaves the deployment where it was.
    const later = new Date(Date.now() + DAY_MS).toISOString()
    const known = (await ask('annotations/')).results
    t.match(await demo('--events', '1', '--until', later), { status: 0, stderr: '' })
    t.same((await ask('annotations/')).results, known)
    await until('the alert was checked', async () => {
      const [alert] = (await ask('alerts/')).results
      return alert.last_checked_at !== null && alert.state === 'Not firing'
    })
  })

  await t.test('it is taken away, and what is not of it stays', async (t) => {
    const gone = await demo('--remove')
    const words = 'gone from Default Project \\(project 1\\): 400 events, 20 persons, 18 flags'
    t.match(gone, { status: 0, text: new RegExp(words) })
    t.same(await sizes(), before)
    t.same(await page(), { goals: ['Mine'], annotations: ['mine'], alerts: [] })
    t.match(await demo('--remove'), { status: 0, text: /: 0 events, 0 persons, 0 flags/ })
  })

  await t.test('one that is stopped continues, and leaves nothing behind', async (t) => {
    const { kill, ended } = beginCommand(['demo', '--url', url], { SLUICE_API_KEY: key })
    await until('some events are there', async () => ((await sizes())[0] ?? 0) > 1)
    kill('SIGINT')
    const words = /stopped: the same command goes on, and --remove takes away what was sent/
    t.match(await ended, { status: 1, stderr: words })
    t.equal((await demo('--remove')).status, 0)
    t.same(await sizes(), before)
  })
})
