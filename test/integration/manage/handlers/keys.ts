import t from 'tap'
import { keyDigest } from '../../../../src/access/keys.ts'
import type { Json } from '../../../../src/core/json.ts'
import { PERSONAL_KEYS_MAX } from '../../../../src/manage/people/key-rules.ts'
import {
  as,
  jsonField,
  keyFields,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const VALUE = /^phx_[0-9A-Za-z]{43}$/

type Limits = { scopes?: Json; scoped_teams?: Json; scoped_organizations?: Json }

t.test('personal keys', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, keys, projects, organizations } = m
  const outsider = await makeUser(sql, 'outsider@example.com')

  const held = (limits: Limits) => {
    const entries = Object.entries(limits).map(([name, json]) => [name, jsonField(json)])
    return { ...keyFields(), ...Object.fromEntries(entries) }
  }
  const create = (key: string, limits: Limits = {}, label = 'A key') =>
    keys.CreatePersonalApiKey({ ...held(limits), label }, as(key))
  const update = (key: string, id: string, limits: Limits, more: object = {}) =>
    keys.UpdatePersonalApiKey({ ...held(limits), ...more, id }, as(key))
  const get = (key: string, id: string) => keys.GetPersonalApiKey({ id }, as(key))
  const roll = (key: string, id: string) => keys.RollPersonalApiKey({ id }, as(key))
  const remove = (key: string, id: string) => keys.DeletePersonalApiKey({ id }, as(key))
  const list = async (key: string) =>
    (await keys.ListPersonalApiKeys({}, as(key))).results?.map(({ id }) => id) ?? []
  const idOf = async (key: string) => String((await get(key, '@current')).id)
  const entries = async (item: string) =>
    await sql`select * from audit_log where scope = 'PersonalApiKey' and item_id = ${item}
      order by id`

  t.test('a key is made with its value shown once, and works at once', async (t) => {
    const user = await makeUser(sql, 'maker@example.com')
    const by = user.personalApiKey
    const told = m.published.length
    const made = await create(by, {}, ' Laptop ')
    t.match(made, {
      id: /^[0-9A-Za-z]{43}$/,
      label: 'Laptop',
      created_at: DATETIME,
      user_id: user.userId,
      scopes: ['*'],
      scoped_teams: [],
      scoped_organizations: [],
      value: VALUE,
    })
    t.notOk(made.last_used_at ?? made.last_rolled_at, 'null before the first time')
    const value = String(made.value)
    t.equal(made.mask_value, `phx_...${value.slice(-4)}`)
    t.same(m.published.slice(told), [{ kind: 'keys' }])
    t.equal(await idOf(value), made.id)
    t.same(await list(value), [made.id, await idOf(by)], 'newest first')
    for (const shown of [
      await get(by, String(made.id)),
      await update(by, String(made.id), {}, { label: 'Desktop' }),
      await keys.ListPersonalApiKeys({}, as(by)),
      await entries(String(made.id)),
    ]) {
      const text = JSON.stringify(shown)
      t.notOk(text.includes(value) || text.includes('"value"'), 'never shown again')
    }
    const stored = await sql`select * from personal_api_keys where id = ${String(made.id)}`
    t.notOk(JSON.stringify(stored).includes(value))
    t.same(stored[0]?.['key_sha256'], keyDigest(value), 'stored as its digest alone')
    await remove(by, String(made.id))
  })

  t.test('fields that are wrong are named', async (t) => {
    const { personalApiKey: by } = owner
    const wrong = (limits: Limits, label?: string) => refusal(create(by, limits, label))
    const unlabelled = keys.CreatePersonalApiKey(keyFields(), as(by))
    t.match(await refusal(unlabelled), { code: 'required', attr: 'label' })
    t.match(await wrong({}, ' '), { code: 'blank', attr: 'label' })
    t.match(await wrong({}, 'x'.repeat(41)), { code: 'max_length', attr: 'label' })
    for (const scope of ['project', 'nothing:read', 'project:delete', 'personal_api_key:write']) {
      const refused = await wrong({ scopes: ['user:read', scope] })
      t.match(refused, { code: 'invalid_input', attr: 'scopes' }, scope)
    }
    t.match(await wrong({ scopes: [] }), { code: 'invalid_input', attr: 'scopes' })
    t.match(await wrong({ scopes: 'user:read' }), { code: 'not_a_list', attr: 'scopes' })
    for (const id of [outsider.project?.id ?? 0, 0, -1, 999_999, '99999999999', '7e1']) {
      t.match(await wrong({ scoped_teams: [id] }), { attr: 'scoped_teams' }, String(id))
    }
    for (const id of [true, null, 1.5, 'abc', [1], {}]) {
      const refused = await wrong({ scoped_teams: [id] })
      t.match(refused, { code: 'incorrect_type', attr: 'scoped_teams' }, JSON.stringify(id))
    }
    for (const id of [outsider.organizationId, 'abc', '1']) {
      const refused = await wrong({ scoped_organizations: [id] })
      t.match(refused, { code: 'does_not_exist', attr: 'scoped_organizations' }, id)
    }
    t.equal((await list(by)).length, 1, 'none was made')
  })

  t.test('limits are kept, each item once, and null restricts nothing', async (t) => {
    const { personalApiKey: by, organizationId } = owner
    const project = owner.project?.id ?? 0
    const made = await create(by, {
      scopes: ['organization_member:write', 'query:read', 'query:read'],
      scoped_teams: [project, String(project)],
      scoped_organizations: [organizationId.toUpperCase(), organizationId],
    })
    t.match(made, {
      scopes: ['organization_member:write', 'query:read'],
      scoped_teams: [project],
      scoped_organizations: [organizationId],
    })
    t.equal(made.scoped_teams?.length, 1)
    const id = String(made.id)
    const nulls = ['scoped_teams', 'scoped_organizations']
    const freed = await update(by, id, {}, { null_fields: nulls })
    t.match(freed, { scopes: ['organization_member:write', 'query:read'], scoped_teams: [] })
    t.same(freed.scoped_organizations, [])
    t.match(await refusal(update(by, id, { scopes: [] })), { attr: 'scopes' })
    t.match(await refusal(update(by, id, { scopes: ['x:read'] })), { attr: 'scopes' })
    t.same((await update(by, id, { scopes: ['*'] })).scopes, ['*'])
    const before = await entries(id)
    t.match(await update(by, id, {}), { id, scopes: ['*'] }, 'an empty update changes nothing')
    t.same(await entries(id), before)
    t.match(
      before.map((entry) => entry['activity']),
      ['created', 'updated', 'updated'],
    )
    t.match(before[0], { organization_id: organizationId, user_id: owner.userId })
    t.match(before[1]?.['changes'], [
      { field: 'scoped_teams', before: [project], after: [] },
      { field: 'scoped_organizations', before: [organizationId], after: [] },
    ])
    await remove(by, id)
  })

  t.test('a restriction of a key is not judged again', async (t) => {
    const user = await makeUser(sql, 'left@example.com')
    const by = user.personalApiKey
    const made = await create(by, { scoped_organizations: [user.organizationId] })
    await sql`delete from memberships where user_id = ${user.userId}`
    const renamed = await update(by, String(made.id), {}, { label: 'Renamed' })
    t.match(renamed, { label: 'Renamed', scoped_organizations: [user.organizationId] })
  })

  t.test('projects that the caller does not see are as unknown', async (t) => {
    const { organizationId } = owner
    const member = await makeUser(sql, 'member@example.com', { organizationId })
    const closed = await projects.CreateProject(
      { ...projectFields(), access_control: true },
      as(owner.personalApiKey),
    )
    const limits = { scoped_teams: [Number(closed.id)] }
    const refused = await refusal(create(member.personalApiKey, limits))
    t.match(refused, { code: 'does_not_exist', attr: 'scoped_teams' })
  })

  t.test('the keys of others are not found', async (t) => {
    const mine = await create(owner.personalApiKey)
    const by = outsider.personalApiKey
    for (const id of [String(mine.id), 'unknown', '', '@me', 'a\0b', 'a%', '../x']) {
      for (const call of [get, roll, remove]) {
        const refused = await refusal(call(by, id))
        t.match(refused, { is: 'not_found', detail: 'Not found.' }, JSON.stringify(id))
      }
      const renamed = update(by, id, {}, { label: 'Mine' })
      t.match(await refusal(renamed), { is: 'not_found' })
    }
    t.notOk((await list(by)).includes(mine.id))
    t.equal((await get(owner.personalApiKey, String(mine.id))).label, 'A key')
    await remove(owner.personalApiKey, String(mine.id))
  })

  t.test('rolled, the old value is refused at once and the new one works', async (t) => {
    const user = await makeUser(sql, 'roller@example.com')
    const old = user.personalApiKey
    const id = await idOf(old)
    const told = m.published.length
    const rolled = await roll(old, '@current')
    t.match(rolled, { id, value: VALUE, last_rolled_at: DATETIME })
    t.same(m.published.slice(told), [{ kind: 'keys' }])
    t.match(await refusal(get(old, '@current')), { code: 'invalid_personal_api_key' })
    const value = String(rolled.value)
    const seen = await get(value, '@current')
    t.match(seen, { id, mask_value: `phx_...${value.slice(-4)}` })
    t.notOk('value' in seen)
    const [entry] = await entries(id)
    t.match(entry, { activity: 'rolled', key_id: id })
    t.notOk(JSON.stringify(entry).includes(value))
  })

  t.test('deleted, a key is refused at once, its own call included', async (t) => {
    const user = await makeUser(sql, 'deleter@example.com')
    const made = await create(user.personalApiKey)
    const value = String(made.value)
    t.ok(await get(value, '@current'), 'it is remembered')
    t.same(await remove(user.personalApiKey, String(made.id)), {})
    t.match(await refusal(get(value, '@current')), { code: 'invalid_personal_api_key' })
    t.same(await remove(user.personalApiKey, '@current'), {})
    t.match(await refusal(list(user.personalApiKey)), { code: 'invalid_personal_api_key' })
    t.match((await entries(String(made.id))).at(-1), { activity: 'deleted', item_name: 'A key' })
  })

  t.test('a user has ten keys, also when the last is asked for twice at once', async (t) => {
    const user = await makeUser(sql, 'many@example.com')
    const by = user.personalApiKey
    for (let made = 1; made < PERSONAL_KEYS_MAX - 1; made++) await create(by)
    const outcomes = await Promise.allSettled([create(by), create(by), create(by), create(by)])
    const made = outcomes.filter(({ status }) => status === 'fulfilled')
    t.equal(made.length, 1, 'room for one')
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      const refused = await refusal(Promise.reject(outcome.reason))
      t.match(refused, { is: 'invalid_argument', code: 'invalid_input', attr: null })
    }
    t.equal((await list(by)).length, PERSONAL_KEYS_MAX)
    await remove(by, String((await list(by))[0]))
    t.ok(await create(by), 'there is room again')
  })

  t.test('only a key that may do everything manages keys', async (t) => {
    const scopes = ['user:write', 'project:write', 'organization:write', 'query:write']
    const by = await makeKey(sql, outsider, { scopes })
    const id = await idOf(outsider.personalApiKey)
    for (const call of [
      () => list(by),
      () => create(by, { scopes: ['user:read'] }),
      () => get(by, '@current'),
      () => update(by, '@current', {}, { label: 'More' }),
      () => roll(by, id),
      () => remove(by, id),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' })
    }
  })

  t.test('a restricted key makes no key that reaches further', async (t) => {
    const user = await makeUser(sql, 'escalation@example.com')
    const first = Number(user.project?.id)
    const full = user.personalApiKey
    const second = Number((await projects.CreateProject(projectFields(), as(full))).id)
    const away = await organizations.CreateOrganization({ name: 'Away' }, as(full))
    const home = user.organizationId
    const byProject = await makeKey(sql, user, { projects: [first] })
    const byOrganization = await makeKey(sql, user, { organizations: [home] })
    for (const [limits, attr] of [
      [{}, 'scoped_teams'],
      [{ scoped_teams: [] }, 'scoped_teams'],
      [{ scoped_teams: [second] }, 'scoped_teams'],
      [{ scoped_teams: [first, second] }, 'scoped_teams'],
      [{ scoped_organizations: [home] }, 'scoped_teams'],
    ] as const) {
      const refused = await refusal(create(byProject, limits))
      t.match(refused, { is: 'invalid_argument', attr }, JSON.stringify(limits))
    }
    for (const limits of [
      {},
      { scoped_organizations: [] },
      { scoped_organizations: [String(away.id)] },
      { scoped_organizations: [home, String(away.id)] },
      { scoped_teams: [first] },
    ]) {
      const refused = await refusal(create(byOrganization, limits))
      t.match(refused, { is: 'invalid_argument', attr: 'scoped_organizations' })
    }
    const narrow = await create(byProject, { scoped_teams: [first], scopes: ['query:read'] })
    const within = { scoped_teams: [first, second], scoped_organizations: [home] }
    t.ok(await create(byOrganization, within), 'what is within may be made')
    const id = String(narrow.id)
    for (const limits of [{ scoped_teams: [] }, { scoped_teams: [second] }]) {
      const widened = await refusal(update(byProject, id, limits))
      t.match(widened, { is: 'invalid_argument', attr: 'scoped_teams' })
    }
    const self = await refusal(update(byProject, '@current', { scoped_teams: [] }))
    t.match(self, { attr: 'scoped_teams' }, 'nor widens itself')
    t.match(await update(byProject, id, { scopes: ['*'] }), { scopes: ['*'] })
    t.ok((await roll(byProject, id)).value)
    t.same(await remove(byProject, id), {})
  })

  t.test('a restricted key gets no hold of a key that reaches further', async (t) => {
    const user = await makeUser(sql, 'takeover@example.com')
    const full = user.personalApiKey
    const fullId = await idOf(full)
    const by = await makeKey(sql, user, { projects: [Number(user.project?.id)] })
    t.ok((await list(by)).includes(fullId), 'it may know of it')
    for (const call of [
      () => roll(by, fullId),
      () => remove(by, fullId),
      () => update(by, fullId, { scoped_teams: [Number(user.project?.id)] }),
      () => update(by, fullId, {}, { label: '' }),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied', attr: null })
    }
    t.equal(await idOf(full), fullId, 'it works as before')
    t.ok((await roll(by, '@current')).value, 'it may have a new value of its own')
  })

  t.test('the scopes of a key are changed at once', async (t) => {
    const user = await makeUser(sql, 'narrowed@example.com')
    const made = await create(user.personalApiKey)
    const value = String(made.value)
    t.ok(await list(value))
    await update(user.personalApiKey, String(made.id), { scopes: ['user:read'] })
    t.match(await refusal(list(value)), { is: 'permission_denied' })
  })
})
