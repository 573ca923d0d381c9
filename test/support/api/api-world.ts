/** The product and the people that the API cases use. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { keyDigest, randomText } from '../../../src/access/keys.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { createHttpClient, type HttpClient, type Reply } from '../http/http-call.ts'
import { cleanEnv } from '../servers/clean-env.ts'
import { type Product, type Settings, startStandalone } from '../servers/product.ts'
import { valueAt } from './placeholders.ts'

export type Person = 'owner' | 'admin' | 'member' | 'outsider'

/** One running product with the people of the cases. */
export type World = {
  readonly product: Product
  /** Client of the cases. */
  readonly http: HttpClient
  /** Client of the test itself: HTTP, whatever the cases use. */
  readonly plainHttp: HttpClient
  /** Personal keys that may do everything. */
  readonly keys: Readonly<Record<Person, string>>
  /** Values that every case may refer to by name. */
  readonly names: ReadonlyMap<string, unknown>
}

/** A well-formed key that does not exist. */
export const UNKNOWN_KEY = 'phx_0000000000000000000000000000000000000000000'

/** No transaction has a later id. */
const MAX_XID = '9223372036854775807'

/** Starts `sluice start` on empty data and makes the people as an operator does. */
export async function makeWorld(t: Test): Promise<World> {
  const product = await startStandalone(t)
  const http = createHttpClient(product.url)
  t.teardown(() => http.close())
  const ask = (key: string, path: string) =>
    http.call({ verb: 'GET', path, headers: { authorization: `Bearer ${key}` } })

  const first = valueAt((await ask(product.personalKey, '/api/projects/')).body, 'results.0')
  const organization = valueAt(first, 'organization')
  const [admin, member, outsider] = await createUsers(product, [
    { email: 'admin@example.com', organization_id: organization, level: 8 },
    { email: 'member@example.com', organization_id: organization, level: 1 },
    { email: 'outsider@example.com', organization_name: 'Elsewhere' },
  ])
  const keyOf = (user: unknown) => String(valueAt(user, 'personal_api_key'))
  const keys = {
    owner: product.personalKey,
    admin: keyOf(admin),
    member: keyOf(member),
    outsider: keyOf(outsider),
  }
  const names = new Map<string, unknown>([
    ['project', valueAt(first, 'id')],
    ['token', product.projectKey],
    ['organization', organization],
    ['foreign_project', valueAt(outsider, 'project_id')],
    ['foreign_token', valueAt(outsider, 'project_api_key')],
    ['foreign_organization', valueAt(outsider, 'organization_id')],
    ['email_token', await awaitConfirmation(product, 'outsider@example.com')],
    ['unsubscribe_token', await subscribe(product, String(valueAt(first, 'id')))],
    ...(await sessionNames(http, 'session', keys.owner)),
    ...(await sessionNames(http, 'other_session', keys.owner)),
    ['held_deletion', await holdDeletion(product, String(valueAt(first, 'id')))],
    ...personNames('owner', asUser(await ask(keys.owner, '/api/users/@me/')), keys.owner),
    ...personNames('admin', admin, keys.admin),
    ...personNames('member', member, keys.member),
    ...personNames('outsider', outsider, keys.outsider),
  ])
  return { product, http, plainHttp: http, keys, names }
}

function personNames(person: Person, user: unknown, key: string): [string, unknown][] {
  return [
    [`${person}_id`, valueAt(user, 'user_id')],
    [`${person}_uuid`, valueAt(user, 'user_uuid')],
    [`${person}_distinct_id`, valueAt(user, 'distinct_id')],
    [`${person}_email`, `${person}@example.com`],
    [`${person}_key`, key],
  ]
}

function asUser({ body }: Reply): object {
  return {
    user_id: valueAt(body, 'id'),
    user_uuid: valueAt(body, 'uuid'),
    distinct_id: valueAt(body, 'distinct_id'),
  }
}

/** Signs in, as a page of the product does. */
async function sessionNames(
  http: HttpClient,
  name: string,
  personal_api_key: string,
): Promise<[string, unknown][]> {
  const { body, headers } = await http.call({
    verb: 'POST',
    path: '/api/login/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personal_api_key }),
  })
  const [cookie] = String(headers['set-cookie']).split(';')
  return [
    [`${name}_cookie`, cookie],
    [`${name}_csrf`, valueAt(body, 'csrf_token')],
  ]
}

/** Has a user confirm the own address again. @returns the token that a mail would have brought. */
async function awaitConfirmation(product: Product, email: string): Promise<string> {
  const token = randomText()
  await inDatabase(
    product,
    (sql) => sql`
      update users set pending_email = email, pending_email_at = now(),
        pending_email_sha256 = ${keyDigest(token)}
      where email = ${email}`,
  )
  return token
}

/** A subscription that is not sent, with an address. @returns the secret that a mail would have brought. */
async function subscribe(product: Product, project: string): Promise<string> {
  const token = randomText()
  await inDatabase(
    product,
    (sql) => sql`
      with s as (
        insert into subscriptions (id, project_id, kind, enabled, next_send_at)
        values (${randomUUID()}, ${project}::integer, 'summary', false, now()) returning id
      ), r as (
        insert into subscription_recipients (subscription_id, email)
        select id, 'ann@example.com' from s
      )
      insert into unsubscribe_tokens (digest, subscription_id, email)
      select ${keyDigest(token)}, id, 'ann@example.com' from s`,
  )
  return token
}

/**
 * A deletion by filter that runs and never begins: it waits for flushes of a later transaction than
 * any, and was asked for tomorrow, so nobody's patience ends. @returns its id.
 */
async function holdDeletion(product: Product, project: string): Promise<string> {
  const id = randomUUID()
  await inDatabase(
    product,
    (sql) => sql`
      insert into deletions (id, project_id, kind, filters, asked_at, asked_xid)
      values (${id}, ${project}::integer, 'events', '{"event":"none"}', now() + interval '1 day',
        ${MAX_XID}::bigint)`,
  )
  return id
}

async function inDatabase(product: Product, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const running = await findRunningPostgres(product.settings['DATA_DIR'] ?? '')
  if (running === undefined) throw new Error('no Postgres runs')
  const sql = createSql(running.connection, { applicationName: 'test', connectionsMax: 1, log })
  try {
    await work(sql)
  } finally {
    await sql.end()
    await running.release()
  }
}

/** One line each for `sluice admin`, as its answers come. */
async function createUsers(product: Product, users: readonly object[]): Promise<unknown[]> {
  const settings: Settings = cleanEnv({
    DATA_DIR: product.settings['DATA_DIR'] ?? '',
    GRPC_PORT: String(product.process.ports.grpc),
  })
  // `env -i` clears the test runner's settings for node processes, and becomes the process itself.
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const program = [process.execPath, join(packageRoot, 'bin', 'sluice'), 'admin']
  const child = spawn('env', ['-i', ...assignments, ...program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = users.map((user) => JSON.stringify({ op: 'create_user', first_name: '', ...user }))
  child.stdin.end(`${lines.join('\n')}\n`)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`the users are not made: ${output}`)
  return output
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}
