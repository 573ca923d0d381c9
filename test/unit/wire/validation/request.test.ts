import t from 'tap'
import { decodeBodyError, encodeBodyError } from '../../../../src/wire/body-error.ts'
import { pageOf } from '../../../../src/wire/page.ts'
import { type MessageObject, methodByPath } from '../../../../src/wire/proto/proto.ts'
import { toValue } from '../../../../src/wire/proto/value.ts'
import { validateRequest } from '../../../../src/wire/validation/request.ts'
import { TIME_ZONES } from '../../../../src/wire/validation/time-zones.ts'
import { thingMethod } from '../../../support/api/things.ts'
import { COERCED, errorOf, json } from '../../../support/validation.ts'

const BLANK = 'blank name: This field may not be blank.'
const LONG = 'max_length name: Ensure this field has no more than 5 characters.'

t.test('a message of a gRPC caller is held to the same rules', async (t) => {
  const method = thingMethod('CreateThing')
  const check = (message: MessageObject) => validateRequest(method, message)
  t.equal(errorOf(check({ null_fields: [] })), 'required name: This field is required.')
  t.equal(errorOf(check({ name: '', null_fields: [] })), BLANK)
  t.equal(errorOf(check({ name: 'abcdef' })), LONG)
  t.equal(
    errorOf(check({ name: 'abc', null_fields: ['enabled'] })),
    'null enabled: This field may not be null.',
  )
  t.equal(
    errorOf(check({ name: 'abc', texts: toValue([true]) })),
    'invalid_input texts__0: Not a valid string.',
  )
  const read = check({
    project_id: '7',
    name: ' abc ',
    null_fields: ['note', 'object', 'unknown'],
    object: null,
    urls: toValue(null),
  })
  t.strictSame(read.ok && read.value, {
    project_id: '7',
    name: 'abc',
    null_fields: ['note', 'object', 'urls'],
  })
})

t.test('messages within a message are held to them too, null told from absent', async (t) => {
  const method = thingMethod('BulkThings')
  const check = (...things: object[]) => validateRequest(method, { things })
  const item = { target_email: 'a@x.org', null_fields: [] }
  const nulled = { target_email: 'b@x.org', message: 'left over', null_fields: ['message'] }
  const read = check(item, nulled)
  const expected = [item, { target_email: 'b@x.org', null_fields: ['message'] }]
  t.strictSame(read.ok && read.value['things'], expected)
  t.equal(
    errorOf(check(item, { null_fields: ['target_email'] })),
    'null things__1__target_email: This field may not be null.',
  )
  t.match(errorOf(check(item, item, item, item)), /^max_length things: /)
})

t.test('a body as the gateway makes it passes the worker unchanged', async (t) => {
  for (const [field, sent] of COERCED) {
    const read = json({ name: 'abc', [field]: sent })
    if (!read.ok) throw new Error(errorOf(read))
    const again = validateRequest(thingMethod('CreateThing'), { ...read.value, project_id: '7' })
    const expected = { null_fields: [], project_id: '7', ...read.value }
    t.strictSame(again, { ok: true, value: expected }, `${field}: ${JSON.stringify(sent)}`)
  }
})

t.test('a query over gRPC is taken as sent, with the page settled', async (t) => {
  const method = methodByPath('/sluice.v1.EventService/ListEvents')
  if (method === undefined) throw new Error('no ListEvents')
  const request = { project_id: '7', after: '', before: '', event: '', limit: -5, offset: 3 }
  const read = validateRequest(method, request)
  t.match(read, { ok: true, value: { project_id: '7', event: '', limit: 100, offset: 3 } })
})

t.test('a page falls back to its defaults instead of failing', async (t) => {
  const rules = { limit_max: 0, limit_default: 0 }
  for (const limit of [undefined, '', '0', 0, '-5', -5, 'abc', '1.5', Number.NaN]) {
    t.equal(pageOf(rules, { limit }).limit, 100, `limit ${limit}`)
  }
  t.same(pageOf(rules, { limit: '7', offset: '12' }), { limit: 7, offset: 12 })
  t.same(pageOf(rules, { limit: '5000', offset: '-1' }), { limit: 1_000, offset: 0 })
  t.equal(pageOf({ limit_max: 10_000, limit_default: 50 }, { limit: '99999' }).limit, 10_000)
  t.equal(pageOf(rules, { offset: '9'.repeat(30) }).offset, 2_147_483_647)
})

t.test('the time zones are those of the specification', async (t) => {
  t.equal(TIME_ZONES.size, 439)
  t.ok(TIME_ZONES.has('UTC') && TIME_ZONES.has('Indian/Kerguelen'))
  for (const zone of TIME_ZONES) t.match(zone, /^[A-Za-z_]+(\/[A-Za-z_-]+)*$/)
})

t.test('the error of a body survives its metadata', async (t) => {
  const detail = { type: 'validation_error', code: 'x', detail: 'é "😀"\n', attr: null }
  const text = encodeBodyError({ stage: 'fields', detail })
  t.match(text, /^[\x20-\x7e]+$/)
  t.strictSame(decodeBodyError(text), { stage: 'fields', detail })
  const media = { ...detail, attr: 'a', httpStatus: 415 }
  t.strictSame(decodeBodyError(encodeBodyError({ stage: 'parse', detail: media })), {
    stage: 'parse',
    detail: media,
  })
  for (const odd of [undefined, '', '{', '[]', '{"stage":"later"}', '{"stage":"parse"}']) {
    t.equal(decodeBodyError(odd), undefined)
  }
})

t.test('keys of flags are letters, digits, hyphens and underscores', async (t) => {
  const method = methodByPath('/sluice.v1.FeatureFlagService/CreateFeatureFlag')
  if (method === undefined) throw new Error('the contract has no such method')
  const check = (message: MessageObject) => validateRequest(method, { project_id: '1', ...message })
  const codes: [MessageObject, string][] = [
    [{}, 'required'],
    [{ null_fields: ['key'] }, 'null'],
    [{ key: '  ' }, 'blank'],
    [{ key: 'a b' }, 'invalid_input'],
    [{ key: 'é' }, 'invalid_input'],
    [{ key: 'x\ny' }, 'invalid_input'],
    [{ key: 'x'.repeat(401) }, 'max_length'],
  ]
  for (const [message, code] of codes) t.equal(errorOf(check(message)).split(':')[0], `${code} key`)
  for (const key of ['freed', 'A-z_09', 'x'.repeat(400)]) t.ok(check({ key }).ok, key)
})
