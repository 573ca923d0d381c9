import t from 'tap'
import type { Json } from '../../../src/core/json.ts'
import { fromValue } from '../../../src/wire/proto/value.ts'
import {
  as,
  flagFields,
  jsonField,
  makeUser,
  refusal,
  startManagement,
} from '../../support/api/management.ts'

t.test('my flags', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, flags } = m
  const key = owner.personalApiKey
  const project_id = String(owner.project?.id)
  const create = (name: string, filters: Json, more: object = {}) => {
    const fields = { ...flagFields(), project_id, key: name, filters: jsonField(filters), ...more }
    return flags.CreateFeatureFlag(fields, as(key))
  }
  const ask = async (groups?: Json, by = key) => {
    const request = { project_id, groups: groups === undefined ? null : jsonField(groups) }
    const { results = [] } = await flags.GetMyFlags(request, as(by))
    return results.map(({ feature_flag, value }) => [feature_flag?.key, fromValue(value)])
  }
  const only = (distinctId: string) => ({
    groups: [{ properties: [{ key: 'distinct_id', type: 'person', value: distinctId }] }],
  })

  t.test('a project without flags has none', async (t) => t.same(await ask(), []))

  t.test('they come out for the distinct id of the caller, newest first', async (t) => {
    const member = await makeUser(sql, 'member@example.com', {
      organizationId: owner.organizationId,
    })
    await create('mine', only(owner.distinctId))
    await create('variant', {
      groups: [{ properties: [] }],
      multivariate: { variants: [{ key: 'blue', rollout_percentage: 100 }] },
    })
    await create('inactive', {}, { active: false })
    await create('deleted', {}, { deleted: true })
    await create('servers', {}, { evaluation_runtime: 'server' })
    const others: [string, boolean | string][] = [
      ['servers', true],
      ['variant', 'blue'],
    ]
    t.same(await ask(), [...others, ['mine', true]])
    t.same(await ask(undefined, member.personalApiKey), [...others, ['mine', false]])
  })

  t.test('the flag is the whole object', async (t) => {
    const { results = [] } = await flags.GetMyFlags({ project_id, groups: null }, as(key))
    const id = String(results[0]?.feature_flag?.id)
    t.same(results[0]?.feature_flag, await flags.GetFeatureFlag({ project_id, id }, as(key)))
  })

  t.test('stored properties and the groups that are named count', async (t) => {
    await sql`
      with person as (
        insert into persons (project_id, uuid, properties, created_at)
        values (${owner.project?.id ?? 0}, gen_random_uuid(), '{"plan": "pro"}', now())
        returning id
      )
      insert into distinct_ids (project_id, distinct_id, person_id)
      select ${owner.project?.id ?? 0}, ${owner.distinctId}, id from person`
    await sql`
      insert into group_types (project_id, group_type, type_index)
      values (${owner.project?.id ?? 0}, 'company', 0)`
    await create('by-plan', {
      groups: [{ properties: [{ key: 'plan', value: 'pro', type: 'person' }] }],
    })
    await create('by-company', { groups: [{ properties: [] }], aggregation_group_type_index: 0 })
    t.match(await ask(), [
      ['by-company', false],
      ['by-plan', true],
    ])
    t.match(await ask({ company: 'acme' }), [['by-company', true]])
    t.match(await ask({ company: ['no', 'key'] }), [['by-company', false]])
  })

  t.test('groups that are no object are refused', async (t) => {
    t.match(await refusal(ask(['company'])), { code: 'invalid_input', attr: 'groups' })
    t.match(await refusal(ask('x')), { code: 'invalid_input', attr: 'groups' })
  })
})
