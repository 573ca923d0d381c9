import fc from 'fast-check'
import t from 'tap'
import { readDecideRequest } from '../../../../gateway/public/decide-request.ts'
import { readOfrepContext } from '../../../../gateway/public/ofrep-context.ts'

function fieldsOf(context: unknown) {
  const read = readOfrepContext({ context })
  if (!read.ok) throw new Error(read.error.code)
  return read.value
}

function codeOf(body: unknown): string | undefined {
  const read = readOfrepContext(body)
  return read.ok ? undefined : read.error.code
}

/** The question as it goes to the worker. */
function wireOf(context: unknown) {
  const question = readDecideRequest(fieldsOf(context), 1, 'ofrep')
  if (question === undefined) throw new Error('there is no distinct id')
  return question.wire
}

t.test('a body that is no context is refused by its own code', async (t) => {
  const rows: [body: unknown, code: string][] = [
    [[], 'PARSE_ERROR'],
    ['text', 'PARSE_ERROR'],
    [null, 'PARSE_ERROR'],
    [{ context: 'u1' }, 'INVALID_CONTEXT'],
    [{ context: ['u1'] }, 'INVALID_CONTEXT'],
    [{ context: { targetingKey: {} } }, 'INVALID_CONTEXT'],
    [{ context: { targetingKey: ['u1'] } }, 'INVALID_CONTEXT'],
    [{ context: { targetingKey: true } }, 'INVALID_CONTEXT'],
    [{}, 'TARGETING_KEY_MISSING'],
    [{ context: null }, 'TARGETING_KEY_MISSING'],
    [{ context: {} }, 'TARGETING_KEY_MISSING'],
    [{ targetingKey: 'u1' }, 'TARGETING_KEY_MISSING'],
    [{ context: { targetingKey: null } }, 'TARGETING_KEY_MISSING'],
    [{ context: { targetingKey: ' \n' } }, 'TARGETING_KEY_MISSING'],
    [{ context: { distinct_id: 'u1' } }, 'TARGETING_KEY_MISSING'],
    [JSON.parse('{"__proto__":{"context":{"targetingKey":"u1"}}}'), 'TARGETING_KEY_MISSING'],
  ]
  for (const [body, code] of rows) t.equal(codeOf(body), code, JSON.stringify(body))
})

t.test('the targeting key is the distinct id, cut and cleaned as one', async (t) => {
  t.equal(wireOf({ targetingKey: 'u1' }).distinct_id, 'u1')
  t.equal(wireOf({ targetingKey: 12 }).distinct_id, '12')
  t.equal(wireOf({ targetingKey: '😀'.repeat(300) }).distinct_id, '😀'.repeat(200))
  t.equal(wireOf({ targetingKey: 'a\u0000b' }).distinct_id, 'a\ufffdb')
})

t.test('attributes are properties of the person, nested ones as they are', async (t) => {
  const attributes = {
    email: 'a@b.c',
    age: 7,
    beta: true,
    team: { lead: { name: 'x' } },
    none: null,
  }
  const wire = wireOf({ targetingKey: 'u1', ...attributes })
  t.strictSame(JSON.parse(wire.person_properties), attributes)
  t.match(wire, { shape: 'ofrep', groups: '', group_properties: '', has_flag_keys: false })
  t.equal(wireOf({ targetingKey: 'u1' }).person_properties, '')
})

t.test('names of either family reach what they mean', async (t) => {
  const wire = wireOf({
    targetingKey: 'u1',
    groups: { company: 'acme' },
    groupProperties: { company: { tier: 'gold' } },
    anonymousId: 'anon',
    $device_id: 'device',
    evaluationContexts: ['web'],
    evaluationRuntime: 'client',
  })
  const expected = {
    groups: '{"company":"acme"}',
    group_properties: '{"company":{"tier":"gold"}}',
    anon_distinct_id: 'anon',
    device_id: 'device',
    evaluation_contexts: ['web'],
    evaluation_runtime: 'client',
    person_properties: '',
  }
  t.match(wire, expected)
  const other = wireOf({
    targetingKey: 'u1',
    groups: { company: 'acme' },
    group_properties: { company: { tier: 'gold' } },
    $anon_distinct_id: 'anon',
    $device_id: 'device',
    evaluation_contexts: ['web'],
    evaluation_runtime: 'client',
  })
  t.strictSame(other, wire)
})

t.test('a reserved name that does not look the part is an attribute', async (t) => {
  const attributes = {
    groups: ['admins', 'beta'],
    groupProperties: 'none',
    anonymousId: false,
    $device_id: null,
    evaluationContexts: 'web',
    evaluationRuntime: 'edge',
  }
  const wire = wireOf({ targetingKey: 'u1', ...attributes })
  t.strictSame(JSON.parse(wire.person_properties), attributes)
  t.match(wire, { groups: '', group_properties: '', anon_distinct_id: '', device_id: '' })
  t.match(wire, { evaluation_runtime: '' })
  t.strictSame(wire.evaluation_contexts, [])
})

t.test('no attribute is lost, whatever its name', async (t) => {
  const hostile = '"__proto__":{"a":1},"constructor":2,"toString":3'
  const wire = wireOf(JSON.parse(`{"targetingKey":"u1",${hostile}}`))
  t.equal(wire.person_properties, `{${hostile}}`)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (attributes) => {
      const sent = JSON.parse(JSON.stringify(attributes))
      const { person_properties: properties, ...others } = fieldsOf({ ...sent, targetingKey: 'u1' })
      const kept = Object.keys(properties as object).length + Object.keys(others).length
      t.equal(kept, new Set([...Object.keys(sent), 'targetingKey']).size)
    }),
  )
})
