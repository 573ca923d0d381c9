import fc from 'fast-check'
import t from 'tap'
import type { FlagDefinition } from '../../../src/flags/definition.ts'
import { renderMembers } from '../../../src/flags/render.ts'
import type { FlagRequest, StoredData } from '../../../src/flags/subject.ts'
import { codePoint } from '../../support/code-points.ts'
import { ask, flag, oneSet, person, snapshot } from './support.ts'

type Entry = Readonly<Record<string, unknown>> & { readonly metadata: Record<string, unknown> }

const SPLIT = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ],
}
const SHIPPED = {
  variants: [
    { key: 'control', rollout_percentage: 0 },
    { key: 'test', rollout_percentage: 100 },
    { key: 'late', rollout_percentage: 50 },
  ],
}
const ALL = { properties: [], rollout_percentage: 100 }
const NOBODY = { properties: [], rollout_percentage: 0 }
const HALF = { properties: [], rollout_percentage: 50 }
const PRO = { properties: [person('plan', 'pro')], rollout_percentage: 100 }
const IS_PRO = { personProperties: { plan: 'pro' } }

function entries(
  flags: readonly FlagDefinition[],
  request: Partial<FlagRequest> = {},
  stored: StoredData = {},
): Entry[] {
  const answer = ask(snapshot(flags), request, stored)
  return JSON.parse(`{${renderMembers('ofrep', answer)}}`).flags
}

function entryOf(filters: object, request: Partial<FlagRequest> = {}): Entry {
  const [entry] = entries([flag(7, 'f', filters, { version: 3 })], request)
  if (entry === undefined) throw new Error('the flag is not in the answer')
  return entry
}

/** Reasons that people of many ids get, each once. */
function reasonsOf(filters: object, request: Partial<FlagRequest> = {}): unknown[] {
  const ids = Array.from({ length: 60 }, (_, index) => `person ${index}`)
  const found = ids.map((distinctId) => entryOf(filters, { ...request, distinctId })['reason'])
  return [...new Set(found)].sort()
}

t.test('no flags are an empty list', async (t) => {
  t.equal(renderMembers('ofrep', ask(snapshot([]))), '"flags":[]')
})

t.test('a boolean flag is true or false, with its payload beside it', async (t) => {
  t.strictSame(entryOf({ groups: [ALL], payloads: { true: '{"a":[1]}' } }), {
    key: 'f',
    value: true,
    reason: 'STATIC',
    variant: 'on',
    metadata: {
      flagId: 7,
      version: 3,
      reasonCode: 'condition_match',
      conditionIndex: 0,
      payload: '{"a":[1]}',
    },
  })
  t.strictSame(entryOf({ groups: [] }), {
    key: 'f',
    value: false,
    reason: 'DEFAULT',
    variant: 'off',
    metadata: { flagId: 7, version: 3, reasonCode: 'no_condition_match' },
  })
})

t.test('a multivariate flag has a text or nothing, never a boolean', async (t) => {
  const on = entryOf({ groups: [ALL], multivariate: SHIPPED, payloads: { test: '"hi"' } })
  t.match(on, { value: 'test', variant: 'test', metadata: { payload: '"hi"' } })
  const off = entryOf({ groups: [NOBODY], multivariate: SPLIT })
  t.notOk('value' in off, 'the client takes the default of its code')
  t.match(off, { reason: 'DEFAULT', variant: 'off' })
  const beyond = { variants: [{ key: 'test', rollout_percentage: 0 }] }
  const plain = entryOf({ groups: [ALL], multivariate: beyond })
  t.notOk('value' in plain, 'on, but beyond the shares')
  t.match(plain, { variant: 'on' })
})

t.test('a person who is held out gets the default of the code, whatever the flag', async (t) => {
  for (const multivariate of [undefined, SPLIT]) {
    const holdout = { id: 3, exclusion_percentage: 100 }
    const entry = entryOf({ groups: [ALL], holdout, ...(multivariate && { multivariate }) })
    t.notOk('value' in entry)
    t.match(entry, { variant: 'holdout-3', metadata: { reasonCode: 'holdout_condition_value' } })
  }
})

