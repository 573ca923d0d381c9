import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../../src/core/json.ts'
import { parseManifest } from '../../../../src/plugins/settings/manifest.ts'
import { readOrders } from '../../../../src/plugins/settings/orders.ts'
import { fileDigests, readSourceChange } from '../../../../src/plugins/settings/source-files.ts'

t.test('only the files of a plugin are taken, as text or null', (t) => {
  const read = readSourceChange({ 'index.ts': 'a', 'plugin.json': null, 'site.ts': '' })
  t.ok(read.ok)
  if (read.ok)
    t.same(Object.fromEntries(read.value), { 'index.ts': 'a', 'plugin.json': null, 'site.ts': '' })
  for (const file of ['../index.ts', 'index.tsx', '', '__proto__', 'constructor', 'INDEX.TS']) {
    const files = JSON.parse(`{${JSON.stringify(file)}: "x"}`) as JsonObject
    t.match(readSourceChange(files), { ok: false, error: { file } }, file)
  }
  for (const text of [7, true, {}, []]) {
    t.match(readSourceChange({ 'index.js': text }), { ok: false, error: { file: 'index.js' } })
  }
  t.end()
})

t.test('files are bounded in bytes, the one that is compiled more closely', (t) => {
  t.ok(readSourceChange({ 'index.ts': 'x'.repeat(1_048_576) }).ok)
  t.notOk(readSourceChange({ 'index.ts': 'x'.repeat(1_048_577) }).ok)
  t.notOk(readSourceChange({ 'index.ts': '\u20ac'.repeat(400_000) }).ok)
  t.ok(readSourceChange({ 'frontend.tsx': 'x'.repeat(131_072) }).ok)
  t.notOk(readSourceChange({ 'frontend.tsx': 'x'.repeat(131_073) }).ok)
  t.end()
})

t.test('a digest says which text it was and how long', (t) => {
  const digests = fileDigests([{ filename: 'index.ts', source: 'h\u00e9' }])
  t.match(digests['index.ts'], { bytes: 3, sha256: /^[0-9a-f]{64}$/ })
  t.not(
    JSON.stringify(digests),
    JSON.stringify(fileDigests([{ filename: 'index.ts', source: 'hi' }])),
  )
  t.end()
})

t.test(
  'plugin.json gives name, settings and public jobs; what it does not say is undefined',
  (t) => {
    t.strictSame(parseManifest('{"other": 1}'), {
      ok: true,
      value: { name: undefined, configSchema: undefined, publicJobs: undefined },
    })
    const text =
      '{"name": " Geo ", "config": [{"key": "a"}], "publicJobs": {"run": {"payload": {}}}}'
    t.match(parseManifest(text), {
      ok: true,
      value: { name: 'Geo', configSchema: [{ key: 'a' }], publicJobs: { run: { payload: {} } } },
    })
    t.match(parseManifest('{"config": {"a": {"secret": true}}}'), { ok: true })
    t.end()
  },
)

t.test('a plugin.json that is not one is refused, whatever it holds', (t) => {
  const settings = JSON.stringify({ config: Array.from({ length: 201 }, () => ({ key: 'a' })) })
  const deep = `{"config": {"a": {"b": ${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '7',
    '{"name": ""}',
    '{"name": "  "}',
    '{"name": 7}',
    '{"name": null}',
    `{"name": "${'x'.repeat(201)}"}`,
    '{"config": null}',
    '{"config": "x"}',
    '{"config": [7]}',
    '{"config": {"a": "b"}}',
    settings,
    deep,
    '{"publicJobs": []}',
    '{"publicJobs": {"run": 1}}',
    '{"publicJobs": {"run": {"payload": []}}}',
    `{"a": "${'x'.repeat(70_000)}"}`,
  ]) {
    t.equal(parseManifest(text).ok, false, text.slice(0, 60))
  }
  fc.assert(fc.property(fc.string(), (text) => typeof parseManifest(text).ok === 'boolean'))
  fc.assert(fc.property(fc.json(), (text) => typeof parseManifest(text).ok === 'boolean'))
  t.end()
})

t.test('orders are 32-bit integers by plugin id; keys that name no plugin are passed over', (t) => {
  t.strictSame(readOrders({ '3': 1, '12': '7', '4': -2, x: 1, '-1': 1, '0': 1, '9999999999': 1 }), [
    { plugin: 3, order: 1 },
    { plugin: 4, order: -2 },
    { plugin: 12, order: 7 },
  ])
  t.strictSame(readOrders({ '1': 1, '01': 2 }), [{ plugin: 1, order: 2 }], 'once each')
  for (const value of [1.5, '1.5', 'x', '', null, true, [], {}, 2_147_483_648, -2_147_483_649]) {
    t.equal(readOrders({ '1': value }), undefined, JSON.stringify(value))
    t.equal(readOrders({ unknown: value }), undefined, 'whatever the key')
  }
  t.strictSame(readOrders({ '1': '2.0' }), [{ plugin: 1, order: 2 }])
  t.end()
})
