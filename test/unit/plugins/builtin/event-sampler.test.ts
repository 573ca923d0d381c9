import fc from 'fast-check'
import t from 'tap'
import { placeOf } from '../../../../src/plugins/builtin/event-sampler.ts'
import { codePoint } from '../../../support/code-points.ts'
import {
  pluginEvent,
  processed,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

const sampler = (settings: object) => startBuiltin('event-sampler', { ...settings })
const PERSON_EVENTS = ['$identify', '$create_alias', '$merge_dangerously', '$set', '$groupidentify']

t.test('the place of a distinct id never changes', (t) => {
  t.equal(placeOf('u1').toFixed(12), '0.732452574590')
  t.equal(placeOf('').toFixed(12), '0.889415994891')
  t.equal(placeOf('\u{1f600}').toFixed(12), '0.938541066873')
  t.end()
})

t.test('the kept share is the asked one, of the same distinct ids each time', async (t) => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `user-${at}`)
  const kept = async (percent: number) => {
    const instance = await sampler({ percent })
    const events = ids.map((id) => pluginEvent({}, { distinct_id: id }))
    const answers = await instance.process(events)
    return new Set(ids.filter((_, at) => answers[at]?.kind === 'kept'))
  }
  const tenth = await kept(10)
  const half = await kept(50)
  t.ok(Math.abs(tenth.size - 500) < 100, `10 %: ${tenth.size}`)
  t.ok(Math.abs(half.size - 2_500) < 200, `50 %: ${half.size}`)
  t.ok(
    [...tenth].every((id) => half.has(id)),
    'more are the same and others',
  )
  t.strictSame(await kept(10), tenth)
  t.equal((await kept(100)).size, ids.length)
  t.equal((await kept(0)).size, 0)
})

t.test('a place is within its bounds', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (id) => placeOf(id) >= 0 && placeOf(id) < 1),
  )
  t.end()
})

t.test('events that change persons are kept unless told', async (t) => {
  const usual = await sampler({ percent: '0' })
  const told = await sampler({ percent: '0', sample_person_events: 'yes' })
  for (const event of PERSON_EVENTS) {
    t.ok(await processed(usual, pluginEvent({}, { event })), event)
    t.equal(await processed(told, pluginEvent({}, { event })), null, event)
  }
  t.equal(await processed(usual, pluginEvent({}, { event: '$pageview' })), null)
})

t.test('only named events are sampled when there are names', async (t) => {
  const instance = await sampler({ percent: 0, events: 'scroll, mousemove' })
  t.equal(await processed(instance, pluginEvent({}, { event: 'scroll' })), null)
  t.ok(await processed(instance, pluginEvent({}, { event: 'purchase' })))
})

t.test('a percentage that is none fails the set-up', (t) =>
  refusedSettings(t, 'event-sampler', [
    [{}, /^The setting "percent" is required\.$/],
    ...['101', '-1', 'half', '1e1', '0x1', '5 %', 100.5].map(
      (percent) =>
        [{ percent }, /^The setting "percent" must be a number from 0 to 100\.$/] as const,
    ),
    [{ percent: [5] }, /"percent" must be a text/],
    [{ percent: 5, sample_person_events: 'sometimes' }, /must be one of yes, no/],
  ]),
)
