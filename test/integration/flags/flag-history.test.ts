import fc from 'fast-check'
import t from 'tap'
import type { FeatureFlag } from '../../../proto/gen/sluice/v1/FeatureFlag.ts'
import type { Json } from '../../../src/core/json.ts'
import { publicBody } from '../../../src/wire/proto/render.ts'
import { fromValue } from '../../../src/wire/proto/value.ts'
import {
  as,
  flagFields,
  jsonField,
  makeUser,
  refusal,
  startManagement,
} from '../../support/api/management.ts'

const page = { limit: 0, offset: 0 }
/** Fields that are not settings of a version. */
const BESIDE = ['version', 'performed_rollback', 'created_by', 'created_at']

function settingsOf(flag: FeatureFlag): object {
  const all = Object.entries(publicBody('sluice.v1.FeatureFlag', flag))
  return Object.fromEntries(all.filter(([name]) => !BESIDE.includes(name)))
}

t.test('the history of a flag', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, flags } = m
  const key = owner.personalApiKey
  const project_id = String(owner.project?.id)
  const create = (fields: object) =>
    flags.CreateFeatureFlag({ ...flagFields(), project_id, ...fields }, as(key))
  const update = (id: number | undefined, fields: object) =>
    flags.UpdateFeatureFlag({ ...flagFields(), project_id, id: String(id), ...fields }, as(key))
  const rollBack = (id: number | string | undefined, version?: number, by = key) => {
    const given = version === undefined ? {} : { version }
    return flags.RollbackFeatureFlag({ project_id, id: String(id), ...given }, as(by))
  }
  const history = async (id: number | undefined, more: object = {}) => {
    const request = { ...page, project_id, id: String(id), ...more }
    return await flags.ListFeatureFlagActivity(request, as(key))
  }

  t.test('each change is an entry with its word, its version and what it changed', async (t) => {
    const flag = await create({ key: 'words' })
    await update(flag.id, { active: false })
    await update(flag.id, { deleted: true })
    await update(flag.id, { deleted: false })
    await rollBack(flag.id, 1)
    const { count, results = [] } = await history(flag.id)
    t.equal(count, 5)
    t.same(
      results.map(({ activity, detail }) => [activity, detail?.version]),
      [
        ['rolled_back', 5],
        ['restored', 4],
        ['deleted', 3],
        ['updated', 2],
        ['created', 1],
      ],
    )
    const changes = results[1]?.detail?.changes?.map(({ field, action, before, after }) => ({
      ...{ field, action, before: fromValue(before), after: fromValue(after) },
    }))
    t.same(changes, [{ field: 'deleted', action: 'changed', before: true, after: false }])
    const [latest] = (await history(flag.id, { limit: 1, offset: 1 })).results ?? []
    t.equal(latest?.activity, 'restored')
  })

  t.test('a value that only follows from the filters is no change of its own', async (t) => {
    const flag = await create({ key: 'derived' })
    await update(flag.id, { filters: jsonField({ groups: [{ rollout_percentage: 5 }] }) })
    const [latest] = (await history(flag.id)).results ?? []
    t.same(
      latest?.detail?.changes?.map((change) => change.field),
      ['filters'],
    )
  })

  t.test('a rollback makes a new version of the settings of an earlier one', async (t) => {
    const filters = { groups: [{ properties: [], rollout_percentage: 25 }], holdout: { id: 1 } }
    const first = await create({ key: 'back', name: 'first', filters: jsonField(filters) })
    await update(first.id, { name: 'second', tags: jsonField(['x']), filters: jsonField({}) })
    await update(first.id, { key: 'forth', deleted: true })
    const published = m.published.length
    const back = await rollBack(first.id, 1)
    t.equal(back.version, 4)
    t.same(settingsOf(back), settingsOf(first))
    t.equal(JSON.stringify(fromValue(back.filters)), JSON.stringify(filters), 'keys in their order')
    t.match(m.published.slice(published), [{ kind: 'revision' }], 'and it is told like any change')
    const again = await rollBack(first.id, 3)
    t.match(again, { version: 5, key: 'forth', deleted: true, name: 'second', tags: ['x'] })
    t.same(settingsOf(await rollBack(first.id, 4)), settingsOf(first), 'to a rollback, too')
  })

  t.test('a rollback to the current version changes nothing', async (t) => {
    const flag = await create({ key: 'current' })
    await update(flag.id, { name: 'now' })
    const back = await rollBack(flag.id, 2)
    t.match(back, { version: 2, name: 'now' })
    const { count, results = [] } = await history(flag.id)
    t.equal(count, 3)
    t.match(results, [{ activity: 'rolled_back', detail: { changes: [] } }, {}, {}])
  })

  t.test('a version that is not there is refused', async (t) => {
    const flag = await create({ key: 'versions' })
    const wrong = { code: 'does_not_exist', attr: 'version' }
    t.match(await refusal(rollBack(flag.id, 2)), wrong)
    t.match(await refusal(rollBack(flag.id, 2_147_483_647)), wrong)
    t.match(await refusal(rollBack(flag.id)), { code: 'required', attr: 'version' })
    t.match(await refusal(rollBack(flag.id, 0)), { code: 'min_value', attr: 'version' })
    await sql`delete from audit_log where item_id = ${String(flag.id)}`
    await update(flag.id, { name: 'x' })
    t.match(await refusal(rollBack(flag.id, 1)), wrong, 'nor one from before there was a history')
    t.equal((await rollBack(flag.id, 2)).version, 2)
  })

  t.test('settings that do not hold any more are refused, and nothing is written', async (t) => {
    const [cohort] = await sql<{ id: number }[]>`
      insert into cohorts (project_id) values (${Number(project_id)}) returning id`
    const property = { key: 'id', type: 'cohort', value: cohort?.id ?? 0 }
    const flag = await create({
      key: 'needy',
      filters: jsonField({ groups: [{ properties: [property] }] }),
    })
    await update(flag.id, { key: 'moved', filters: jsonField({ groups: [] }) })
    await sql`update cohorts set deleted = true`
    const gone = { code: 'cohort_does_not_exist', attr: 'filters' }
    t.match(await refusal(rollBack(flag.id, 1)), gone)
    await create({ key: 'needy' })
    const taken = { code: 'unique', attr: 'key' }
    t.match(await refusal(rollBack(flag.id, 1)), taken, 'the key comes before the filters')
    t.equal((await history(flag.id)).count, 2)
    const now = await flags.GetFeatureFlag({ project_id, id: String(flag.id) }, as(key))
    t.match(now, { key: 'moved', version: 2 })
  })

  t.test('event filters of flags that were made before they were refused stay', async (t) => {
    const property = { key: 'a', value: 1 }
    const filters = { groups: [{ properties: [property] }] }
    const flag = await create({ key: 'legacy' })
    await sql`update feature_flags set filters = ${JSON.stringify(filters)}::text::json
      where id = ${flag.id ?? 0}`
    await update(flag.id, { name: 'renamed' })
    const same = await update(flag.id, { active: false, filters: jsonField(filters) })
    t.same(fromValue(same.filters), filters, 'given back as they are')
    const other = { groups: [{ properties: [{ ...property, value: 2 }] }] }
    const refused = await refusal(update(flag.id, { filters: jsonField(other) }))
    t.match(refused, { code: 'invalid_input', attr: 'filters' })
    await update(flag.id, { filters: jsonField({ groups: [] }) })
    t.same(fromValue((await rollBack(flag.id, same.version)).filters), filters)
  })

  t.test('a cycle that would come about by a rollback is refused', async (t) => {
    const one = await create({ key: 'one' })
    const two = await create({ key: 'two' })
    const on = (id: number | undefined) => {
      const property = { key: String(id), type: 'flag', value: true, operator: 'flag_evaluates_to' }
      return { filters: jsonField({ groups: [{ properties: [property] }] }) }
    }
    await update(one.id, on(two.id))
    await update(one.id, { filters: jsonField({ groups: [] }) })
    await update(two.id, on(one.id))
    t.match(await refusal(rollBack(one.id, 2)), { code: 'invalid_input', attr: 'filters' })
  })

  t.test('whoever rolls back to an active flag ends its automatic switch-off', async (t) => {
    const flag = await create({ key: 'switched' })
    await update(flag.id, { active: false })
    await sql`update feature_flags set performed_rollback = true where id = ${flag.id ?? 0}`
    await update(flag.id, { name: 'x' })
    t.match(await rollBack(flag.id, 2), { active: false, performed_rollback: true })
    t.match(await rollBack(flag.id, 1), { active: true, performed_rollback: false })
  })

  t.test('history and rollback are of flags of the own project', async (t) => {
    const flag = await create({ key: 'own' })
    const outsider = await makeUser(sql, 'outsider@example.com')
    const by = outsider.personalApiKey
    t.match(await refusal(rollBack(flag.id, 1, by)), { is: 'permission_denied' })
    const place = { ...page, project_id: String(outsider.project?.id), id: String(flag.id) }
    t.match(await refusal(flags.ListFeatureFlagActivity(place, as(by))), { is: 'not_found' })
    const foreign = flags.RollbackFeatureFlag({ ...place, version: 1 }, as(by))
    t.match(await refusal(foreign), { is: 'not_found' })
    for (const id of ['abc', '0', '999999']) {
      t.match(await refusal(rollBack(id, 1)), { is: 'not_found' })
    }
  })

  const json = fc.json().map((text): Json => JSON.parse(text))
  // A condition needs a value.
  const wanted = json.filter((value) => value !== null)
  const filters = fc.record(
    {
      groups: fc.array(
        fc.record({
          properties: fc.array(
            fc.record({ key: fc.string(), value: wanted, type: fc.constant('person') }),
            {
              maxLength: 2,
            },
          ),
          rollout_percentage: fc.constantFrom(null, 0, 33.3, 100),
        }),
        { maxLength: 2 },
      ),
      payloads: fc.constantFrom({}, { true: '{"a": 1}' }),
      unknown: fc.dictionary(fc.string(), json, { maxKeys: 2 }),
    },
    { requiredKeys: ['groups'] },
  )
  const texts = fc.array(fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''))
  const change = fc.record(
    {
      moves: fc.boolean(),
      name: fc.string(),
      filters: filters.map(jsonField),
      deleted: fc.boolean(),
      active: fc.boolean(),
      ensure_experience_continuity: fc.boolean(),
      rollback_conditions: fc.array(json, { maxLength: 2 }).map(jsonField),
      tags: texts.map(jsonField),
      bucketing_identifier: fc.constantFrom('distinct_id', 'device_id'),
      evaluation_runtime: fc.constantFrom('all', 'server', 'client'),
      evaluation_contexts: texts.map(jsonField),
      has_encrypted_payloads: fc.boolean(),
      null_fields: fc.constantFrom([], ['rollback_conditions']),
    },
    { requiredKeys: [] },
  )

  t.test('after any changes, a rollback gives exactly what that version had', async (t) => {
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        async (changes, pick) => {
          const first = await create({ key: `random-${made++}` })
          const versions = new Map([[first.version, first]])
          for (const { moves, ...fields } of changes) {
            const key = moves ? { key: `moved-${made++}` } : {}
            const flag = await update(first.id, { ...fields, ...key })
            versions.set(flag.version, flag)
          }
          const wanted = [...versions.values()][pick % versions.size]
          const back = await rollBack(first.id, wanted?.version)
          t.same(settingsOf(back), settingsOf(wanted ?? {}))
          const read = await flags.GetFeatureFlag({ project_id, id: String(first.id) }, as(key))
          t.same(settingsOf(read), settingsOf(back), 'and that is what is stored')
        },
      ),
      { numRuns: 40 },
    )
  })
})
