import t from 'tap'
import { requestPlan } from '../../../../src/wire/validation/request.ts'
import { readBody, readBodyField, readQuery } from '../../../../src/wire/validation/validate.ts'
import { thingMethod } from '../../../support/api/things.ts'
import {
  COERCED,
  create,
  errorOf,
  form,
  json,
  type Row,
  shownValue,
} from '../../../support/validation.ts'

const INTEGER = 'invalid_input order: A valid integer is required.'
const BOOLEAN = 'invalid_input enabled: Must be a valid boolean.'
const STRING = 'invalid_input name: Not a valid string.'
const BLANK = 'blank name: This field may not be blank.'
const LONG = 'max_length name: Ensure this field has no more than 5 characters.'

t.test('values are coerced as documented', async (t) => {
  for (const [field, sent, expected] of COERCED) {
    const read = json({ name: 'abc', [field]: sent })
    t.strictSame(shownValue(read, field), expected, `${field}: ${JSON.stringify(sent)}`)
  }
})

const REFUSED: readonly Row[] = [
  ...['abc', '', 1.5, '1.5', true, [], {}, '0x10', '1e3', '9'.repeat(2_000)].map(
    (sent): Row => ['order', sent, INTEGER],
  ),
  ['order', null, 'null order: This field may not be null.'],
  ['order', 2147483648, 'max_value order: Ensure this value is less than or equal to 2147483647.'],
  ['order', 1e300, 'max_value order: Ensure this value is less than or equal to 2147483647.'],
  [
    'order',
    -2147483649,
    'min_value order: Ensure this value is greater than or equal to -2147483648.',
  ],
  ['percent', 101, 'max_value percent: Ensure this value is less than or equal to 100.'],
  ['percent', 0, 'min_value percent: Ensure this value is greater than or equal to 1.'],
  ['ratio', 'x', 'invalid_input ratio: A valid number is required.'],
  ['ratio', true, 'invalid_input ratio: A valid number is required.'],
  ...['', 'null', 'maybe', 2, [], {}].map((sent): Row => ['enabled', sent, BOOLEAN]),
  ['enabled', null, 'null enabled: This field may not be null.'],
  ['name', '', BLANK],
  ['name', '   ', BLANK],
  ['name', null, 'null name: This field may not be null.'],
  ['name', true, STRING],
  ['name', ['x'], STRING],
  ['name', { x: 1 }, STRING],
  ['name', 'abcdef', LONG],
  ['name', '😀😀😀😀😀😀', LONG],
  ['name', 'a', 'min_length name: Ensure this field has at least 2 characters.'],
  ['name', 'a\0b', 'null_characters_not_allowed name: Null characters are not allowed.'],
  ['plugin', 'abc', 'incorrect_type plugin: Incorrect type. Expected pk value, received str.'],
  ['plugin', true, 'incorrect_type plugin: Incorrect type. Expected pk value, received bool.'],
  ['plugin', [], 'incorrect_type plugin: Incorrect type. Expected pk value, received list.'],
  ['plugin', {}, 'incorrect_type plugin: Incorrect type. Expected pk value, received dict.'],
  ['plugin', 1.5, 'incorrect_type plugin: Incorrect type. Expected pk value, received float.'],
  ['plugin', null, 'null plugin: This field may not be null.'],
  ['plugin', '', 'null plugin: This field may not be null.'],
  [
    'plugin',
    '99999999999',
    'does_not_exist plugin: Invalid pk "99999999999" - object does not exist.',
  ],
  ['kind', 'three', 'invalid_choice kind: "three" is not a valid choice.'],
  ['kind', ['one'], 'invalid_choice kind: "["one"]" is not a valid choice.'],
  ['kind', '', 'invalid_choice kind: "" is not a valid choice.'],
  ['timezone', 'Mars/Base', 'invalid_choice timezone: "Mars/Base" is not a valid choice.'],
  ['timezone', 'utx', 'invalid_choice timezone: "utx" is not a valid choice.'],
  ...['a', '@x.org', 'a@', 'a b@x.org', 'a@x', 'a@-x.org', 'a@x..org', 'a@b@x.org '].map(
    (sent): Row => ['email', sent, 'invalid_input email: Enter a valid email address.'],
  ),
  ['uuid', '123', 'invalid_input uuid: Must be a valid UUID.'],
  ['at', '2023-02-30T00:00:00Z', 'invalid_input at: Must be a date and time of ISO 8601.'],
  ['at', 'yesterday', 'invalid_input at: Must be a date and time of ISO 8601.'],
  [
    'key',
    'no spaces',
    'invalid_input key: Only letters, digits, hyphens and underscores are allowed.',
  ],
  ['object', [], 'invalid_input object: Invalid data. Expected a dictionary, but got list.'],
  ['either', 'x', 'invalid_input either: Expected an object or a list, but got str.'],
  ['list', 'abc', 'not_a_list list: Expected a list of items but got type "str".'],
  ['list', {}, 'not_a_list list: Expected a list of items but got type "dict".'],
  ['list', [1, 2, 3], 'max_length list: Ensure this field has no more than 2 elements.'],
  ['texts', 'abc', 'not_a_list texts: Expected a list of items but got type "str".'],
  [
    'texts',
    ['a', 'abcde'],
    'max_length texts__1: Ensure this field has no more than 4 characters.',
  ],
  ['texts', [null], 'null texts__0: This field may not be null.'],
  ['texts', [true], 'invalid_input texts__0: Not a valid string.'],
  ['texts', [' '], 'blank texts__0: This field may not be blank.'],
  ['numbers', 5, 'not_a_list numbers: Expected a list of items but got type "int".'],
  ['numbers', [1, 'x'], 'invalid_input numbers__1: A valid integer is required.'],
  ['numbers', [null], 'null numbers__0: This field may not be null.'],
  ['job', 'x', 'invalid_input job: Invalid data. Expected a dictionary, but got str.'],
  ['job', {}, 'required job__type: This field is required.'],
  ['job', { type: '' }, 'blank job__type: This field may not be blank.'],
  [
    'job',
    { type: 'a', payload: [] },
    'invalid_input job__payload: Invalid data. Expected a dictionary, but got list.',
  ],
]

