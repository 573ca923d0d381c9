import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { EventDefinition } from '../../../../proto/gen/sluice/v1/EventDefinition.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { projectId } from '../../../../src/core/ids.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../../../src/core/limits/limits-query.ts'
import { createLookedVolumes } from '../../../../src/manage/looked-volumes.ts'
import {
  addQueryCounts,
  refreshVolumes,
  removeOldQueryCounts,
} from '../../../../src/store/definitions/definitions-sql.ts'
import {
  as,
  jsonField,
  makeKey,
  makeUser,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const NAMES = ['$pageview', '$identify', 'Signed Up', 'signed_out', 'paid 100%', 'paid 1000']

async function setUp(t: Test) {
  const m = await startManagement(t)
  const { sql, owner } = m
  const definitions = m.services['sluice.v1.EventDefinitionService']
  const project = projectId(owner.project?.id ?? 0)
  const outsider = await makeUser(sql, 'outsider@example.com')
  await define(project, NAMES)
  await define(projectId(outsider.project?.id ?? 0), ['foreign'])

  async function define(of: number, names: readonly string[]) {
    await sql`insert into event_definitions (id, project_id, name, volume_30_day)
      select gen_random_uuid(), ${of}, name, place * 10
      from unnest(${[...names]}::text[]) with ordinality as n (name, place)`
  }
  const page = { project_id: String(project), limit: 0, offset: 0 }
  const list = async (more: object = {}, key = owner.personalApiKey) => {
    const { count, results } = await definitions.ListEventDefinitions({ ...page, ...more }, as(key))
    return { count, names: (results ?? []).map(({ name }) => name) }
  }
  const idOf = async (name: string) => {
    const [row] = await sql<{ id: string }[]>`
      select id from event_definitions where name = ${name}`
    return row?.id ?? ''
  }
  const get = (id: string, key = owner.personalApiKey): Promise<EventDefinition> =>
    definitions.GetEventDefinition({ project_id: String(project), id }, as(key))
  const update = (
    id: string,
    fields: object,
    key = owner.personalApiKey,
  ): Promise<EventDefinition> =>
    definitions.UpdateEventDefinition(
      { project_id: String(project), id, tags: null, null_fields: [], ...fields },
      as(key),
    )
  const entries = async (id: string) =>
    await sql<{ activity: string; user: number; changes: unknown; name: string }[]>`
      select activity, user_id as user, changes, item_name as name from audit_log
      where scope = 'EventDefinition' and item_id = ${id} order by created_at`
  return { m, sql, owner, project, outsider, page, list, get, update, idOf, entries }
}

t.test('event definitions', async (t) => {
  const { m, sql, owner, project, outsider, page, list, get, update, idOf, entries } =
    await setUp(t)
  const organizationId = owner.organizationId
  const member = await makeUser(sql, 'member@example.com', { organizationId })

  t.test('the most frequent come first, ties by name', async (t) => {
    t.same(await list(), { count: 6, names: NAMES.toReversed() })
    await sql`update event_definitions set volume_30_day = 7 where name like '$%'`
    t.same((await list()).names.slice(-2), ['$identify', '$pageview'])
    t.same((await list({ ordering: 'nonsense' })).names, (await list()).names)
    const rising = (await list({ ordering: 'volume_30_day' })).names
    t.same(rising.slice(0, 2), ['$identify', '$pageview'], 'ties the same way up')
    t.same(rising.at(-1), 'paid 1000')
  })

  t.test('names and questions order too', async (t) => {
    const byName = (await list({ ordering: 'name' })).names
    t.same(byName, [...NAMES].sort())
    t.same((await list({ ordering: '-name' })).names, byName.toReversed())
    await sql`update event_definitions set query_usage_30_day = 5 where name = 'signed_out'`
    t.same((await list({ ordering: '-query_usage_30_day' })).names, [
      'signed_out',
      ...byName.filter((name) => name !== 'signed_out'),
    ])
    t.equal((await list({ ordering: 'query_usage_30_day' })).names.at(-1), 'signed_out')
  })

  t.test('every word of a search is in the name, whatever the case, taken literally', async (t) => {
    t.same(await list({ search: 'SIGN' }), { count: 2, names: ['signed_out', 'Signed Up'] })
    t.same((await list({ search: 'up sign' })).names, ['Signed Up'])
    t.same((await list({ search: '100%' })).names, ['paid 100%'])
    t.same((await list({ search: 'd_o' })).names, ['signed_out'])
    t.same(await list({ search: '\\' }), { count: 0, names: [] })
    t.match(await refusal(list({ search: 'x'.repeat(401) })), {
      code: 'max_length',
      attr: 'search',
    })
  })

  t.test('a type selects the names of libraries or those of one’s own', async (t) => {
    t.same((await list({ event_type: 'event_posthog' })).names.sort(), ['$identify', '$pageview'])
    t.equal((await list({ event_type: 'event_custom' })).count, 4)
    t.equal((await list({ event_type: 'event' })).count, 6)
    t.match(await refusal(list({ event_type: 'action' })), {
      code: 'invalid_choice',
      attr: 'event_type',
    })
  })

  t.test('a page is counted as a whole', async (t) => {
    const all = (await list({ ordering: 'name' })).names
    const part = await list({ ordering: 'name', limit: 2, offset: 1 })
    t.same(part, { count: 6, names: all.slice(1, 3) })
  })

  t.test('one that nobody has touched is empty but for its figures', async (t) => {
    const definition = await get(await idOf('Signed Up'))
    t.match(definition, {
      name: 'Signed Up',
      description: '',
      tags: [],
      verified: false,
      is_action: 'false',
      is_calculating: false,
      post_to_chat: false,
      volume_30_day: 30,
      query_usage_30_day: 0,
    })
    t.match(definition.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    for (const field of ['owner', 'updated_by', 'verified_by', 'verified_at', 'created_by']) {
      t.notOk(field in definition, `${field} is null`)
    }
  })

  t.test('a malformed id, an unknown one and one of another project are unknown', async (t) => {
    for (const id of ['1', 'abc', randomUUID(), await idOf('foreign')]) {
      t.match(await refusal(get(id)), { is: 'not_found', detail: 'Not found.' })
      t.match(await refusal(update(id, { verified: true })), { is: 'not_found' })
    }
    t.match(await refusal(list({}, outsider.personalApiKey)), { is: 'permission_denied' })
    const id = await idOf('Signed Up')
    t.match(await refusal(get(id, outsider.personalApiKey)), { is: 'permission_denied' })
    t.match(await refusal(update(id, {}, outsider.personalApiKey)), { is: 'permission_denied' })
    t.match((await get(await idOf('Signed Up'))).description, '')
  })

  t.test('members change everything that can be written, and are named for it', async (t) => {
    const id = await idOf('paid 1000')
    const changed = await update(
      id,
      {
        owner: owner.userId,
        description: ' Over a thousand ',
        tags: jsonField([' Money', 'money', 'B2B']),
        post_to_chat: true,
      },
      member.personalApiKey,
    )
    t.match(changed, {
      owner: owner.userId,
      description: 'Over a thousand',
      tags: ['b2b', 'money'],
      post_to_chat: true,
      updated_by: { id: member.userId, email: 'member@example.com' },
    })
    t.equal(changed.last_updated_at, changed.updated_at)
    t.same(await get(id), changed)
    const [entry, ...others] = await entries(id)
    t.match(entry, { activity: 'updated', user: member.userId, name: 'paid 1000' })
    t.same(others, [])
    const fields = JSON.stringify(entry?.changes)
    t.match(fields, /"field":"description","action":"changed","before":"","after":"Over a/)
    t.notMatch(fields, /updated_by|updated_at/)
  })

  t.test('null clears the owner and the description, an empty list the tags', async (t) => {
    const id = await idOf('paid 1000')
    const nulls = ['owner', 'description']
    const cleared = await update(id, { null_fields: nulls, tags: jsonField([]) })
    t.notOk('owner' in cleared)
    t.notOk('description' in cleared)
    t.match(cleared, { tags: [], post_to_chat: true })
  })

  t.test('an update of nothing is still one', async (t) => {
    const id = await idOf('signed_out')
    const before = await get(id)
    const after = await update(id, {}, member.personalApiKey)
    t.not(after.updated_at, before.updated_at)
    t.equal(after.updated_by?.id, member.userId)
    t.same(
      { ...after, updated_at: '', last_updated_at: '' },
      {
        ...before,
        updated_at: '',
        last_updated_at: '',
        updated_by: after.updated_by,
      },
    )
    t.match(await entries(id), [{ changes: [] }])
  })

  t.test('the first verifier stays, until the definition is verified no longer', async (t) => {
    const id = await idOf('$pageview')
    const first = await update(id, { verified: true })
    t.match(first, { verified: true, verified_by: { id: owner.userId } })
    const again = await update(id, { verified: true }, member.personalApiKey)
    t.equal(again.verified_at, first.verified_at)
    t.equal(again.verified_by?.id, owner.userId)
    t.equal(again.updated_by?.id, member.userId)
    const kept = await update(id, { description: 'x' }, member.personalApiKey)
    t.equal(kept.verified_at, first.verified_at, 'other fields do not touch it')
    const dropped = await update(id, { verified: false })
    t.match(dropped, { verified: false })
    t.notOk('verified_by' in dropped || 'verified_at' in dropped)
    const third = await update(id, { verified: true }, member.personalApiKey)
    t.equal(third.verified_by?.id, member.userId)
    t.not(third.verified_at, first.verified_at)
  })

  t.test('an owner is a member of the organization', async (t) => {
    const id = await idOf('$identify')
    for (const user of [outsider.userId, 999_999, 0, -1]) {
      t.match(await refusal(update(id, { owner: user, description: 'no' })), {
        code: 'does_not_exist',
        attr: 'owner',
        detail: `Invalid pk "${user}" - object does not exist.`,
      })
    }
    t.equal((await get(id)).description, '', 'nothing of it is written')
    t.equal((await update(id, { owner: member.userId })).owner, member.userId)
    t.match(await refusal(update(id, { tags: jsonField('a') })), {
      code: 'not_a_list',
      attr: 'tags',
    })
    t.match(await refusal(update(id, { tags: jsonField(['x'.repeat(256)]) })), {
      code: 'max_length',
      attr: 'tags__0',
    })
  })

  t.test('a definition outlives its owner and who verified it', async (t) => {
    const leaver = await makeUser(sql, 'leaver@example.com', { organizationId })
    const id = await idOf('signed_out')
    await update(id, { owner: leaver.userId, verified: true }, leaver.personalApiKey)
    await sql`delete from users where id = ${leaver.userId}`
    const left = await get(id)
    t.match(left, { verified: true })
    t.notOk('owner' in left || 'verified_by' in left || 'updated_by' in left)
  })

  t.test('a key does no more than its scopes', async (t) => {
    const read = await makeKey(sql, owner, { scopes: ['event_definition:read'] })
    const id = await idOf('Signed Up')
    t.equal((await list({}, read)).count, 6)
    t.equal((await get(id, read)).name, 'Signed Up')
    t.match(await refusal(update(id, {}, read)), {
      is: 'permission_denied',
      detail: /event_definition:write/,
    })
  })

  t.test('lists that ask for an event by its name are told, files once', async (t) => {
    const key = as(owner.personalApiKey)
    const texts = { after: '', before: '', properties: '', order_by: '' }
    const query = { ...page, ...texts, select: [], where: [] }
    await m.events.ListEvents(query, key)
    await m.events.ListEvents({ ...query, event: 'Signed Up' }, key)
    t.same(m.askedEvents.splice(0), [[project, 'Signed Up']])
    const file = { project_id: page.project_id, query: { ...query, event: 'paid 100%' } }
    const columns = { ...file, columns_only: true, cursor: '' }
    const { start = '' } = await m.events.ListExportedEvents(columns, key)
    await m.events.ListExportedEvents({ ...file, columns_only: false, cursor: start }, key)
    t.same(m.askedEvents, [[project, 'paid 100%']])
  })

  t.test('volumes and uses are right for whoever looks, and summed up once a second', async (t) => {
    let now = 0
    let flushed = 0
    const flushAsked = async () => {
      flushed += 1
      await addQueryCounts(sql, [{ projectId: project, event: 'signed_out', count: 2 }])
    }
    const look = createLookedVolumes({ sql, clock: { monotonic: () => now }, flushAsked })
    const capture = (of: number, count: number) => sql`
      insert into event_counts as c (project_id, event, day, slot, count)
      values (${of}, 'signed_out', (now() at time zone 'UTC')::date, 0, ${count})
      on conflict (project_id, event, day, slot) do update set count = c.count + excluded.count`
    const volumes = async () => {
      const { volume_30_day: volume, query_usage_30_day: uses } = await get(
        await idOf('signed_out'),
      )
      return [volume, uses]
    }
    const foreign = projectId(outsider.project?.id ?? 0)
    await sql`update event_definitions set volume_30_day = 5 where project_id = ${foreign}`
    await capture(project, 3)
    await Promise.all([look(project), look(project)])
    t.same([await volumes(), flushed], [[3, 2], 1])
    await capture(project, 4)
    now = 999
    await look(project)
    t.same([await volumes(), flushed], [[3, 2], 1])
    now = 1_000
    await look(project)
    t.same([await volumes(), flushed], [[7, 4], 2])
    const [theirs] = await sql`
      select volume_30_day::int as volume from event_definitions where project_id = ${foreign}`
    t.same(theirs, { volume: 5 }, 'of that project alone')
    await sql`delete from event_counts`
    await sql`delete from event_query_counts`
  })

  t.test('questions of 30 days are summed up, known names only, and forgotten then', async (t) => {
    const count = (event: string, times: number) => ({ projectId: project, event, count: times })
    await addQueryCounts(sql, [count('Signed Up', 2), count('never seen', 1)])
    await addQueryCounts(sql, [count('Signed Up', 3)])
    await sql`insert into event_query_counts
      select project_id, event, day - 29, 10 from event_query_counts
      union all select project_id, event, day - 30, 100 from event_query_counts`
    await refreshVolumes(sql)
    t.equal((await get(await idOf('Signed Up'))).query_usage_30_day, 15)
    await removeOldQueryCounts(sql)
    const rows = await sql`select count::int from event_query_counts order by day`
    t.same(rows, [{ count: 10 }, { count: 5 }])
  })
})

t.test('a list that takes too long is told so, as other queries are', async (t) => {
  let skippedMs = 0
  let stepMs = 0
  const monotonic = () => {
    skippedMs += stepMs
    return systemClock.monotonic() + skippedMs
  }
  const clock = { ...systemClock, monotonic }
  const { sql, owner, services } = await startManagement(t, clock)
  const list = () =>
    services['sluice.v1.EventDefinitionService'].ListEventDefinitions(
      { project_id: String(owner.project?.id), limit: 0, offset: 0 },
      as(owner.personalApiKey),
    )
  t.match(await list(), { count: 0 })
  await sql.begin(async (tx) => {
    await tx`lock table event_definitions in access exclusive mode`
    // Whenever the time that is left is asked for, most of it has gone.
    stepMs = EVENT_QUERY_TIMEOUT_MS - 200
    t.match(await refusal(list()), { is: 'invalid_argument', code: 'query_timeout' })
  })
})
