import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { Json } from '../../../../src/core/json.ts'
import { createKeyRing } from '../../../../src/core/secrets/key-ring.ts'
import { SECRET_MASK } from '../../../../src/plugins/settings/settings.ts'
import { loadPluginDefinitions } from '../../../../src/store/plugins/plugin-plan-store.ts'
import { sealAll } from '../../../../src/store/secrets/seal-all.ts'
import {
  listSecretKeys,
  requireSecretKeys,
} from '../../../../src/store/secrets/secret-keys-store.ts'
import {
  as,
  jsonField,
  OPERATOR_TOKEN,
  refusal,
  startManagement,
  TEST_KEYS,
} from '../../../support/api/management.ts'
import { configFields, installed } from '../../../support/plugins/plugins.ts'

const SECRET = 's3cret-of-the-tests'
const FILE = 'certificate-of-the-tests'
const OTHER_KEYS = createKeyRing([Buffer.alloc(32, 2)])
const BOTH_KEYS = createKeyRing([Buffer.alloc(32, 2), Buffer.alloc(32, 1)])

t.test('secrets of plugins', async (t) => {
  const m = await startManagement(t)
  const { sql, owner } = m
  const by = as(owner.personalApiKey)
  const plugins = m.services['sluice.v1.PluginService']
  const configs = m.services['sluice.v1.PluginConfigService']
  const project = owner.project?.id ?? 0
  const project_id = String(project)
  const certificate = {
    ...{ key: 'certificate', file_name: 'a.pem', content_type: 'text/plain' },
    contents: Buffer.from(FILE),
  }
  const made = async () => {
    const plugin = await installed(m, owner.personalApiKey)
    const fields = { ...configFields(), project_id, plugin, order: 1, enabled: true }
    const { id } = await configs.CreatePluginConfig({ ...fields, attachments: [certificate] }, by)
    const place = { project_id, id: String(id) }
    const write = (settings: Json) =>
      configs.UpdatePluginConfigSettings({ ...place, settings: jsonField(settings) }, by)
    await write({ token: SECRET, host: 'a' })
    return { id: id ?? 0, plugin, place, write }
  }
  const rowsOf = async (id: number) =>
    JSON.stringify(
      await sql`
        select c.settings, c.secret_names, encode(a.contents, 'escape') as file
        from plugin_configs c join plugin_attachments a on a.plugin_config_id = c.id
        where c.id = ${id}`,
    )
  const clear = async (id: number, keys = TEST_KEYS) => {
    const [definition] = await loadPluginDefinitions(sql, keys, projectId(project), [id])
    const file = definition?.attachments.get('certificate')?.contents ?? new Uint8Array()
    return { token: definition?.settings['token'], file: Buffer.from(file).toString() }
  }
  const asStored = { token: SECRET, file: FILE }
  const shown = async (place: { project_id: string; id: string }) =>
    JSON.parse((await configs.GetPluginConfig(place, by)).config ?? '')

  t.test('they are stored sealed, and the plugin gets them in clear', async (t) => {
    const { id, place, write } = await made()
    t.notMatch(await rowsOf(id), new RegExp(`${SECRET}|${FILE}`))
    t.match(await rowsOf(id), /"host":"a"/)
    t.same(await clear(id), asStored)
    t.match(await shown(place), { token: SECRET_MASK, certificate: { uid: -1, size: -1 } })
    const before = await rowsOf(id)
    await write({ token: SECRET })
    t.equal(await rowsOf(id), before, 'the same value is not sealed again')
    await write({ token: SECRET_MASK })
    t.same(await clear(id), asStored)
    const rows = await sql`select * from audit_log`
    t.notMatch(JSON.stringify(rows), new RegExp(`${SECRET}|${FILE}|\\$sealed`))
    const forged = write({ token: { $sealed: 'AQ==' } })
    t.match(await refusal(forged), { is: 'invalid_argument', attr: 'token' })
    await write({ token: '' })
    t.equal((await clear(id)).token, '')
    t.equal((await shown(place)).token, '')
  })

  t.test('a setting that was saved as secret stays secret, whatever the schema says', async (t) => {
    const { id, plugin, place, write } = await made()
    const bare = JSON.stringify({
      config: [{ key: 'token' }, { key: 'host' }, { key: 'certificate', type: 'attachment' }],
    })
    const source = { organization_id: owner.organizationId, id: String(plugin) }
    const files = jsonField({ 'plugin.json': bare })
    await plugins.UpdatePluginSource({ ...source, files }, by)
    t.match(await shown(place), { token: SECRET_MASK, host: 'a', certificate: { size: -1 } })
    await write({ host: 'b' })
    t.match(await shown(place), { token: SECRET_MASK, host: 'b', certificate: { size: -1 } })
    await write({ token: 'an0ther-secret' })
    t.match(await shown(place), { token: SECRET_MASK })
    t.notMatch(await rowsOf(id), /an0ther-secret/)
    await write({ token: '' })
    await write({ token: 'plain by now' })
    t.match(await shown(place), { token: 'plain by now' }, 'once it was cleared, it is another')
  })

  t.test(
    'rows of older releases are sealed, and those of another key anew, without a reload',
    async (t) => {
      const { id } = await made()
      const stampOf = async () =>
        (await sql`select updated_at from plugin_configs where id = ${id}`)[0]?.['updated_at']
      await sql`update plugin_configs set settings = ${`{"token": "${SECRET}"}`}::text::json
      where id = ${id}`
      await sql`update plugin_attachments set contents = ${Buffer.from(FILE)}, is_sealed = false
      where plugin_config_id = ${id}`
      t.same(await clear(id), asStored, 'they are read as they are')
      const stamp = await stampOf()
      t.ok((await sealAll(sql, TEST_KEYS)) > 0)
      t.notMatch(await rowsOf(id), new RegExp(`${SECRET}|${FILE}`))
      t.same(await clear(id), asStored)
      t.same(await stampOf(), stamp)
      t.equal(await sealAll(sql, TEST_KEYS), 0, 'a second time finds nothing')
      await t.rejects(sealAll(sql, OTHER_KEYS), { code: 'failed_precondition' })
      t.ok((await sealAll(sql, BOTH_KEYS)) > 0)
      t.same(await clear(id, OTHER_KEYS), asStored)
      await t.rejects(clear(id, TEST_KEYS), { message: /needs the key/ })
      const back = createKeyRing([Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
      await sealAll(sql, back)
    },
  )

  t.test('a worker without a key that the database needs does not start', async (t) => {
    await sql`delete from secret_keys`
    await requireSecretKeys(sql, createKeyRing([]))
    const together = [TEST_KEYS, OTHER_KEYS].map((ring) => requireSecretKeys(sql, ring))
    const ends = (await Promise.allSettled(together)).map(({ status }) => status)
    t.same(ends.sort(), ['fulfilled', 'rejected'], 'of two keys at once, one is taken')
    await sql`delete from secret_keys`
    await requireSecretKeys(sql, TEST_KEYS)
    const missing = new RegExp(`${TEST_KEYS.ids[0]}.*no key is set.*SECRETS_KEY`)
    await t.rejects(requireSecretKeys(sql, createKeyRing([])), { message: missing })
    const wrong = new RegExp(`${TEST_KEYS.ids[0]}.*this worker has ${OTHER_KEYS.ids[0]}`)
    await t.rejects(requireSecretKeys(sql, OTHER_KEYS), { message: wrong })
    await requireSecretKeys(sql, BOTH_KEYS)
    t.same(await listSecretKeys(sql), [TEST_KEYS.ids[0], OTHER_KEYS.ids[0]])
  })

  t.test('the operator seals all secrets under one key, which is then the only one', async (t) => {
    const { id } = await made()
    const operator = as(OPERATOR_TOKEN)
    await requireSecretKeys(sql, BOTH_KEYS)
    await sealAll(sql, BOTH_KEYS)
    t.match(await refusal(m.admin.RotateSecrets({ after: 0 }, by)), { is: 'unauthenticated' })
    const call = refusal(m.admin.RotateSecrets({ after: 0 }, operator))
    t.match(await call, { is: 'failed_precondition' }, 'not without the key of what is stored')
    const back = createKeyRing([Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
    await sealAll(sql, back)
    const { next = 0 } = await m.admin.RotateSecrets({ after: 0 }, operator)
    const done = await m.admin.RotateSecrets({ after: next }, operator)
    t.match(done, { key: TEST_KEYS.ids[0], sealed: 0, next: 0 })
    t.same(await listSecretKeys(sql), TEST_KEYS.ids)
    t.same(await clear(id), asStored)
  })
})