t.test('values are refused with the documented code, attr and text', async (t) => {
  for (const [field, sent, expected] of REFUSED) {
    const read = json({ name: 'abc', [field]: sent })
    t.equal(errorOf(read), expected, `${field}: ${JSON.stringify(sent)?.slice(0, 40)}`)
    if (!read.ok) t.equal(read.error.type, 'validation_error')
  }
})

t.test('an absent required field is named', async (t) => {
  t.equal(errorOf(json({})), 'required name: This field is required.')
})

t.test('the first failing field is the first declared, not the first sent', async (t) => {
  const read = json({ kind: 'three', order: 'x', name: '' })
  t.equal(errorOf(read), BLANK)
})

t.test('unknown, read-only and path fields of a body are ignored', async (t) => {
  const body =
    '{"name":"abc","nope":1,"project_id":"7","null_fields":["name"],"__proto__":{"order":"x"}}'
  const read = json(JSON.parse(body))
  t.strictSame(read.ok && read.value, { name: 'abc' })
})

t.test('inherited members of a body are not read', async (t) => {
  t.equal(errorOf(json(Object.create({ name: 'abc' }))), 'required name: This field is required.')
})

t.test('a body that is no object is told so', async (t) => {
  const expected = (type: string) =>
    `invalid_input null: Invalid data. Expected a dictionary, but got ${type}.`
  t.equal(errorOf(json([])), expected('list'))
  t.equal(errorOf(json('x')), expected('str'))
  t.equal(errorOf(json(1)), expected('int'))
  t.equal(errorOf(json(null)), expected('NoneType'))
})

t.test('JSON deeper than the limit is refused, not recursed into', async (t) => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  t.match(errorOf(json({ name: 'abc', any: deep })), /^invalid_input any: The value nests/)
})

t.test("a caller's own value is cut in the text of the error", async (t) => {
  const read = json({ name: 'abc', kind: '😀'.repeat(10_000) })
  t.ok(!read.ok && read.error.detail.length < 300)
  t.notOk(!read.ok && /[\ud800-\udbff](?![\udc00-\udfff])/.test(read.error.detail))
})

