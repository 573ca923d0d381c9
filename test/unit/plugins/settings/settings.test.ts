import fc from 'fast-check'
import t from 'tap'
import { isObject, type Json, type JsonObject } from '../../../../src/core/json.ts'
import {
  type AttachmentInfo,
  changedSecrets,
  mergeSettings,
  SECRET_MASK,
  shownSettings,
  type WriteMode,
} from '../../../../src/plugins/settings/settings.ts'
import { readConfigSchema } from '../../../../src/project/plugin-config-schema.ts'

const LIST = [
  { markdown: 'Only text, no setting' },
  { key: 'host', type: 'string', required: true },
  { key: 'token', type: 'string', secret: true },
  { key: 'region', type: 'choice', choices: ['eu', 'us'] },
  { key: 'plan', type: 'choice', choices: ['a', 'b'], secret: true },
  { key: 'rules', type: 'attachment' },
  { key: 'certificate', type: 'attachment', secret: true },
]
const schema = readConfigSchema(LIST)

function merged(stored: JsonObject, given: JsonObject, mode: WriteMode = 'change') {
  const result = mergeSettings(schema, stored, given, mode)
  return result.ok ? result.value : result.error
}

t.test('a schema is a list of entries or an object of them, and odd ones are passed over', (t) => {
  const byKey = { host: { type: 'string' }, token: { secret: true }, odd: 'text', none: null }
  t.same([...readConfigSchema(byKey).keys()], ['host', 'token'])
  t.same(
    [...schema.keys()],
    ['host', 'token', 'region', 'plan', 'rules', 'certificate'],
    'in order, text between the settings left out',
  )
  for (const odd of [null, 'x', 7, [], {}, [null, 'x', { key: 7 }, []]] as Json[]) {
    t.equal(readConfigSchema(odd).size, 0)
  }
  const twice = readConfigSchema([{ key: 'a', secret: true }, { key: 'a' }])
  t.equal(twice.get('a')?.isSecret, true, 'secret when either says so')
  t.same([...readConfigSchema([{ key: '__proto__', secret: true }]).keys()], ['__proto__'])
  t.end()
})

t.test('changes are merged, null clears, and what is not named stays', (t) => {
  const stored = { host: 'a', region: 'eu' }
  t.match(merged(stored, { region: 'us' }), { settings: { host: 'a', region: 'us' } })
  t.strictSame(merged(stored, { region: null }), { settings: { host: 'a' }, clearedFiles: [] })
  t.strictSame(merged(stored, { rules: null }), { settings: stored, clearedFiles: ['rules'] })
  t.end()
})

t.test('the settings of a form replace all but secrets and files', (t) => {
  const stored = { host: 'a', region: 'eu', token: 's3cret' }
  t.strictSame(merged(stored, { region: 'us', rules: null }, 'replace'), {
    settings: { token: 's3cret', region: 'us' },
    clearedFiles: [],
  })
  t.end()
})

t.test('a secret is kept by absence, null and its mask, and cleared by the empty text', (t) => {
  const stored = { token: 's3cret' }
  for (const mode of ['change', 'replace'] as const) {
    t.match(merged(stored, {}, mode), { settings: stored })
    t.match(merged(stored, { token: null }, mode), { settings: stored })
    t.match(merged(stored, { token: SECRET_MASK }, mode), { settings: stored })
    t.match(merged(stored, { token: '' }, mode), { settings: { token: '' } })
    t.match(merged(stored, { token: 'new' }, mode), { settings: { token: 'new' } })
  }
  t.strictSame(merged({}, { token: SECRET_MASK }), { settings: {}, clearedFiles: [] })
  t.end()
})

t.test('unknown settings, wrong choices and files as text are refused by their key', (t) => {
  t.match(merged({}, { host: 'a', nothing: 1 }), { key: 'nothing' })
  t.match(merged({}, { constructor: 'x' }), { key: 'constructor' })
  t.match(merged({}, { region: 'mars' }), { key: 'region', detail: /"mars"/ })
  t.match(merged({}, { region: 7 }), { key: 'region' })
  t.match(merged({}, { rules: 'text' }), { key: 'rules' })
  const sentBack = { rules: { uid: 'x', saved: true, size: 1, name: 'a', type: 'b' } }
  t.match(merged({}, sentBack), { settings: {} }, 'what was shown may be sent back')
  t.match(merged({}, { host: 'x'.repeat(70_000) }), { key: undefined, detail: /65536/ })
  t.end()
})

