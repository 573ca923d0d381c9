import t from 'tap'
import { answered, request, startStandalone } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'

type Fields = Readonly<Record<string, unknown>>

t.test('users and keys by command', async (t) => {
  const product = await startStandalone(t)
  const { grpc } = product.process.ports
  const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '', GRPC_PORT: String(grpc) }
  const admin = async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand(['admin', ...args], settings)
    return { status, text: stdout.toString(), stderr }
  }
  const json = async (...args: string[]): Promise<Fields> => {
    const { status, text, stderr } = await admin(...args, '--json')
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
    return JSON.parse(text)
  }
  const working = async (key: string) => {
    const { status } = await request(`${product.url}/api/users/@me/`, { key })
    return status
  }
  /** On the public routes, where the gateway remembers keys. */
  const deciding = async (key: string) => {
    const body = { api_key: key, project_id: 1, distinct_id: 'ann' }
    return (await request(`${product.url}/decide/?v=2`, { body })).status
  }
  await t.test('the keys of an instance can be had again', async (t) => {
    t.match(await json('show'), {
      users: 1,
      organizations: [
        {
          owner_email: 'owner@example.com',
          projects: [{ id: 1, name: 'Default Project', api_key: product.projectKey }],
        },
      ],
    })
    t.match((await admin('show')).text, new RegExp(`^ +api_key +${product.projectKey}$`, 'm'))
    const made = await json('create-key')
    t.equal(await working(String(made['personal_api_key'])), 200, 'of the only user')
  })
  const first = { email: 'Ann@example.com', name: 'Ann' }
  const project = await request(`${product.url}/api/projects/@current/`, {
    key: product.personalKey,
  })
  const { organization } = Object(project.body)
  const ann = await json(
    ...['create-user', '--email', first.email, '--first-name', first.name],
    ...['--organization-id', String(organization)],
  )
  const key = String(ann['personal_api_key'])
  const uuid = String(ann['user_uuid'])

  t.test('a user is shown by id, UUID or address', async (t) => {
    for (const by of [
      ['--user', String(ann['user_id'])],
      ['--user', uuid],
      ['--email', 'ANN@example.com'],
    ]) {
      t.match(await json('show', ...by), {
        user_uuid: uuid,
        email: first.email,
        is_active: true,
        is_email_verified: true,
        organizations: [{ id: organization, level: 1 }],
        personal_api_keys: [{ label: 'Created with the user', scopes: ['*'] }],
      })
    }
    const { text } = await admin('show', '--user', uuid)
    t.match(text, /^email +Ann@example\.com$/m)
    t.match(text, /^personal_api_keys\n- id +\S{43}\n {2}label +Created with the user$/m)
    t.notMatch(text, key)
    t.match(await admin('show', '--user', 'nobody@example.com'), {
      status: 1,
      stderr: /no such user/,
    })
    t.match(await admin('disable-user'), { status: 2, stderr: /--user/ })
  })

  t.test('a key that was made works within its scopes, and is revoked at once', async (t) => {
    const made = await json(
      ...['create-key', '--user', uuid, '--label', 'CI \u009b31m', '--scopes', 'user:read'],
      ...['--expires-at', '2999-01-01T00:00:00Z'],
    )
    const value = String(made['personal_api_key'])
    t.match(made['key'], { scopes: ['user:read'], expires_at: '2999-01-01T00:00:00.000000Z' })
    t.equal(await working(value), 200)
    const users = await request(`${product.url}/api/organizations/`, { key: value })
    t.equal(users.status, 403)
    t.notMatch((await admin('show', '--user', uuid)).text, '\u009b')
    const { id } = Object(made['key'])
    t.match(await json('revoke-key', '--key', String(id)), { user_uuid: uuid })
    t.equal(await working(value), 401)
    t.match(await admin('revoke-key', '--key', String(id)), { status: 1, stderr: /no such key/ })
    t.match(await admin('create-key', '--user', uuid, '--scopes', 'all'), { status: 1 })
    t.match(await admin('create-key'), { status: 1, stderr: /there are 2 users: name one/ })
  })

  t.test('a user is out at once, and in again', async (t) => {
    t.same([await working(key), await deciding(key)], [200, 200])
    t.match(await json('disable-user', '--email', first.email), { is_active: false })
    t.same([await working(key), await deciding(key)], [401, 401])
    t.match(await json('enable-user', '--user', uuid), { is_active: true })
    t.same([await working(key), await deciding(key)], [200, 200])
  })

  t.test('an address is confirmed, and given', async (t) => {
    const given = await json('confirm-email', '--user', uuid, '--email', 'anna@example.com')
    t.match(given, { email: 'anna@example.com', is_email_verified: true })
    const taken = await admin('confirm-email', '--user', uuid, '--email', 'owner@example.com')
    t.match(taken, { status: 1, stderr: /already an account/ })
    t.match(await admin('confirm-email', '--user', uuid, '--email', 'x'), { status: 1 })
    t.match(await json('confirm-email', '--user', uuid), { email: 'anna@example.com' })
  })

  t.test('an owner is named, and what was done to the instance is shown', async (t) => {
    const { organizations } = await json('show', '--user', uuid)
    const [{ id } = { id: '' }] = organizations as { id: string }[]
    const owner = { owner: 'anna@example.com' }
    t.match(await json('set-owner', '--organization-id', id, '--user', uuid), owner)
    const wrong = await admin('set-owner', '--organization-id', id, '--user', 'nobody@example.com')
    t.match(wrong, { status: 1, stderr: /no such user/ })
    t.match(await json('rotate-secrets'), { sealed: 0 })
    const { count, results } = await json('activity', '--limit', '5')
    t.ok(Number(count) >= 1)
    // Keys that were refused before may come into it at any time.
    t.ok((results as { activity: string }[]).some((each) => each.activity === 'secrets_rotated'))
    t.match(await admin('activity', '--limit', 'x'), { status: 1, stderr: /whole number/ })
  })

  t.test('a person and events are counted, exported and deleted', async (t) => {
    const place = ['--url', product.url, '--project', '1']
    const variables = { SLUICE_API_KEY: product.personalKey }
    const run = async (...args: string[]) => {
      const { status, stdout, stderr } = await runCommand([...args, ...place], variables)
      return { status, text: stdout.toString(), stderr }
    }
    const batch = ['bea', 'bea', 'cid'].map((distinct_id) => ({ event: 'seen', distinct_id }))
    await answered(`${product.url}/batch/`, { body: { api_key: product.projectKey, batch } })
    const bea = ['bea', '--by', 'distinct_id']
    const exported = await run('person', 'export', ...bea)
    t.match(JSON.parse(exported.text), { person: { distinct_ids: ['bea'] }, events: [{}, {}] })
    const dry = await run('person', 'delete', ...bea, '--delete-events', '--dry-run')
    t.match(dry, { status: 0, text: /would delete: person .*, 2 events/ })
    const gone = await run('person', 'delete', ...bea, '--delete-events', '--json')
    t.match(JSON.parse(gone.text), { kind: 'person', state: 'completed', deleted: 2 })
    t.match(gone.stderr, /of 2 events deleted/)
    t.match(await run('person', 'export', ...bea), { status: 1, stderr: /cannot export.*404/ })
    const counted = await run('events', 'delete', '--event', 'seen', '--dry-run')
    t.match(counted, { status: 0, text: 'would delete: 1 events\n' })
    const asked = await run('events', 'delete', '--event', 'seen', '--no-wait', '--json')
    t.match(JSON.parse(asked.text), { kind: 'events', state: 'running', total: 1 })
    const none = await run('events', 'delete')
    t.match(none, { status: 1, stderr: /cannot delete the events: Give a filter/ })
    const nobody = await runCommand(['events', 'delete', ...place], { SLUICE_API_KEY: '' })
    t.match(nobody, { status: 2, stderr: /SLUICE_API_KEY/ })
  })
})
