import { join } from 'node:path'
import t from 'tap'
import { keyOf, urlOf } from '../../../../src/cli/events/instance-place.ts'
import { property } from '../../../../src/cli/events/send.ts'
import { eventJson, eventLine } from '../../../../src/cli/events/tail-output.ts'
import { readConfig } from '../../../../src/core/config/config.ts'

function configOf(env: Record<string, string>) {
  const read = readConfig('standalone', env)
  if (!read.ok) throw new Error(read.error.join())
  return read.value
}

t.test('a property is JSON where it can be read so, else a text', async (t) => {
  t.strictSame(property('total=12.5', property('plan=pro')), { plan: 'pro', total: 12.5 })
  t.strictSame(property('list=[1,{"a":null}]'), { list: [1, { a: null }] })
  t.strictSame(property('empty='), { empty: '' })
  t.strictSame(property('nothing=null'), { nothing: null })
  t.strictSame(property('a=b=c'), { a: 'b=c' })
  t.strictSame(Object.keys(property('__proto__=1')), ['__proto__'])
  t.throws(() => property('novalue'), /not name=value/)
  t.throws(() => property('=x'), /not name=value/)
})

t.test('the server is the one of this machine unless it is named', async (t) => {
  t.equal(urlOf(undefined, configOf({ HOST: '0.0.0.0', PORT: '9000' })), 'http://localhost:9000')
  t.equal(urlOf(undefined, configOf({ HOST: '::1' })), 'http://[::1]:8000')
  t.equal(urlOf('https://example.com/x/', configOf({})), 'https://example.com/x')
  for (const url of ['ftp://x', 'x', 'http://user:secret@x']) {
    t.throws(() => urlOf(url, configOf({})), { name: 'UsageError', message: /^((?!secret).)*$/ })
  }
})

t.test('a key is given, or of the first start; what is none is not shown', async (t) => {
  const keys = { projectApiKey: 'phc_of_the_file', personalApiKey: 7 }
  const dataDir = t.testdir({ 'first-keys.json': JSON.stringify(keys) })
  const config = configOf({ DATA_DIR: dataDir })
  t.equal(await keyOf('projectApiKey', undefined, config), 'phc_of_the_file')
  t.equal(await keyOf('projectApiKey', ' phc_given ', config), 'phc_given')
  await t.rejects(keyOf('personalApiKey', undefined, config), {
    message: /--key or SLUICE_API_KEY/,
  })
  await t.rejects(keyOf('projectApiKey', 'two words', config), { message: /^((?!words).)*$/ })
  const nowhere = configOf({ DATA_DIR: join(dataDir, 'nowhere') })
  await t.rejects(keyOf('projectApiKey', undefined, nowhere), { message: /--api-key/ })
})

t.test('an event is a line for people, or JSON with its numbers as they were', async (t) => {
  const event = {
    ...{ uuid: 'u', storedAt: '2026-01-01T00:00:01.000001Z', event: 'paid\u001b[2J' },
    ...{ distinctId: 'ann', timestamp: '2026-01-01T00:00:00.5+00:00' },
    properties: '{"big":12345678901234567890}',
  }
  t.equal(eventLine(event), '2026-01-01 00:00:00  paid·[2J  ann  {"big":12345678901234567890}')
  const json = eventJson(event)
  t.match(JSON.parse(json), { uuid: 'u', distinct_id: 'ann', stored_at: event.storedAt })
  t.ok(json.endsWith('"properties":{"big":12345678901234567890}}'))
})
