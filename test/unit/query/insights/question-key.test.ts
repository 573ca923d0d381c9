import t from 'tap'
import { InvariantError } from '../../../../src/core/code.ts'
import type { Json } from '../../../../src/core/json.ts'
import { withWeeks, zoneOf } from '../../../../src/core/time/zone.ts'
import { hashOf } from '../../../../src/query/insights/question-key.ts'
import { createReading } from '../../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../../src/query/insights/read/read-question.ts'

const NOW = Date.parse('2026-10-27T12:00:00Z')

/** The hash of a question about the events for which an expression holds. */
function hashWith(expression: string): string {
  const question: Json = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'view' }],
    properties: [{ type: 'hogql', key: expression }],
  }
  const read = readQuestion(question, createReading(zoneOf('UTC'), NOW, []))
  if (!read.ok) throw new Error(read.error.detail)
  return hashOf(read.value)
}

t.test('questions that differ in a part of an expression have different hashes', async (t) => {
  const expressions = [
    "properties.a = '1'",
    "properties.a = '2'",
    "properties.b = '1'",
    "properties.a != '1'",
    "person.properties.a = '1'",
    "lower(properties.a) = '1'",
    "upper(properties.a) = '1'",
    "dateTrunc('day', timestamp) = timestamp",
    "dateTrunc('week', timestamp) = timestamp",
    "dateDiff('week', timestamp, created_at) = 1",
    'round(toFloat(properties.a), 1) = 1',
    'round(toFloat(properties.a), 2) = 1',
    'properties.a = 1',
    'true',
    'not true',
  ]
  const hashes = new Map(expressions.map((each) => [hashWith(each), each]))
  t.strictSame([...hashes.values()], expressions)
})

t.test('one question has one hash, however its expression is spaced', async (t) => {
  t.equal(hashWith("lower( properties.a )='x'"), hashWith("lower(properties.a) = 'x'"))
})

t.test('the day that weeks begin with makes another question', async (t) => {
  const zone = zoneOf('UTC')
  t.not(hashOf({ zone }), hashOf({ zone: withWeeks(zone, 0) }))
  t.equal(hashOf({ zone }), hashOf({ zone: withWeeks(zone, 1) }))
})

t.test('a function has no hash', async (t) => {
  t.throws(() => hashOf({ build: () => 1 }), InvariantError)
})
