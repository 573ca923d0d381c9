/** Asks every reading endpoint for data of another tenant, by its ids and names. */
import type { Test } from 'tap'
import { endpoints } from '../../api/generated/endpoints.ts'
import { until } from '../until.ts'
import type { Person, World } from './api-world.ts'
import { valueAt } from './placeholders.ts'

/** Text in names and values of the owner's objects, and in no request of the outsider. */
const SECRET = 'kept-by-its-tenant'
const EVENT = 'their_event'
const PERSON = 'their_person'
/** Least number of endpoints that show the secret to its owner; fewer would prove nothing. */
const SHOWN_MIN = 8

type Ids = ReadonlyMap<string, unknown>

/**
 * A new endpoint is asked too, since the list is the contract's. The outsider names the owner's
 * project and organization, and then the own ones with the owner's objects and names.
 */
export async function assertNothingShared(t: Test, world: World): Promise<void> {
  const ids = await makeThings(world)
  // A stream has no end; `live-events.test.ts` asks it for another tenant's events.
  const reads = endpoints().filter(({ verb, path }) => verb === 'GET' && !path.endsWith('/live/'))
  const ask = async (as: Person, path: string) => {
    const query = `by=distinct_id&search=kept-by&limit=100&event=${EVENT}`
    const names = `distinct_id=${PERSON}&token=${world.names.get('token')}`
    return (await call(world, as, 'GET', `${path}?${query}&${names}`)).text
  }
  let shown = 0
  for (const { name, path } of reads) {
    const theirs = (await ask('owner', filled(path, ids))).includes(SECRET)
    if (theirs) shown += 1
    for (const parents of ['theirs', 'own'] as const) {
      const text = await ask('outsider', filled(path, parents === 'own' ? foreign(ids) : ids))
      t.notMatch(text, SECRET, `${name}, ${parents}`)
      t.notMatch(text, String(world.names.get('token')), `${name}, ${parents}: no key`)
    }
  }
  t.ok(shown >= SHOWN_MIN, `the owner sees it at ${shown} of ${reads.length} endpoints`)
  await assertNothingDeleted(t, world, ids)
}

/** Tries deletions as the outsider, with ids of the owner's objects. */
async function assertNothingDeleted(t: Test, world: World, ids: Ids): Promise<void> {
  const own = `/api/projects/${ids.get('foreign_project')}`
  const person = `${own}/persons/${PERSON}/?by=distinct_id&delete_events=true`
  t.equal((await call(world, 'outsider', 'DELETE', person)).status, 404)
  const asked = await call(world, 'outsider', 'POST', `${own}/deletions/`, { distinct_id: PERSON })
  t.match(asked, { status: 201, body: { total: 0 } })
  const deletion = `${own}/deletions/${valueAt(asked.body, 'id')}/`
  await until('it is over', async () => {
    const { body } = await call(world, 'outsider', 'GET', deletion)
    return valueAt(body, 'state') === 'completed'
  })
  const list = `/api/projects/${ids.get('project')}/events/?distinct_id=${PERSON}`
  const { body, text } = await call(world, 'owner', 'GET', list)
  t.match(body, { count: 1 })
  t.match(text, SECRET)
}

async function makeThings(world: World): Promise<Ids> {
  const ids = new Map(world.names)
  const project = `/api/projects/${ids.get('project')}`
  const organization = `/api/organizations/${ids.get('organization')}`
  const make = async (name: string, path: string, body: object) => {
    const made = await call(world, 'owner', 'POST', path, body)
    if (made.status >= 300) throw new Error(`${path} answers ${made.status}: ${made.text}`)
    ids.set(name, valueAt(made.body, 'id'))
  }
  const properties = { [SECRET]: SECRET, $set: { name: SECRET } }
  const captured = { api_key: ids.get('token'), event: EVENT, distinct_id: PERSON, properties }
  const kept = await call(world, 'owner', 'POST', '/capture/', captured)
  if (kept.status !== 200) throw new Error(`capture answers ${kept.status}: ${kept.text}`)
  const listed = await call(world, 'owner', 'GET', `${project}/events/?event=${EVENT}&limit=1`)
  ids.set('thing_event', valueAt(listed.body, 'results.0.id'))
  ids.set('thing_person', PERSON)
  ids.set('thing_flag_key', SECRET)
  await make('thing_flag', `${project}/feature_flags/`, { key: SECRET, name: SECRET })
  await make('thing_deletion', `${project}/deletions/`, { event: SECRET })
  await make('thing_plugin', `${organization}/plugins/`, { plugin_type: 'source', name: SECRET })
  const config = { plugin: ids.get('thing_plugin'), order: 1 }
  await make('thing_config', `${project}/plugin_configs/`, config)
  const invite = { target_email: 'somebody@example.com', first_name: SECRET }
  await make('thing_invite', `${organization}/invites/`, invite)
  return ids
}

/** The same objects under the outsider's own parents. */
function foreign(ids: Ids): Ids {
  const parents = ['project', 'organization'] as const
  return new Map([...ids, ...parents.map((name) => [name, ids.get(`foreign_${name}`)] as const)])
}

/** Fills the path. Names without an object get an id that nobody has. */
function filled(path: string, ids: Ids): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids.get(name) ?? 2_000_000_000))
}

async function call(world: World, as: Person, verb: string, path: string, body?: object) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { authorization: `Bearer ${world.keys[as]}`, ...json }
  return await world.http.call({ verb, path, headers, body: body && JSON.stringify(body) })
}
