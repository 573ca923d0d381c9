import t from 'tap'
import { fromValue } from '../../../../src/wire/proto/value.ts'
import {
  as,
  flagFields,
  jsonField,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const page = { limit: 0, offset: 0 }

t.test('feature flags', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, flags } = m
  const key = owner.personalApiKey
  const project_id = String(owner.project?.id)
  const member = await makeUser(sql, 'member@example.com', { organizationId: owner.organizationId })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const create = (fields: object, by = key) =>
    flags.CreateFeatureFlag({ ...flagFields(), project_id, ...fields }, as(by))
  const update = (id: number | undefined, fields: object, by = key) =>
    flags.UpdateFeatureFlag({ ...flagFields(), project_id, id: String(id), ...fields }, as(by))

  t.test('foreign projects are 403 for every method, unknown ones 404', async (t) => {
    const flag = await create({ key: 'tenancy' })
    const id = String(flag.id)
    const calls = (project_id: string, by: string) => [
      () => flags.ListFeatureFlags({ ...page, project_id }, as(by)),
      () => flags.CreateFeatureFlag({ ...flagFields(), project_id, key: 'x' }, as(by)),
      () => flags.GetFeatureFlag({ project_id, id }, as(by)),
      () => flags.UpdateFeatureFlag({ ...flagFields(), project_id, id, name: 'x' }, as(by)),
    ]
    for (const call of calls(project_id, outsider.personalApiKey)) {
      t.match(await refusal(call()), { is: 'permission_denied', attr: null })
    }
    for (const call of calls('999999', key)) {
      t.match(await refusal(call()), { is: 'not_found', detail: 'Project not found.' })
    }
    for (const call of calls('abc', key)) {
      t.match(await refusal(call()), { is: 'not_found', detail: 'Not found.' })
    }
    for (const call of calls(project_id, 'phx_wrong_key')) {
      t.match(await refusal(call()), { code: 'invalid_personal_api_key' })
    }
    const theirs = String(outsider.project?.id)
    const get = flags.GetFeatureFlag({ project_id: theirs, id }, as(outsider.personalApiKey))
    t.match(await refusal(get), { is: 'not_found' }, 'a flag of another project is not there')
  })

  t.test('a read key may not write', async (t) => {
    const read = await makeKey(sql, owner, { scopes: ['feature_flag:read'] })
    t.match(await refusal(create({ key: 'scoped' }, read)), {
      is: 'permission_denied',
      detail: /feature_flag:write/,
    })
    t.ok(await flags.ListFeatureFlags({ ...page, project_id }, as(read)))
  })

  t.test('bad fields are refused', async (t) => {
    t.match(await refusal(create({})), { code: 'required', attr: 'key' })
    t.match(await refusal(create({ key: 'no spaces' })), { code: 'invalid_input', attr: 'key' })
    t.match(await refusal(create({ key: 'x'.repeat(401) })), { code: 'max_length', attr: 'key' })
    const unknownVariant = { groups: [{ properties: [], variant: 'ghost' }] }
    t.match(await refusal(create({ key: 'a', filters: jsonField(unknownVariant) })), {
      code: 'invalid_input',
      attr: 'filters',
    })
    const cohort = { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 4711 }] }] }
    t.match(await refusal(create({ key: 'a', filters: jsonField(cohort) })), {
      code: 'cohort_does_not_exist',
    })
    const variants = [{ key: 'a', rollout_percentage: 50 }]
    const filters = jsonField({ groups: [], multivariate: { variants } })
    t.match(await refusal(create({ key: 'a', filters })), { code: 'invalid_input', attr: null })
  })

  t.test('a new flag has its defaults', async (t) => {
    const before = m.published.length
    const flag = await create({ key: 'plain' }, member.personalApiKey)
    t.match(flag, {
      key: 'plain',
      name: '',
      active: true,
      deleted: false,
      version: 1,
      is_simple_flag: true,
      experiment_set: [],
      performed_rollback: false,
      can_edit: true,
      tags: [],
      created_by: { id: member.userId, email: 'member@example.com' },
    })
    t.notOk('rollout_percentage' in flag, 'null travels as an unset field')
    t.same(fromValue(flag.filters), { groups: [{ properties: [], rollout_percentage: null }] })
    t.match(m.published.slice(before), [{ kind: 'revision' }])
  })

  t.test('filters come back as sent, and a simple flag repeats its percentage', async (t) => {
    const simple = { holdout: { id: 1 }, groups: [{ properties: [], rollout_percentage: 12.5 }] }
    const flag = await create({ key: 'simple', filters: jsonField(simple) })
    t.match(flag, { is_simple_flag: true, rollout_percentage: 12.5 })
    t.equal(JSON.stringify(fromValue(flag.filters)), JSON.stringify(simple), 'keys in their order')
    const property = { key: 'email', value: 'a', type: 'person' }
    const groups = [{ properties: [property], rollout_percentage: 50 }]
    const changed = await update(flag.id, { filters: jsonField({ groups }) })
    t.match(changed, { is_simple_flag: false, version: 2 })
    t.notOk('rollout_percentage' in changed)
  })

  t.test('the version rises with each change, and an empty one changes nothing', async (t) => {
    const flag = await create({ key: 'versions', tags: jsonField([' B ', 'a', 'b']) })
    t.same(flag.tags, ['a', 'b'])
    t.equal((await update(flag.id, {})).version, 1)
    const renamed = await update(flag.id, { name: 'described' })
    t.match(renamed, { name: 'described', version: 2, tags: ['a', 'b'] })
    await sql`update feature_flags set performed_rollback = true where id = ${flag.id ?? 0}`
    t.equal((await update(flag.id, { active: false })).performed_rollback, true)
    t.match(await update(flag.id, { active: true }), { performed_rollback: false, version: 4 })
  })

  t.test('a key is unique among the flags that are not deleted', async (t) => {
    const first = await create({ key: 'unique' })
    const second = await create({ key: 'unique2' })
    t.match(await refusal(create({ key: 'unique' })), { code: 'unique', attr: 'key' })
    t.match(await refusal(update(second.id, { key: 'unique' })), { code: 'unique', attr: 'key' })
    const filters = jsonField({ groups: 5 })
    const both = { key: 'unique', filters }
    t.match(await refusal(create(both)), { attr: 'key' }, 'which comes before its filters')
    t.match(await refusal(update(second.id, both)), { attr: 'key' })
    t.match(await refusal(update(second.id, { filters })), { attr: 'filters' })
    t.equal((await update(second.id, {})).version, 1, 'and nothing of it was written')
    await update(first.id, { deleted: true })
    const get = (id: number | undefined) =>
      flags.GetFeatureFlag({ project_id, id: String(id) }, as(key))
    t.equal((await get(first.id)).deleted, true, 'a deleted flag is still readable')
    const again = await create({ key: 'unique' })
    t.not(again.id, first.id)
    t.match(await refusal(get(first.id)), { is: 'not_found' }, 'its namesake has gone for good')
  })

  t.test('one of two that create the same key at once is refused', async (t) => {
    const results = await Promise.allSettled([create({ key: 'race' }), create({ key: 'race' })])
    t.same(results.map((result) => result.status).sort(), ['fulfilled', 'rejected'])
  })

  t.test('the list hides deleted flags, newest first, in pages', async (t) => {
    const { projects } = m
    const made = await projects.CreateProject({ ...projectFields(), name: 'Listed' }, as(key))
    const place = { project_id: String(made.id) }
    for (const name of ['one', 'two', 'three']) {
      await flags.CreateFeatureFlag({ ...flagFields(), ...place, key: name }, as(key))
    }
    const all = await flags.ListFeatureFlags({ ...page, ...place }, as(key))
    t.same(
      all.results?.map((flag) => flag.key),
      ['three', 'two', 'one'],
    )
    const gone = String(all.results?.[1]?.id)
    const deletion = { ...flagFields(), ...place, id: gone, deleted: true }
    await flags.UpdateFeatureFlag(deletion, as(key))
    const rest = await flags.ListFeatureFlags({ ...place, limit: 1, offset: 1 }, as(key))
    t.equal(rest.count, 2)
    t.same(
      rest.results?.map((flag) => flag.key),
      ['one'],
    )
  })

  t.test('ids that no flag can have are not found', async (t) => {
    for (const id of ['0', '-1', 'abc', '99999999999', '1.5', '']) {
      const call = flags.GetFeatureFlag({ project_id, id }, as(key))
      t.match(await refusal(call), { is: 'not_found', detail: 'Not found.' })
    }
  })

  t.test('a missing object is 404 before a wrong body is 400', async (t) => {
    const body = { stage: 'fields', type: 'validation_error', code: 'invalid_input', detail: 'x' }
    const wrong = { 'x-sluice-body-error': JSON.stringify({ ...body, attr: 'name' }) }
    const call = (id: string) =>
      refusal(flags.UpdateFeatureFlag({ ...flagFields(), project_id, id }, as(key, wrong)))
    t.match(await call('999999'), { is: 'not_found' })
    const flag = await create({ key: 'wrong-body' })
    t.match(await call(String(flag.id)), { code: 'invalid_input', attr: 'name' })
  })
})
