import t from 'tap'
import type { FeatureFlag } from '../../../../proto/gen/sluice/v1/FeatureFlag.ts'
import { type OrganizationId, organizationId, projectId, userId } from '../../../../src/core/ids.ts'
import {
  AUDIT_SCOPES,
  AUDIT_VALUE_CHARS_MAX,
  type AuditEntry,
  audit,
} from '../../../../src/manage/audit.ts'
import { toWireValue } from '../../../../src/manage/wire-value.ts'
import { fieldRules, methods } from '../../../../src/wire/proto/proto.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const ENTRY = {
  scope: 'FeatureFlag',
  activity: 'updated',
  itemId: 7,
  itemName: 'beta',
  type: 'sluice.v1.FeatureFlag',
  before: null,
  after: null,
} satisfies AuditEntry

t.test('the audit log', async (t) => {
  const { sql } = await testDatabase(t)
  const organization: OrganizationId = organizationId('01890000-0000-7000-8000-000000000001')
  const place = { organizationId: organization, projectId: projectId(3) }
  const [user] = await sql<{ id: number }[]>`
    insert into users (uuid, distinct_id, email)
    values ('01890000-0000-7000-8000-00000000000a', 'd', 'a@example.com') returning id`
  const principal = { userId: userId(user?.id ?? 0), keyId: 'key id' }

  type Row = { changes: { field: string; action: string; before: unknown; after: unknown }[] }
  const written = async (entry: Partial<AuditEntry>) => {
    await audit(sql, { principal, access: place }, { ...ENTRY, ...entry })
    const [row] = await sql<
      Row[]
    >`select * from audit_log order by created_at desc, id desc limit 1`
    return row
  }
  const changesBetween = async (before: FeatureFlag | null, after: FeatureFlag | null, more = {}) =>
    (await written({ before, after, ...more }))?.changes

  t.test('an entry says who did what to which item, where, by which key', async (t) => {
    t.match(await written({ version: 4, snapshot: { key: 'beta' } }), {
      organization_id: organization,
      project_id: 3,
      user_id: principal.userId,
      key_id: 'key id',
      activity: 'updated',
      scope: 'FeatureFlag',
      item_id: '7',
      item_name: 'beta',
      item_version: 4,
      snapshot: { key: 'beta' },
      changes: [],
    })
  })

  t.test('a change without a key or outside a project leaves that out', async (t) => {
    const nobody = { principal: null, access: { organizationId: organization } }
    await audit(sql, nobody, { ...ENTRY, itemName: null })
    const [row] = await sql`select * from audit_log order by created_at desc, id desc limit 1`
    const nothing = { user_id: null, key_id: null, project_id: null, item_name: null }
    t.match(row, { ...nothing, item_version: null, snapshot: null })
  })

  t.test('changes are the fields that REST shows differently', async (t) => {
    const filters = toWireValue({ groups: [] })
    const other = toWireValue({ groups: [{ properties: [] }] })
    const before = { name: 'a', active: true, filters, tags: ['x'], created_at: 'then' }
    const after = { ...before, active: false, filters: other, rollout_percentage: 5 }
    t.same(await changesBetween(before, after), [
      {
        field: 'filters',
        action: 'changed',
        before: { groups: [] },
        after: { groups: [{ properties: [] }] },
      },
      { field: 'active', action: 'changed', before: true, after: false },
      { field: 'rollout_percentage', action: 'created', before: null, after: 5 },
    ])
    t.match(await changesBetween(after, before), [
      { field: 'filters' },
      { field: 'active' },
      { field: 'rollout_percentage', action: 'deleted', before: 5, after: null },
    ])
    t.same(await changesBetween(before, before), [])
  })

  t.test('a new item is all created, a removed one all deleted', async (t) => {
    const flag = { id: 7, key: 'beta' }
    const actions = (changes: Row['changes'] | undefined) =>
      new Set(changes?.map((change) => change.action))
    t.same(actions(await changesBetween(null, flag)), new Set(['created']))
    t.same(actions(await changesBetween(flag, null)), new Set(['deleted']))
    t.match(
      (await changesBetween(null, flag))?.find((change) => change.field === 'key'),
      { before: null, after: 'beta' },
    )
  })

  t.test('only the fact that a secret changed is kept', async (t) => {
    const changes = await changesBetween({ key: 'old' }, { key: 'new' }, { secrets: ['key'] })
    t.same(changes, [{ field: 'key', action: 'changed', before: '********', after: '********' }])
    const made = await changesBetween(null, { name: 'new' }, { secrets: ['name'] })
    t.match(
      made?.find((change) => change.field === 'name'),
      { before: null, after: '********' },
    )
    const [{ texts } = { texts: '' }] = await sql<{ texts: string }[]>`
      select string_agg(a::text, '') as texts from audit_log a where changes::text like '%****%'`
    t.notMatch(texts, /"(?:old|new)"/)
  })

  t.test('a derived field, and one of the caller, is no change', async (t) => {
    const derived = ['version']
    t.same(await changesBetween({ version: 1 }, { version: 2 }, { derived }), [])
    const type = 'sluice.v1.Project'
    const project = { id: 3, effective_membership_level: 1, updated_at: 'then' }
    const seen = { id: 3, effective_membership_level: 15, updated_at: 'now' }
    t.same((await written({ type, before: project, after: seen }))?.changes, [])
  })

  t.test('a value that is too long is told by its length and digest', async (t) => {
    const fits = 'x'.repeat(AUDIT_VALUE_CHARS_MAX - 2)
    const [kept] = (await changesBetween({ name: fits }, { name: `${fits}y` })) ?? []
    t.equal(kept?.before, fits)
    t.match(kept?.after, {
      omitted: true,
      characters: AUDIT_VALUE_CHARS_MAX + 1,
      sha256: /^[0-9a-f]{64}$/,
    })
    const long = (end: string) => ({ name: fits + end })
    const [told] = (await changesBetween(long('yy'), long('yz'))) ?? []
    t.notSame(told?.before, told?.after, 'two long values are still told apart')
  })

  t.test('text that only JSON can hold is kept', async (t) => {
    const odd = '\u0000 \u{1F600} "quoted" \\u0000'
    const [change] = (await changesBetween({ name: '' }, { name: odd })) ?? []
    t.equal(change?.after, odd)
  })
})

t.test('the contract names every scope where entries are asked for by it', async (t) => {
  const asked = methods().filter(({ service }) => service === 'sluice.v1.ActivityService')
  t.equal(asked.length, 2)
  for (const { request, name } of asked) {
    const field = request.fields['scope']
    t.same(field === undefined ? [] : fieldRules(field).choices, AUDIT_SCOPES, name)
  }
})
