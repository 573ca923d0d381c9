import t from 'tap'
import type { FeatureFlag } from '../../../../proto/gen/sluice/v1/FeatureFlag.ts'
import type { Json } from '../../../../src/core/json.ts'
import { createKeyRing } from '../../../../src/core/secrets/key-ring.ts'
import { REDACTED_PAYLOAD } from '../../../../src/store/secrets/flag-payloads.ts'
import { sealAll } from '../../../../src/store/secrets/seal-all.ts'
import { publicBody } from '../../../../src/wire/proto/render.ts'
import { fromValue } from '../../../../src/wire/proto/value.ts'
import {
  as,
  flagFields,
  jsonField,
  OPERATOR_TOKEN,
  refusal,
  startManagement,
  TEST_KEYS,
} from '../../../support/api/management.ts'
import { backupOf } from '../../../support/servers/backup.ts'

const SECRET = '"s3cret-of-the-flags"'
const OTHER = '"an0ther-of-the-flags"'
const ANY = /s3cret-of|an0ther-of/
const BOTH_KEYS = createKeyRing([Buffer.alloc(32, 2), Buffer.alloc(32, 1)])
const MASKED = { true: REDACTED_PAYLOAD }

t.test('secret payloads of flags', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, flags } = m
  const by = as(owner.personalApiKey)
  const project_id = String(owner.project?.id)
  const token = owner.project?.apiToken ?? ''
  const filtersWith = (payload: Json) =>
    jsonField({ groups: [{ rollout_percentage: 100 }], payloads: { true: payload } })
  const create = (key: string, payload: Json, isSecret = true) =>
    flags.CreateFeatureFlag(
      {
        ...{ ...flagFields(), project_id, key, filters: filtersWith(payload) },
        has_encrypted_payloads: isSecret,
      },
      by,
    )
  const update = (id: number | undefined, fields: object) =>
    flags.UpdateFeatureFlag({ ...flagFields(), project_id, id: String(id), ...fields }, by)
  const payloadsOf = (flag: FeatureFlag) =>
    (fromValue(flag.filters) as { payloads: unknown }).payloads
  const remote = async (key: string) =>
    (await flags.GetRemoteConfig({ project_id, key }, by)).payload
  const stored = async () => JSON.stringify(await sql`select filters from feature_flags`)
  const logged = async () => JSON.stringify(await sql`select changes, snapshot from audit_log`)
  const changesOf = async (id: number | undefined) => {
    const page = { limit: 1, offset: 0, project_id, id: String(id) }
    const { results = [] } = await flags.ListFeatureFlagActivity(page, by)
    const changes = results[0]?.detail?.changes ?? []
    return new Map(changes.map((each) => [each.field, fromValue(each.after)]))
  }

  t.test('they are sealed where they are stored, and masked where they are shown', async (t) => {
    const made = await create('kept', SECRET)
    const page = { project_id, limit: 10, offset: 0 }
    const shown = [
      made,
      await flags.GetFeatureFlag({ project_id, id: String(made.id) }, by),
      (await flags.ListFeatureFlags(page, by)).results?.[0] ?? {},
      (await flags.ListFeatureFlagsByToken({ token, limit: 10, offset: 0 }, by)).results?.[0] ?? {},
      (await flags.GetMyFlags({ project_id, groups: null }, by)).results?.[0]?.feature_flag ?? {},
    ]
    for (const each of shown) t.same(payloadsOf(each), MASKED)
    t.notMatch(await stored(), ANY)
    t.notMatch(await logged(), ANY)
    t.notMatch(await backupOf(sql), ANY)
    t.equal(await remote('kept'), SECRET)
    const answer = await flags.GetFlagDefinitions({ token }, by)
    const { flags: local } = publicBody('sluice.v1.GetFlagDefinitionsResponse', answer) as {
      flags: { filters: object }[]
    }
    t.match(local, [{ filters: { payloads: { true: SECRET } } }], 'a library evaluates by it')
    const { snapshot } =
      (await sql`select snapshot from audit_log where scope = 'FeatureFlag'`)[0] ?? {}
    t.match(JSON.stringify(snapshot), /\$sealed/, 'a version holds it sealed')
  })

  t.test('a payload that comes back masked is kept, and another one taken', async (t) => {
    const { id } = await create('edited', SECRET)
    const before = await stored()
    const same = await update(id, { filters: filtersWith(REDACTED_PAYLOAD) })
    t.same(payloadsOf(same), MASKED)
    t.equal(await stored(), before)
    t.notOk((await changesOf(id)).has('filters'))
    await update(id, { name: 'of another name' })
    await update(id, { filters: filtersWith(SECRET) })
    t.equal(await stored(), before, 'the same value is not sealed again')
    await update(id, { filters: filtersWith(OTHER) })
    t.equal(await remote('edited'), OTHER)
    t.match((await changesOf(id)).get('filters'), { payloads: { true: /encrypted, changed/ } })
    t.notMatch(await logged(), ANY)
    const rollback = { project_id, id: String(id), version: 1 }
    t.same(payloadsOf(await flags.RollbackFeatureFlag(rollback, by)), MASKED)
    t.equal(await remote('edited'), SECRET, 'a version brings its payload back')
  })

  t.test('nobody has a payload stored that is masked or sealed already', async (t) => {
    const wrong = { is: 'invalid_argument', attr: 'filters' }
    t.match(await refusal(create('copied', REDACTED_PAYLOAD)), wrong)
    t.match(await refusal(create('forged', { $sealed: 'AQ==' })), wrong)
    t.match(await refusal(create('forged', { $sealed: 'AQ==' }, false)), wrong)
  })

  t.test('a public value is masked everywhere once it is secret', async (t) => {
    const { id } = await create('turned', SECRET, false)
    await update(id, { filters: filtersWith(OTHER) })
    t.match(await logged(), ANY)
    const secret = await update(id, { has_encrypted_payloads: true })
    t.same(payloadsOf(secret), MASKED)
    t.same([...(await changesOf(id)).keys()], ['has_encrypted_payloads'])
    t.equal(await remote('turned'), OTHER)
    t.notMatch(await logged(), ANY)
    t.notMatch(await backupOf(sql), ANY)
    const open = await update(id, { has_encrypted_payloads: false })
    t.same(payloadsOf(open), { true: OTHER }, 'whoever turns it off makes it public')
    t.match(await stored(), /an0ther-of/)
    await update(id, { filters: filtersWith('1') })
    await flags.RollbackFeatureFlag({ project_id, id: String(id), version: 3 }, by)
    t.notMatch(await stored(), ANY, 'its secret version is secret again')
    t.equal(await remote('turned'), OTHER)
    await sql`delete from feature_flags where id = ${id ?? 0}`
  })

  t.test(
    'rows of older releases are sealed, in the log too, and anew under a new key',
    async (t) => {
      const { id } = await create('older', SECRET)
      const gone = await create('gone', SECRET)
      await sql`delete from feature_flags where id = ${gone.id ?? 0}`
      const filters = JSON.stringify({ payloads: { true: SECRET } })
      const change = [
        { field: 'filters', action: 'created', before: null, after: JSON.parse(filters) },
      ]
      await sql`update feature_flags set filters = ${filters}::text::json where id = ${id ?? 0}`
      await sql`
      update audit_log set changes = ${JSON.stringify(change)}::text::json,
        snapshot = jsonb_set(snapshot::jsonb, '{filters}', ${filters}::text::jsonb)::json
      where scope = 'FeatureFlag' and item_id in (${String(id)}, ${String(gone.id)})`
      t.equal(await remote('older'), SECRET, 'they are read as they are')
      t.equal(await sealAll(sql, TEST_KEYS), 2)
      for (const text of [await stored(), await logged()]) t.notMatch(text, ANY)
      t.equal(await sealAll(sql, TEST_KEYS), 0, 'a second time finds nothing')
      await t.rejects(sealAll(sql, createKeyRing([Buffer.alloc(32, 2)])), {
        message: /needs the key/,
      })
      t.ok((await sealAll(sql, BOTH_KEYS)) > 2)
      t.match(await refusal(remote('older')), { is: 'failed_precondition' })
      const back = createKeyRing([Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
      t.ok((await sealAll(sql, back)) > 2)
      t.equal(await remote('older'), SECRET)
      const operator = as(OPERATOR_TOKEN)
      const configs = await m.admin.RotateSecrets({ after: 0 }, operator)
      t.match(configs, { sealed: 0, next: -1 }, 'flags come after the configs of plugins')
      const last = await m.admin.RotateSecrets({ after: configs.next ?? 0 }, operator)
      t.match(last, { sealed: 0, next: 0 })
    },
  )
})
