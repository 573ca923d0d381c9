import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { AppError, type Code, type ErrorDetail } from '../../../../src/core/code.ts'
import type { Json } from '../../../../src/core/json.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { decodeErrorDetails, encodeErrorDetails } from '../../../../src/wire/proto/error-details.ts'
import {
  type Contract,
  contract,
  fieldRules,
  loadContract,
  loadOnly,
  messageType,
  methodByPath,
  methods,
  serviceDefinition,
} from '../../../../src/wire/proto/proto.ts'
import {
  fromListValue,
  fromStruct,
  fromValue,
  toListValue,
  toStruct,
  toValue,
} from '../../../../src/wire/proto/value.ts'
import { thingMethod } from '../../../support/api/things.ts'

t.test('a part of the contract has its service and failures, as all of it has', async (t) => {
  // Before anything asks for the contract.
  loadOnly('sluice/v1/admin.proto')
  t.ok(methodByPath('/sluice.v1.AdminService/CreateUser'))
  const files = ['sluice/v1/admin.proto', 'sluice/v1/common.proto']
  const part = loadContract(join(packageRoot, 'proto'), [], files)
  const paths = (known: Contract) =>
    [...known.byPath.keys()].filter((path) => path.startsWith('/sluice.v1.AdminService/'))
  t.strictSame(paths(part), paths(contract()))
  t.ok(paths(part).length > 0)
  t.notOk(part.root.lookup('sluice.v1.ProjectService'))
  const failures = ['sluice.v1.ErrorDetail', 'google.rpc.Status']
  for (const name of failures) {
    t.strictSame(part.root.lookupType(name).toJSON(), messageType(name).toJSON())
  }
  t.ok(methodByPath('/sluice.v1.ProjectService/GetProject'), 'others are found all the same')
})

t.test('a service definition carries every method under its path', async (t) => {
  const definition = serviceDefinition('sluice.v1.ProjectService')
  t.equal(definition['GetProject']?.path, '/sluice.v1.ProjectService/GetProject')
  t.throws(() => serviceDefinition('sluice.v1.NoSuchService'))
  t.throws(() => serviceDefinition('sluice.v1.Project'), 'a message is no service')
})

t.test('annotations are read with their defaults and repeated members as lists', async (t) => {
  const method = methodByPath('/sluice.v1.ProjectService/CreateProject')
  t.match(method, {
    service: 'sluice.v1.ProjectService',
    bindings: [{ verb: 'POST', template: '/api/projects/', body: '*', responseBody: '' }],
    rules: { scope: 'project:write', level: 8, success_status: 201, paginated: false },
  })
  t.equal(contract().methods, methods(), 'the contract is loaded once')
  const fields = messageType('sluice.v1.CreateFeatureFlagRequest').fields
  const { key, bucketing_identifier: choice, active } = fields
  if (key === undefined || choice === undefined || active === undefined) throw new Error('fields')
  t.match(fieldRules(key), { required: true, max_length: 400, format: 'flag_key' })
  t.strictSame(fieldRules(choice).choices, ['distinct_id', 'device_id'])
  t.match(fieldRules(active), { required: false, choices: [] }, 'no rules are all defaults')
})

t.test('additional bindings and single members of repeated rules are read', async (t) => {
  const method = thingMethod('GetThing')
  t.strictSame(
    method.bindings.map((binding) => binding.template),
    ['/api/projects/{project_id}/things/{id}/', '/api/things/{id}/'],
  )
  t.strictSame(method.rules.optional_fields, ['secret'])
})

t.test('JSON survives a Value, its keys in order', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
      const text = JSON.stringify(json)
      t.equal(JSON.stringify(fromValue(toValue(JSON.parse(text)))), text)
    }),
    { numRuns: 300 },
  )
})

