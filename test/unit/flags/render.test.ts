import fc from 'fast-check'
import t from 'tap'
import { type MembersShape, renderMembers } from '../../../src/flags/render.ts'
import { codePoint } from '../../support/code-points.ts'
import { ask, flag, oneSet, snapshot } from './support.ts'

const VARIANT = {
  groups: [{ properties: [], rollout_percentage: 100 }],
  multivariate: { variants: [{ key: 'x"y', rollout_percentage: 100 }] },
  payloads: { 'x"y': '{"a":[1]}' },
}

function rendered(shape: MembersShape) {
  const compiled = snapshot([
    flag(3, 'off', oneSet([], 0)),
    flag(2, 'on', oneSet([]), { name: 'Shown', version: 4 }),
    flag(7, 'multi', VARIANT),
    flag(9, 'lost', oneSet([{ type: 'cohort', value: 5 }])),
  ])
  return JSON.parse(`{${renderMembers(shape, ask(compiled))}}`)
}

t.test('no flags are an empty list or object', async (t) => {
  const none = ask(snapshot([]))
  t.equal(renderMembers('v1', none), '"featureFlags":[]')
  t.equal(renderMembers('v2', none), '"featureFlags":{}')
  const errors = '"errorsWhileComputingFlags":false'
  t.equal(renderMembers('v3', none), `"featureFlags":{},"featureFlagPayloads":{},${errors}`)
  t.equal(renderMembers('v4', none), `"flags":{},${errors}`)
})

t.test('version 1 lists the keys that are on, in the order of ids', async (t) => {
  t.same(rendered('v1'), { featureFlags: ['on', 'multi'] })
})

t.test('version 2 gives the values that are on', async (t) => {
  t.same(rendered('v2'), { featureFlags: { on: true, multi: 'x"y' } })
})

t.test('version 3 gives all values, payloads as text, and whether there were errors', async (t) => {
  t.same(rendered('v3'), {
    featureFlags: { on: true, off: false, multi: 'x"y', lost: false },
    featureFlagPayloads: { multi: '{"a":[1]}' },
    errorsWhileComputingFlags: true,
  })
})

t.test('version 4 gives details, and `failed` only of those that are', async (t) => {
  const { flags, errorsWhileComputingFlags } = rendered('v4')
  t.equal(errorsWhileComputingFlags, true)
  t.same(Object.keys(flags), ['on', 'off', 'multi', 'lost'])
  t.same(flags.on, {
    key: 'on',
    enabled: true,
    variant: null,
    reason: {
      code: 'condition_match',
      condition_index: 0,
      description: 'Matched condition set 1',
    },
    metadata: { id: 2, version: 4, description: 'Shown', payload: null },
  })
  t.match(flags.multi, { enabled: true, variant: 'x"y', metadata: { payload: '{"a":[1]}' } })
  t.match(flags.multi.metadata, { description: null })
  t.match(flags.lost, { enabled: false, failed: true, variant: null })
  t.equal('failed' in flags.off, false)
})

t.test('any key, name and payload render as JSON', async (t) => {
  const text = fc.string({ unit: codePoint, maxLength: 8 })
  fc.assert(
    fc.property(text, text, fc.jsonValue(), (key, name, payload) => {
      const filters = { ...oneSet([]), payloads: { true: payload } }
      const answer = ask(snapshot([flag(1, key, filters, { name })]))
      for (const shape of ['v1', 'v2', 'v3', 'v4'] as const) {
        t.doesNotThrow(() => JSON.parse(`{${renderMembers(shape, answer)}}`))
      }
    }),
    { numRuns: 50 },
  )
})