t.test('reasons say what decided', async (t) => {
  const byCompany = { ...ALL, aggregation_group_type_index: 0 }
  const forced = { ...ALL, variant: 'test' }
  const rows: [why: string, filters: object, expected: string[]][] = [
    ['everybody', { groups: [ALL] }, ['STATIC']],
    ['everybody, before other sets', { groups: [ALL, PRO] }, ['STATIC']],
    ['a part', { groups: [HALF] }, ['SPLIT']],
    ['nobody', { groups: [NOBODY] }, ['DEFAULT']],
    ['no sets', { groups: [] }, ['DEFAULT']],
    ['properties', { groups: [PRO] }, ['TARGETING_MATCH']],
    ['a part of those with properties', { groups: [{ ...PRO, ...HALF }] }, ['SPLIT']],
    ['nobody has the property', { groups: [vip()] }, ['DEFAULT']],
    ['everybody but some', { groups: [vip(), ALL] }, ['TARGETING_MATCH']],
    ['everybody whom the hash left out before', { groups: [HALF, ALL] }, ['SPLIT']],
    ['everybody after nobody', { groups: [NOBODY, ALL] }, ['TARGETING_MATCH']],
    ['variants by share', { groups: [ALL], multivariate: SPLIT }, ['SPLIT']],
    ['a variant with all the share', { groups: [ALL], multivariate: SHIPPED }, ['STATIC']],
    ['a forced variant', { groups: [forced], multivariate: SPLIT }, ['STATIC']],
    ['one forced for some', { groups: [{ ...forced, ...PRO }] }, ['TARGETING_MATCH']],
    ['a group that is named', { groups: [byCompany] }, ['TARGETING_MATCH']],
    ['an early access feature', { groups: [ALL], ...optIn() }, ['TARGETING_MATCH']],
    ['nobody opted in', { groups: [ALL], feature_enrollment: true }, ['TARGETING_MATCH']],
    ['a holdout of a part', { groups: [ALL], ...heldOut(50) }, ['SPLIT']],
    ['a holdout of nobody', { groups: [ALL], ...heldOut(0) }, ['TARGETING_MATCH']],
    ['a holdout of all', { groups: [ALL], ...heldOut(100) }, ['TARGETING_MATCH']],
  ]
  for (const [why, filters, expected] of rows) {
    t.same(reasonsOf(filters, { ...IS_PRO, groups: { company: 'acme' } }), expected, why)
  }
  t.same(reasonsOf({ groups: [byCompany] }), ['DEFAULT'], 'no group is named')
})

function vip() {
  return { properties: [person('plan', 'vip')], rollout_percentage: 100 }
}

function optIn() {
  return { super_groups: [{ properties: [person('plan', 'pro')], rollout_percentage: 100 }] }
}

function heldOut(percentage: number) {
  return { holdout: { id: 1, exclusion_percentage: percentage } }
}

t.test('STATIC is said of what everybody has', async (t) => {
  const set = fc.record(
    {
      properties: fc.constantFrom([], [person('plan', 'pro')]),
      rollout_percentage: fc.constantFrom(0, 30, 100, null),
      variant: fc.constantFrom(null, 'test'),
      aggregation_group_type_index: fc.constantFrom(null, 0),
    },
    { requiredKeys: [] },
  )
  const filters = fc.record(
    {
      groups: fc.array(set, { maxLength: 3 }),
      multivariate: fc.constantFrom(null, SPLIT, SHIPPED),
      feature_enrollment: fc.constantFrom(true, false),
      holdout: fc.constantFrom(null, { id: 1, exclusion_percentage: 40 }),
    },
    { requiredKeys: ['groups'] },
  )
  let said = 0
  fc.assert(
    fc.property(filters, (raw) => {
      const people: Partial<FlagRequest>[] = Array.from({ length: 20 }, (_, index) => ({
        distinctId: `person ${index}`,
        personProperties: index % 2 === 0 ? { plan: 'pro' } : {},
        groups: index % 3 === 0 ? { company: 'acme' } : {},
      }))
      const found = people.map((who) => entryOf(raw, who))
      const values = new Set(found.map((entry) => entry['value']))
      if (found.every((entry) => entry['reason'] !== 'STATIC')) return
      said++
      t.equal(values.size, 1, JSON.stringify(raw))
    }),
    { numRuns: 200 },
  )
  t.ok(said > 0)
})

t.test('a flag that failed has an error code, which its entry starts with', async (t) => {
  const lost = flag(2, 'lost', oneSet([{ type: 'cohort', value: 5 }]))
  const stored = flag(3, 'stored', { groups: [PRO] })
  const flags = [flag(1, 'fine', oneSet([])), lost, stored]
  const unavailable: StoredData = { personProperties: 'unavailable' }
  const [fine, ...failed] = entries(flags, {}, unavailable)
  t.match(fine, { key: 'fine', value: true })
  t.match(failed, [
    { key: 'lost', errorCode: 'GENERAL', metadata: { reasonCode: 'dependency_not_found_cohort' } },
    { key: 'stored', errorCode: 'GENERAL', metadata: { reasonCode: 'database_unavailable' } },
  ])
  for (const entry of failed) {
    t.equal(Object.keys(entry)[0], 'errorCode')
    t.notOk('value' in entry)
    t.type(entry['errorDetails'], 'string')
  }
})

t.test('flags come in the order of ids, whatever they depend on', async (t) => {
  const needs = { key: '9', type: 'flag', operator: 'flag_evaluates_to', value: true }
  const flags = [flag(9, 'b', oneSet([])), flag(2, 'a', oneSet([needs])), flag(5, 'c', oneSet([]))]
  t.same(
    entries(flags).map((entry) => entry['key']),
    ['a', 'c', 'b'],
  )
})

t.test('any key and payload render as JSON, and metadata holds scalars', async (t) => {
  const text = fc.string({ unit: codePoint, maxLength: 8 })
  fc.assert(
    fc.property(text, fc.jsonValue(), (key, payload) => {
      const [entry] = entries([flag(1, key, { ...oneSet([]), payloads: { true: payload } })])
      t.equal(entry?.['key'], key)
      for (const value of Object.values(entry?.metadata ?? {})) {
        t.match(typeof value, /^(?:string|number|boolean)$/)
      }
    }),
    { numRuns: 50 },
  )
})
