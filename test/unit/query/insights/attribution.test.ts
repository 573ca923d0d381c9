import t from 'tap'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { runsOf, type ValuedEvent } from '../../../../src/query/insights/funnels/attribution.ts'
import { type FunnelRules, follow } from '../../../../src/query/insights/funnels/fold.ts'
import { followActors } from '../../../../src/query/insights/funnels/follow-actors.ts'
import type { Attribution, FunnelQuestion } from '../../../../src/query/insights/question.ts'

const RULES: FunnelRules = { order: 'ordered', steps: 3, window: 1_000, exclusions: [] }
const SERIES = {
  ...{ name: undefined, customName: undefined },
  maths: { kind: 'total' },
  filter: { kind: 'and', nodes: [] },
} as const
const NONE = 0
const OTHER = -1

/** `A1@5`: step A with the value 1 at 5. X excludes, and `-` is no step. */
function eventsOf(text: string): readonly ValuedEvent[] {
  return text.split(' ').map((word) => {
    const match = /^([ABCX-])(-?\d+)@(\d+)$/.exec(word)
    const [, letter = '', value, at] = match ?? []
    const place = 'ABCX'.indexOf(letter)
    return { at: Number(at), mask: place === -1 ? 0 : 1 << place, value: Number(value) }
  })
}

/** How far the actor came, by value. */
function ways(text: string, attribution: Attribution, rules: Partial<FunnelRules> = {}) {
  const all = { ...RULES, ...rules }
  const found: Record<string, number> = {}
  for (const { value, events } of runsOf(eventsOf(text), all, attribution)) {
    found[value] = follow(events, all)?.times.length ?? 0
  }
  return found
}

t.test('the first and the last step that have a value', async (t) => {
  const text = 'A0@1 B2@2 C1@3'
  t.strictSame(ways(text, 'first_touch'), { 2: 3 })
  t.strictSame(ways(text, 'last_touch'), { 1: 3 })
  t.strictSame(ways('A0@1 B0@2', 'first_touch'), { [NONE]: 2 })
  t.strictSame(ways('A-1@1 B2@2', 'first_touch'), { [OTHER]: 2 }, 'another value is a value')
  t.strictSame(ways('X2@1 A1@2 -2@3', 'last_touch'), { 1: 1 }, 'of steps alone')
  t.strictSame(ways('B2@1 A1@1', 'first_touch'), { 1: 2 }, 'of one moment the first step')
  t.strictSame(ways('B2@1 A1@1', 'last_touch'), { 2: 2 }, 'of one moment the last step')
})

t.test('with all events every step of a way has its value', async (t) => {
  t.strictSame(ways('A1@1 B2@2 B1@3 C1@4 A0@5', 'all_events'), { 1: 3, 2: 0, [NONE]: 1 })
  const exclusions = [{ from: 0, to: 1 }]
  t.strictSame(ways('A1@1 A2@2 B2@3 X9@4 B1@5', 'all_events', { exclusions }), { 1: 0, 2: 2 })
  const strict = { order: 'strict' } as const
  t.strictSame(ways('A1@1 B1@2 A2@3 C1@4', 'all_events', strict), { 1: 2, 2: 1 })
  t.strictSame(ways('A1@1 -0@2 -0@3 B1@4', 'all_events', strict), { 1: 1 })
  t.strictSame(ways('A1@1 A2@2 B1@2 -0@2', 'all_events', strict), { 1: 2, 2: 1 }, 'of one moment')
  t.strictSame(ways('A1@1 -0@1 B1@2', 'all_events', strict), { 1: 1 }, 'beside the first')
  t.strictSame(ways('A1@1 -0@2 -0@3 B1@3', 'all_events', strict), { 1: 1 }, 'before the second')
})

t.test('a step counts for its own values, and who did not take it for none', async (t) => {
  t.strictSame(ways('A1@1 B2@2 C3@3', 1), { 2: 3 })
  t.strictSame(ways('A1@1 A2@2 B0@3', 0), { 1: 2, 2: 2 })
  t.strictSame(ways('A1@1 C1@2', 1), {})
  t.strictSame(ways('A1@1 B2@2 C0@3 B3@4', 1), { 2: 3, 3: 2 }, 'another value is no such step')
  t.strictSame(ways('A1@1 B0@2', 1), { [NONE]: 2 })
})

t.test('how much is followed for all values together is bounded', async (t) => {
  const question: FunnelQuestion = {
    ...{ kind: 'funnel', order: 'ordered', windowMs: 1_000, exclusions: [] },
    groups: undefined,
    zone: zoneOf('UTC'),
    range: { from: 'all', to: { kind: 'instant', ms: 0 } },
    filter: { kind: 'and', nodes: [] },
    steps: ['A', 'B'].map((event) => ({ ...SERIES, event })),
    breakdown: { source: { kind: 'event', property: 'a' }, limit: 25, attribution: 0 },
    shape: { kind: 'steps' },
  }
  // Three events, for the values 1 and 2 of the first step.
  const actors = [{ pairs: '1:1:1 2:1:2 3:2:3' }]
  const seen: number[] = []
  const follow = (timesMax: number) =>
    followActors(actors, question, (_, value) => seen.push(value), { timesMax })
  t.equal(await follow(6), 'done')
  t.strictSame(seen, [1, 2])
  t.equal(await follow(5), 'too_many')
})
