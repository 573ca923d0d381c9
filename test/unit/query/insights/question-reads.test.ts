import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { readsOf } from '../../../../src/query/insights/cache/question-reads.ts'
import { createReading } from '../../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../../src/query/insights/read/read-question.ts'

const NOW = Date.parse('2026-10-27T12:00:00Z')
const view = { kind: 'EventsNode', event: 'view' }
const FUNNEL = { kind: 'FunnelsQuery', series: [view, { ...view, event: 'paid' }] }
const RETENTION = {
  kind: 'RetentionQuery',
  retentionFilter: { targetEntity: { id: 'view' }, returningEntity: { id: 'paid' } },
}
const OF_GROUPS = { aggregation_group_type_index: 0 }

function readsWith(question: Record<string, Json>) {
  const read = readQuestion(question, createReading(zoneOf('UTC'), NOW, []))
  if (!read.ok) throw new Error(read.error.detail)
  const { value } = read
  if (value.kind === 'actors' || value.kind === 'events') throw new Error('No number is asked for.')
  const { hasActors, isOfEvents, isWhole } = readsOf(value)
  return { hasActors, isOfEvents, isWhole }
}

t.test('an answer about groups depends on persons only where a filter asks of them', async (t) => {
  const kept = { isOfEvents: true, isWhole: true }
  const changed = { hasActors: true, isOfEvents: false, isWhole: true }
  for (const question of [FUNNEL, RETENTION]) {
    t.strictSame(readsWith(question), { hasActors: true, ...kept }, 'of persons')
    t.strictSame(readsWith({ ...question, ...OF_GROUPS }), { hasActors: false, ...kept })
    const ofEvents = { ...OF_GROUPS, properties: [{ key: 'plan', value: 'pro' }] }
    t.strictSame(readsWith({ ...question, ...ofEvents }), { hasActors: false, ...kept })
    for (const more of [{ type: 'person' }, { type: 'group', group_type_index: 0 }]) {
      const properties = [{ key: 'plan', value: 'pro', ...more }]
      t.strictSame(readsWith({ ...question, ...OF_GROUPS, properties }), changed)
    }
  }
  const byPlan = { breakdown: 'plan', breakdown_type: 'person' }
  t.strictSame(readsWith({ ...FUNNEL, ...OF_GROUPS, breakdownFilter: byPlan }), changed)
})
