import t from 'tap'
import { organizationId, projectId } from '../../../../src/core/ids.ts'
import { samplePropertyNames } from '../../../../src/event-store/postgres/reads/event-names-store.ts'
import { publicBody } from '../../../../src/wire/proto/render.ts'
import {
  as,
  jsonField,
  makeKey,
  makeUser,
  meFields,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'
import { putEvents } from '../../../support/ingest/events.ts'

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const PAGE = { limit: 0, offset: 0 }

t.test('the current user', async (t) => {
  const m = await startManagement(t, undefined, { version: '1.2.3' })
  const { sql, owner, users, projects, organizations } = m
  const ownerKey = owner.personalApiKey
  const project = owner.project?.id ?? projectId(1)
  const other = await makeUser(sql, 'other@example.com')
  const me = async (key: string) => publicBody('sluice.v1.User', await users.GetMe({}, as(key)))
  const patch = (fields: object, key = ownerKey) =>
    users.UpdateMe({ ...meFields(), ...fields }, as(key))
  const entries = async (user: number) =>
    await sql`select activity, changes, organization_id, item_name, key_id from audit_log
      where scope = 'User' and item_id = ${String(user)} order by id`

  t.test('every field is there, and no secret', async (t) => {
    await sql`update users set password_hash = 'a hash' where id = ${owner.userId}`
    const body = await me(ownerKey)
    t.match(body, {
      id: owner.userId,
      uuid: owner.userUuid,
      distinct_id: owner.distinctId,
      first_name: '',
      email: 'owner@example.com',
      date_joined: DATETIME,
      email_opt_in: false,
      anonymize_data: false,
      toolbar_mode: 'toolbar',
      notification_settings: { plugin_disabled: true },
      events_column_config: { active: 'DEFAULT' },
      has_password: true,
      is_staff: true,
      is_impersonated: false,
      team: {
        id: project,
        organization: owner.organizationId,
        api_token: owner.project?.apiToken,
        effective_membership_level: 15,
        app_urls: [],
        event_names: [],
        event_properties: [],
        event_names_with_usage: [],
        event_properties_with_usage: [],
      },
      organization: {
        id: owner.organizationId,
        membership_level: 15,
        teams: [{ id: project }],
        customer_id: null,
      },
      organizations: [{ id: owner.organizationId, membership_level: 15 }],
      service_version: '1.2.3',
    })
    const text = JSON.stringify(body)
    const [{ mask } = { mask: '' }] = await sql<{ mask: string }[]>`
      select mask_value as mask from personal_api_keys where user_id = ${owner.userId}`
    for (const secret of ['a hash', ownerKey, mask, 'other@example.com']) {
      t.notOk(text.includes(secret), 'none of it is shown')
    }
    await sql`update users set password_hash = null where id = ${owner.userId}`
  })

  t.test('names of events and properties come most used first', async (t) => {
    const user = await makeUser(sql, 'names@example.com')
    const id = user.project?.id ?? 0
    await sql`
      insert into event_definitions (id, project_id, name, volume_30_day, query_usage_30_day)
      values (gen_random_uuid(), ${id}, 'rare', 1, 7), (gen_random_uuid(), ${id}, 'often', 9, 0),
        (gen_random_uuid(), ${project}, 'foreign', 99, 0)`
    const long = 'x'.repeat(401)
    await putEvents(sql, id, [
      { timestamp: '2024-01-01T00:00:00Z', properties: { $os: 'Linux', plan: 'pro', [long]: 1 } },
      { timestamp: '2024-02-01T00:00:00Z', properties: { plan: 'free', zoom: 1 } },
      // An address that no client can send must not keep its project's users out.
      { timestamp: '2024-03-01T00:00:00Z', properties: ['no', 'object'] },
    ])
    await putEvents(sql, project, [
      { timestamp: '2024-03-01T00:00:00Z', properties: { foreign: true } },
    ])
    const team = (await me(user.personalApiKey))['team']
    t.match(team, {
      event_names: ['often', 'rare'],
      event_properties: ['plan', '$os', 'zoom'],
      event_names_with_usage: [
        { event: 'often', usage_count: 0, volume: 9 },
        { event: 'rare', usage_count: 7, volume: 1 },
      ],
      event_properties_with_usage: [
        { key: 'plan', usage_count: null, volume: null },
        { key: '$os' },
        { key: 'zoom' },
      ],
    })
    t.notMatch(JSON.stringify(team), /foreign|xxx/)
    await sql`delete from events`
  })

  t.test('the sample of properties keeps within its bounds', async (t) => {
    const user = await makeUser(sql, 'sample@example.com')
    const id = user.project?.id ?? projectId(1)
    const bounds = { events: 9, bytes: 1e6, nameLengthMax: 9, namesMax: 9 }
    const names = (more: Partial<typeof bounds>, timeoutMs = 60_000) =>
      samplePropertyNames(sql, id, { ...bounds, ...more }, timeoutMs)
    await putEvents(sql, id, [
      { timestamp: '2024-01-01T00:00:00Z', properties: { oldest: 1 } },
      { timestamp: '2024-01-02T00:00:00Z', properties: { middle: 1 } },
      { timestamp: '2024-01-03T00:00:00Z', properties: { newest: 'large'.repeat(40) } },
    ])
    t.same(await names({}), ['middle', 'newest', 'oldest'])
    t.same(await names({ events: 2 }), ['middle', 'newest'], 'the newest events')
    t.same(await names({ bytes: 1 }), ['newest'], 'one event however large it is')
    t.same(await names({ namesMax: 1 }), ['middle'])
    await sql.begin(async (tx) => {
      await tx`lock table events in access exclusive mode`
      t.same(await names({}, 20), [], 'a time-out is no failure of the call')
    })
    await sql`delete from events`
  })

  t.test('fields that are wrong are named, and nothing is written', async (t) => {
    const wrong = async (fields: object) => await refusal(patch(fields))
    t.match(await wrong({ first_name: ' ' }), { code: 'blank', attr: 'first_name' })
    t.match(await wrong({ first_name: 'x'.repeat(151) }), {
      code: 'max_length',
      attr: 'first_name',
    })
    t.match(await wrong({ email: 'nobody' }), { code: 'invalid_input', attr: 'email' })
    t.match(await wrong({ email: 'OTHER@example.com' }), { code: 'unique', attr: 'email' })
    t.match(await wrong({ toolbar_mode: 'hidden' }), {
      code: 'invalid_choice',
      attr: 'toolbar_mode',
    })
    t.match(await wrong({ events_column_config: jsonField([]) }), {
      code: 'invalid_input',
      attr: 'events_column_config',
    })
    for (const settings of [{ plugin_enabled: true }, { plugin_disabled: 1 }, { ['__proto__']: 1 }])
      t.match(
        await wrong({ first_name: 'New', notification_settings: jsonField(settings) }),
        { code: 'invalid_input', attr: 'notification_settings' },
        JSON.stringify(settings),
      )
    t.match(await me(ownerKey), { first_name: '', email: 'owner@example.com' })
    t.same(await entries(owner.userId), [])
  })

  t.test('every field is written, merged, and audited without secrets', async (t) => {
    const user = await makeUser(sql, 'fields@example.com')
    const key = user.personalApiKey
    const updated = await patch(
      {
        first_name: ' Ada ',
        email: 'Fields@example.com',
        email_opt_in: true,
        anonymize_data: true,
        toolbar_mode: 'disabled',
        events_column_config: jsonField({ active: ['event'] }),
        notification_settings: jsonField({ plugin_disabled: false }),
      },
      key,
    )
    t.match(publicBody('sluice.v1.User', updated), {
      first_name: 'Ada',
      email: 'Fields@example.com',
      email_opt_in: true,
      anonymize_data: true,
      toolbar_mode: 'disabled',
      events_column_config: { active: ['event'] },
      notification_settings: { plugin_disabled: false },
      is_staff: false,
    })
    await patch({ null_fields: ['email_opt_in'] }, key)
    const kept = await patch({ notification_settings: jsonField({}) }, key)
    t.match(publicBody('sluice.v1.User', kept), {
      email_opt_in: false,
      notification_settings: { plugin_disabled: false },
    })
    const logged = await entries(user.userId)
    t.equal(logged.length, 3)
    t.match(logged[0], { activity: 'updated', organization_id: user.organizationId })
    const fields = logged[0]?.['changes'].map((change: { field: string }) => change.field)
    t.same(
      fields.toSorted(),
      [
        ...['anonymize_data', 'email', 'email_opt_in', 'events_column_config', 'first_name'],
        ...['notification_settings', 'toolbar_mode'],
      ],
      'only what has changed',
    )
    t.notOk(JSON.stringify(logged).includes(key))
  })

  t.test('an empty update writes nothing', async (t) => {
    const before = await entries(other.userId)
    t.match(await patch({}, other.personalApiKey), { email: 'other@example.com' })
    t.same(await entries(other.userId), before)
  })

  t.test('only staff say who is staff, and it holds at once', async (t) => {
    const refused = await refusal(patch({ is_staff: true }, other.personalApiKey))
    t.match(refused, { is: 'permission_denied' })
    const staff = await makeUser(sql, 'staff@example.com')
    await sql`update users set is_staff = true where id = ${staff.userId}`
    const key = staff.personalApiKey
    t.ok(await users.ListUsers(PAGE, as(key)))
    t.equal((await patch({ is_staff: false }, key)).is_staff, false)
    t.match(await refusal(users.ListUsers(PAGE, as(key))), { is: 'permission_denied' })
  })

  t.test('the current place is chosen among what the caller sees', async (t) => {
    const user = await makeUser(sql, 'places@example.com')
    const key = user.personalApiKey
    const home = user.project?.id
    const second = await projects.CreateProject(projectFields(), as(key))
    const created = await organizations.CreateOrganization({ name: 'Away' }, as(key))
    const away = created.teams?.[0]?.id
    const placeOf = async (fields: object) => {
      const { team, organization } = await patch(fields, key)
      return [team?.id, organization?.id]
    }
    t.same(await placeOf({}), [away, created.id], 'what was made last')
    t.same(await placeOf({ set_current_team: String(second.id) }), [second.id, user.organizationId])
    t.same(await placeOf({ set_current_organization: created.id }), [away, created.id])
    const upper = user.organizationId.toUpperCase()
    t.same(
      await placeOf({ set_current_organization: upper }),
      [home, user.organizationId],
      'an organization alone brings its first project',
    )
    t.same(
      await placeOf({
        set_current_team: String(second.id),
        set_current_organization: user.organizationId,
      }),
      [second.id, user.organizationId],
    )
    const wrong = (fields: object) => refusal(patch({ first_name: 'Lost', ...fields }, key))
    const foreign = String(owner.project?.id)
    for (const id of [foreign, '999999', '0', '-1', 'abc', '1e3', '99999999999999']) {
      const refused = await wrong({ set_current_team: id })
      t.match(refused, { code: 'does_not_exist', attr: 'set_current_team' }, id)
    }
    for (const id of [owner.organizationId, 'abc', '1']) {
      const refused = await wrong({ set_current_organization: id })
      t.match(refused, { code: 'does_not_exist', attr: 'set_current_organization' }, id)
    }
    t.match(
      await wrong({ set_current_team: String(away), set_current_organization: upper }),
      { code: 'invalid_input', attr: 'set_current_team' },
      'a project of another organization',
    )
    t.match(await me(key), { first_name: '', team: { id: second.id } }, 'nothing is half-written')
    const logged = await entries(user.userId)
    t.match(logged[0]?.['changes'], [
      { field: 'set_current_team', before: String(away), after: String(second.id) },
      { field: 'set_current_organization', before: created.id, after: user.organizationId },
    ])
  })

  t.test('a place that has gone is repaired on reading, or is none', async (t) => {
    const user = await makeUser(sql, 'repaired@example.com')
    const key = user.personalApiKey
    const made = await projects.CreateProject(projectFields(), as(key))
    await sql`delete from projects where id = ${made.id ?? 0}`
    t.match(await me(key), { team: { id: user.project?.id } })
    const [row] = await sql`select current_project_id from users where id = ${user.userId}`
    t.equal(row?.['current_project_id'], user.project?.id, 'and the repair is kept')
    await sql`delete from projects where organization_id = ${user.organizationId}`
    t.match(await me(key), { team: null, organization: { id: user.organizationId, teams: [] } })
    await sql`delete from memberships where user_id = ${user.userId}`
    t.match(await me(key), { team: null, organization: null, organizations: [] })
  })

  t.test('a project that goes while a place is repaired is no failure', async (t) => {
    const user = await makeUser(sql, 'racing@example.com')
    await sql`update users set current_project_id = null where id = ${user.userId}`
    let reading: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await tx`delete from projects where id = ${user.project?.id ?? 0}`
      reading = me(user.personalApiKey)
      const isWaiting = async () => {
        const [row] = await tx`select exists (select from pg_locks where not granted) as waits`
        return row?.['waits'] === true
      }
      // The reader has seen the project, and is about to save it as the current one.
      while (!(await isWaiting()));
    })
    t.match(await reading, { team: null, organization: { id: user.organizationId } })
    t.match(await me(user.personalApiKey), { team: null })
  })

  t.test('a restricted key is let in and sees no more than it reaches', async (t) => {
    const user = await makeUser(sql, 'restricted@example.com')
    const home = organizationId(user.organizationId)
    const first = user.project?.id ?? 0
    const full = as(user.personalApiKey)
    const second = await projects.CreateProject(projectFields(), full)
    const away = await organizations.CreateOrganization({ name: 'Away' }, full)
    const hidden = { team: null, organization: null }
    const toFirst = await makeKey(sql, user, { projects: [first] })
    t.match(await me(toFirst), { ...hidden, organizations: [{ id: home }] }, 'current elsewhere')
    t.equal((await users.GetMe({}, as(toFirst))).organizations?.length, 1)
    await patch({ set_current_team: String(first) }, toFirst)
    const seen = await me(toFirst)
    t.match(seen, { team: { id: first }, organization: { id: home, teams: [{ id: first }] } })
    t.notMatch(JSON.stringify(seen), String(away.id))
    const organization = (await users.GetMe({}, as(toFirst))).organization
    t.same(
      organization?.teams?.map(({ id }) => id),
      [first],
      'not the second project',
    )
    for (const fields of [
      { set_current_team: String(second.id) },
      { set_current_organization: away.id },
    ]) {
      t.match(await refusal(patch(fields, toFirst)), { code: 'does_not_exist' })
    }
    const toAway = await makeKey(sql, user, { organizations: [String(away.id)] })
    t.match(await me(toAway), { ...hidden, organizations: [{ id: away.id }] })
    const refused = await refusal(patch({ set_current_team: String(first) }, toAway))
    t.match(refused, { code: 'does_not_exist', attr: 'set_current_team' })
    const moved = await patch({ set_current_organization: away.id }, toAway)
    t.equal(moved.organization?.id, away.id)
  })

  t.test('scopes of keys hold for the current user too', async (t) => {
    const reading = await makeKey(sql, other, { scopes: ['user:read'] })
    const elsewhere = await makeKey(sql, other, { scopes: ['project:write'] })
    t.ok(await users.GetMe({}, as(reading)))
    t.match(await refusal(patch({ first_name: 'No' }, reading)), { is: 'permission_denied' })
    t.match(await refusal(users.GetMe({}, as(elsewhere))), { is: 'permission_denied' })
  })

  t.test('other users are for staff with an unrestricted key', async (t) => {
    const get = (id: string, key: string) => users.GetUser({ id }, as(key))
    const plain = other.personalApiKey
    for (const id of [other.userUuid, owner.userUuid, 'abc']) {
      t.match(await refusal(get(id, plain)), { is: 'permission_denied' }, 'even oneself')
    }
    t.match(await refusal(users.ListUsers(PAGE, as(plain))), { is: 'permission_denied' })
    for (const limits of [{ projects: [project] }, { organizations: [owner.organizationId] }]) {
      const key = await makeKey(sql, owner, limits)
      t.match(await refusal(users.ListUsers(PAGE, as(key))), { is: 'permission_denied' })
      t.match(await refusal(get(other.userUuid, key)), { is: 'permission_denied' })
    }
    t.match(await get(other.userUuid.toUpperCase(), ownerKey), {
      id: other.userId,
      team: { id: other.project?.id },
      organization: { id: other.organizationId, membership_level: 15 },
    })
    for (const id of ['abc', '@me', String(other.userId), owner.organizationId, '']) {
      t.match(await refusal(get(id, ownerKey)), { is: 'not_found', detail: 'Not found.' }, id)
    }
    const page = await users.ListUsers({ limit: 1, offset: 1 }, as(ownerKey))
    t.match(page.results, [{ id: other.userId, email: 'other@example.com', is_active: true }])
    const [row] = await sql`select count(*)::integer as count from users`
    t.equal(page.count, row?.['count'])
  })
})