t.test('a wrong choice of a secret setting is not repeated', (t) => {
  const error = merged({}, { plan: 'my-password' })
  t.match(error, { key: 'plan' })
  t.notMatch(JSON.stringify(error), /my-password/)
  t.end()
})

const FILES: readonly AttachmentInfo[] = [
  { id: 'id-1', key: 'rules', fileName: 'rules.txt', contentType: 'text/plain', size: 12 },
  { id: 'id-2', key: 'certificate', fileName: 'acme.pem', contentType: 'x/pem', size: 99 },
]

t.test('shown settings: secrets masked, empty ones as they are, files by their kind', (t) => {
  const shown = shownSettings(schema, { host: 'a', token: 's3cret', plan: '' }, FILES)
  t.strictSame(shown, {
    host: 'a',
    token: SECRET_MASK,
    plan: '',
    rules: { uid: 'id-1', saved: true, size: 12, name: 'rules.txt', type: 'text/plain' },
    certificate: {
      uid: -1,
      saved: true,
      size: -1,
      name: SECRET_MASK,
      type: 'application/octet-stream',
    },
  })
  t.strictSame(
    shownSettings(schema, { gone: 'was it a secret?' }, [{ ...FILES[0], key: 'gone' } as never]),
    {},
    'nothing says whether a setting that is not declared any more was a secret',
  )
  t.end()
})

t.test('the audit log tells that a secret changed, which its mask cannot', (t) => {
  const before = { settings: { token: 'a', host: 'x' }, files: FILES }
  const after = { settings: { token: 'b', host: 'y' }, files: FILES.slice(0, 1) }
  const changed = changedSecrets(schema, before, after)
  t.same([...changed], ['token', 'certificate'], 'secrets only')
  t.equal(shownSettings(schema, after.settings, [], changed)['token'], `${SECRET_MASK} (changed)`)
  t.same([...changedSecrets(schema, before, before)], [])
  t.end()
})

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString')
const entry = fc.record({
  key,
  secret: fc.constantFrom(true, 'true', 1, false, undefined),
  type: fc.constantFrom('string', 'json', 'choice', 'attachment'),
  choices: fc.constantFrom(undefined, [], ['x'], ['secret-text']),
})

t.test('a secret never appears in what is shown, audited or refused, whatever is sent', (t) => {
  const value = fc.oneof(
    fc.constant(null),
    fc.constant(''),
    fc.constant(SECRET_MASK),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 6 }),
      fc.array(fc.tuple(key, value), { maxLength: 6 }),
      key,
      fc.constantFrom<WriteMode>('change', 'replace'),
      (entries, given, secretKey, mode) => {
        const declared = [...entries, { key: secretKey, type: 'string', secret: true }]
        const all = readConfigSchema(declared as unknown as Json)
        const secret = 's3cret-text-of-nobody-else'
        const stored = Object.fromEntries([[secretKey, secret]])
        const file = { id: 'id', key: secretKey, fileName: secret, contentType: secret, size: 1 }
        const change = Object.fromEntries(given) as JsonObject
        const result = mergeSettings(all, stored, change, mode)
        const written = mergeSettings(all, {}, { ...change, [secretKey]: secret }, mode)
        const shown = [result, written].map((each) => {
          if (!each.ok) return each.error
          const { settings } = each.value
          const changed = changedSecrets(
            all,
            { settings: stored, files: [file] },
            { settings, files: [] },
          )
          return [
            shownSettings(all, settings, [file]),
            shownSettings(all, settings, [file], changed),
          ]
        })
        return !JSON.stringify(shown).includes(secret)
      },
    ),
    { numRuns: 2_000 },
  )
  t.end()
})

t.test('sending back what was shown changes nothing', (t) => {
  const text = fc.string().filter((each) => each !== SECRET_MASK)
  fc.assert(
    fc.property(text, text, fc.constantFrom('eu', 'us'), (host, token, region) => {
      const stored: JsonObject = { host, token, region }
      const shown = shownSettings(schema, stored, FILES)
      for (const mode of ['change', 'replace'] as const) {
        const result = mergeSettings(schema, stored, shown, mode)
        if (!result.ok || !isObject(result.value.settings)) return false
        const same = Object.keys(stored).every(
          (each) => result.value.settings[each] === stored[each],
        )
        if (!same || result.value.clearedFiles.length > 0) return false
      }
      return true
    }),
  )
  t.end()
})
