import fc from 'fast-check'
import t, { type Test } from 'tap'
import { AppError } from '../../../src/core/code.ts'
import type { Json } from '../../../src/core/json.ts'
import {
  PLUGIN_KEY_CHARS_MAX,
  PLUGIN_STORAGE_VALUE_BYTES_MAX,
} from '../../../src/core/limits/limits-plugins.ts'
import {
  createPluginCursors,
  createPluginStorage,
  PLUGIN_STORAGE_KEYS_MAX,
} from '../../../src/store/plugins/plugin-storage-store.ts'
import { codePoint } from '../../support/code-points.ts'
import { createConfig } from '../../support/plugins/plugin-rows.ts'
import { testDatabase } from '../../support/servers/database.ts'

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const row = await createConfig(db.sql)
  const storage = createPluginStorage(db.sql, row.configId)
  const cursor = createPluginCursors(db.sql, row.configId)
  return { db, sql: db.sql, row, storage, cursor }
}

t.test('storage answers what was set last, of its own config', async (t) => {
  const { sql, row, storage } = await setUp(t)
  const other = createPluginStorage(sql, (await createConfig(sql, row.projectId)).configId)
  t.equal(await storage.get('a'), undefined)
  for (const value of [null, 0, '', [], { a: [1, { b: null }] }, JSON.parse('{"__proto__": 1}')]) {
    await storage.set('a', value)
    t.same(JSON.stringify(await storage.get('a')), JSON.stringify(value))
  }
  t.equal(await other.get('a'), undefined)
  await storage.del('a')
  await storage.del('a')
  t.equal(await storage.get('a'), undefined)
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: codePoint, minLength: 1, maxLength: 20 }),
      fc.jsonValue({ maxDepth: 5 }),
      async (key, value) => {
        // A value made by `fc.jsonValue` is JSON.
        const json: Json = JSON.parse(JSON.stringify(value).replace(/\\u0000/g, ''))
        await storage.set(key, json)
        t.same(await storage.get(key), json)
      },
    ),
    { numRuns: 50 },
  )
})

t.test('keys, values and their number are bounded, in words for the plugin', async (t) => {
  const { sql, row, storage, cursor } = await setUp(t)
  const long = 'k'.repeat(PLUGIN_KEY_CHARS_MAX)
  await storage.set(long, 1)
  for (const key of ['', `${long}k`]) {
    const calls: (() => Promise<unknown>)[] = [
      () => storage.get(key),
      () => storage.set(key, 1),
      () => storage.del(key),
      () => cursor.init(key, 1),
      () => cursor.increment(key, 1),
    ]
    for (const call of calls) {
      await t.rejects(call(), { message: 'The key must be a text of 1 to 200 characters.' })
    }
  }
  const full = 'ü'.repeat((PLUGIN_STORAGE_VALUE_BYTES_MAX - 2) / 2)
  await storage.set('full', full)
  t.equal(await storage.get('full'), full)
  await t.rejects(storage.set('full', `${full}ü`), { message: /larger than 1048576 bytes/ })
  let deep: Json = 1
  for (let level = 0; level < 65; level++) deep = [deep]
  await t.rejects(storage.set('deep', deep), { message: /nests more than 64 levels/ })
  const [{ kept } = { kept: 0 }] = await sql<{ kept: number }[]>`
    select count(*)::int as kept from plugin_storage`
  await sql`insert into plugin_storage (plugin_config_id, key, value)
    select ${row.configId}, 'many' || n, '1' from generate_series(1, ${PLUGIN_STORAGE_KEYS_MAX - kept}::integer) n`
  await t.rejects(storage.set('one more', 1), { message: /at most 10000 keys/ })
  await storage.set('full', 'others go on')
  t.equal(await storage.get('full'), 'others go on')
  await storage.del('full')
  await storage.set('one more', 1)
  t.equal(await storage.get('one more'), 1)
})

t.test('cursors count, also from several workers at once', async (t) => {
  const { sql, row, cursor } = await setUp(t)
  t.equal(await cursor.increment('never set', 3), 3)
  await cursor.init('a', 10)
  t.equal(await cursor.increment('a', -4), 6)
  await cursor.init('a', 100)
  const other = createPluginCursors(sql, row.configId)
  const calls = Array.from({ length: 40 }, (_, index) =>
    (index % 2 === 0 ? cursor : other).increment('a', 1),
  )
  const seen = await Promise.all(calls)
  t.same(
    seen.sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => 101 + index),
    'no two callers see one number',
  )
  for (const bad of [1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
    await t.rejects(cursor.increment('a', bad), { message: /whole numbers/ })
    await t.rejects(cursor.init('a', bad), { message: /whole numbers/ })
  }
  await sql`update plugin_cursors set value = 9223372036854775807 where key = 'a'`
  await t.rejects(cursor.increment('a', 1), { message: 'The number is out of range.' })
})

t.test('a config that is gone, and a database that is away, are errors', async (t) => {
  const { db, sql, storage, cursor } = await setUp(t)
  await db.pg.kill('SIGKILL')
  await t.rejects(storage.get('a'), AppError)
  await t.rejects(storage.set('a', 1), { code: 'unavailable' })
  await db.pg.restart()
  await storage.set('a', 1)
  await sql`delete from plugin_configs`
  t.equal(await storage.get('a'), undefined, 'nothing of it is left')
  await storage.del('a')
  const gone = { message: 'The plugin config has been removed.' }
  await t.rejects(storage.set('a', 1), gone)
  await t.rejects(cursor.init('a', 1), gone)
  await t.rejects(cursor.increment('a', 1), gone)
})