t.test('JSON survives the wire, with hostile keys and at full depth', async (t) => {
  const definition = serviceDefinition('sluice.v1.ProjectService')['CreateProject']
  if (definition === undefined) throw new Error('no CreateProject')
  const overTheWire = (json: Json) => {
    const bytes = definition.requestSerialize({ correlation_config: toValue(json) })
    const message = definition.requestDeserialize(bytes)
    return 'correlation_config' in message ? fromValue(message.correlation_config) : undefined
  }
  const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":1},"":0,"toString":null}'
  t.equal(JSON.stringify(overTheWire(JSON.parse(hostile))), hostile)
  t.notOk(Object.hasOwn(Object.prototype, 'polluted'))
  const deep = `${'{"a":['.repeat(32)}1${']}'.repeat(32)}`
  t.equal(JSON.stringify(overTheWire(JSON.parse(deep))), deep)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
      const text = JSON.stringify(json)
      // Half surrogates cannot travel: the validator has replaced them before.
      fc.pre(!/\\ud[89a-f]/i.test(text))
      t.equal(JSON.stringify(overTheWire(JSON.parse(text))), text)
    }),
    { numRuns: 100 },
  )
})

t.test('bytes that are no Value read as nothing', async (t) => {
  for (const odd of [undefined, null, 1, 'x', {}, { nullValue: 'NULL_VALUE' }, { other: 1 }]) {
    t.equal(fromValue(odd), null)
  }
  t.equal(fromValue({ numberValue: Number.NaN }), null)
  t.same(toValue(Number.POSITIVE_INFINITY), { nullValue: 'NULL_VALUE' })
  t.same(fromStruct(null), {})
  t.same(fromStruct({ fields: null }), {})
  t.same(fromListValue(undefined), [])
  t.same(fromStruct(toStruct({ a: [1] })), { a: [1] })
  t.same(fromListValue(toListValue([1, null])), [1, null])
})

const detail: ErrorDetail = {
  type: 'validation_error',
  code: 'required',
  detail: 'This field is required.',
  attr: 'name',
}

t.test('error details survive the trailer', async (t) => {
  const cases: readonly { code: Code; detail?: ErrorDetail; ownerHint?: string }[] = [
    { code: 'invalid_argument', detail },
    { code: 'not_found', detail: { ...detail, attr: null } },
    { code: 'unauthenticated', detail: { type: 'a', code: 'b', detail: 'c' } },
    { code: 'resource_exhausted', detail: { ...detail, httpStatus: 413, retryAfterS: 17 } },
    { code: 'not_owner', ownerHint: '10.0.0.1:8001' },
    { code: 'internal' },
  ]
  for (const error of cases) {
    const decoded = decodeErrorDetails(encodeErrorDetails(error, 3))
    t.equal(decoded?.code, error.code)
    t.strictSame(decoded?.detail, error.detail)
    t.equal(decoded?.ownerHint, error.ownerHint)
  }
})

t.test('an error gives away nothing but its detail', async (t) => {
  const secret = new AppError('internal', 'password=hunter2', { cause: new Error('row 17') })
  const bytes = encodeErrorDetails(secret, 13)
  t.notMatch(bytes.toString('latin1'), /hunter2|row 17/)
})

t.test('a text too long for a trailer is cut', async (t) => {
  const long = { ...detail, detail: 'x'.repeat(100_000), attr: 'y'.repeat(100_000) }
  t.ok(encodeErrorDetails({ code: 'invalid_argument', detail: long }, 3).length < 4_000)
})

t.test('bytes that are no trailer of ours read as none', async (t) => {
  t.equal(decodeErrorDetails(undefined), undefined)
  t.equal(decodeErrorDetails('text'), undefined)
  t.equal(decodeErrorDetails(Buffer.alloc(0)), undefined)
  const status = messageType('google.rpc.Status')
  const details = [{ type_url: 'type.googleapis.com/other.Thing', value: Buffer.from([1]) }]
  const foreign = status.encode(status.fromObject({ code: 3, details })).finish()
  t.equal(decodeErrorDetails(foreign), undefined)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      decodeErrorDetails(bytes)
    }),
  )
})