t.test('form values are texts', async (t) => {
  const read = form({
    name: 'abc',
    enabled: 'true',
    order: '12',
    object: '{"a":1}',
    texts: ['a', 'b'],
    urls: '["x",null]',
    numbers: ['1', '2'],
    job: '{"type":"a"}',
    config: '{"secret":"s"}',
  })
  t.strictSame(shownValue(read, 'enabled'), true)
  t.strictSame(shownValue(read, 'order'), 12)
  t.strictSame(shownValue(read, 'object'), { a: 1 })
  t.strictSame(shownValue(read, 'texts'), ['a', 'b'])
  t.strictSame(shownValue(read, 'urls'), ['x', null])
  t.strictSame(shownValue(read, 'numbers'), [1, 2])
  t.strictSame(shownValue(read, 'job'), { type: 'a' })
  t.strictSame(shownValue(read, 'config'), { secret: 's' })
})

t.test('an empty form field is null where it may be, else not given', async (t) => {
  const read = form({ name: 'abc', note: '', checked: '', order: '', percent: '', object: '' })
  t.equal(shownValue(read, 'note'), '')
  t.equal(shownValue(read, 'checked'), null)
  t.equal(shownValue(read, 'order'), undefined)
  t.equal(shownValue(read, 'percent'), null)
  t.equal(shownValue(read, 'object'), null)
  t.equal(errorOf(form({ name: '' })), BLANK)
})

t.test('form values that are no JSON are refused', async (t) => {
  const sent = { name: 'abc', object: '{' }
  t.equal(errorOf(form(sent)), 'invalid_input object: Value must be valid JSON.')
})

t.test('parts of a form give files and keys', async (t) => {
  const contents = Buffer.from('PK')
  const file = { name: 'a.zip', contentType: 'application/zip', contents }
  const read = readBody(create.plan, {
    kind: 'form',
    form: {
      fields: new Map([
        ['name', ['abc']],
        ['remove_attachment[old]', ['true']],
      ]),
      files: new Map([['add_attachment[geo]', file]]),
    },
  })
  const { name: file_name, contentType: content_type } = file
  t.strictSame(shownValue(read, 'uploads'), [{ key: 'geo', file_name, content_type, contents }])
  t.strictSame(shownValue(read, 'removals'), ['old'])
})

t.test('an uploaded file is the value of the text field of its name', async (t) => {
  const fileOf = (contents: Buffer) => ({ name: 'a.csv', contentType: 'text/csv', contents })
  const upload = (fields: readonly [string, string[]][], contents: Buffer) =>
    readBody(create.plan, {
      kind: 'form',
      form: { fields: new Map(fields), files: new Map([['name', fileOf(contents)]]) },
    })
  t.equal(shownValue(upload([], Buffer.from('äbc')), 'name'), 'äbc')
  t.equal(shownValue(upload([['name', ['field']]], Buffer.from('file')), 'name'), 'field')
})

t.test('a body may be the value of one field', async (t) => {
  const { body } = requestPlan(thingMethod('BulkThings'))
  if (body.kind !== 'field') throw new Error('BulkThings has a body field')
  const bulk = (given: unknown) => readBodyField(body.field, { kind: 'json', body: given })
  const read = bulk([{ target_email: 'a@x.org', message: null }])
  const item = { target_email: 'a@x.org', null_fields: ['message'] }
  t.strictSame(read.ok && read.value, { things: [item] })
  t.strictSame(bulk([]), { ok: true, value: { things: [] } })
  t.equal(
    errorOf(bulk([{ target_email: 'a@x.org' }, {}])),
    'required 1__target_email: This field is required.',
  )
  t.match(errorOf(bulk([1])), /^invalid_input 0: Invalid data/)
  t.match(errorOf(bulk('x')), /^invalid_input null: Invalid data/)
  t.match(errorOf(bulk([{}, {}, {}, {}])), /^max_length null: /)
})

t.test('query parameters are taken as sent, the last of several', async (t) => {
  const { query } = requestPlan(thingMethod('ListThings'))
  const ask = (text: string) => readQuery(query, new URLSearchParams(text))
  const text = 'search=+a+&search=+b+&orderBy=x&type_filter=1&type_filter=2&deep=1&limit=x&nope=1'
  const read = ask(text)
  t.strictSame(read.ok && read.value, {
    search: ' b ',
    order_by: 'x',
    type_filter: ['1', '2'],
    deep: true,
  })
  t.strictSame(ask('search='), { ok: true, value: { search: '' } })
  t.equal(errorOf(ask('event_type=odd')), 'invalid_choice event_type: "odd" is not a valid choice.')
  t.equal(errorOf(ask('person=x')), 'invalid_input person: A valid integer is required.')
  t.strictSame(ask('project_id=9'), { ok: true, value: {} })
})
