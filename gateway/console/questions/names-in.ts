/** Names of events that a question is about. */
import type { Json, JsonObject } from '../../client/index.ts'
import { isRecord } from '../data/json.ts'
import { listIn, memberOf, seriesOf } from './question.ts'

/** Names without duplicates, in the order of the question; other values are left out. */
export function eventsIn(question: JsonObject): readonly string[] {
  const retention = memberOf(question, 'retentionFilter')
  const exclusions = listIn(memberOf(question, 'funnelsFilter'), 'exclusions').filter(isRecord)
  const names: readonly (Json | undefined)[] = [
    ...[...seriesOf(question), ...exclusions].map(({ event }) => event),
    ...['targetEntity', 'returningEntity'].map((name) => memberOf(retention, name)['id']),
    question['event'],
  ]
  const texts = names.filter((name) => typeof name === 'string' && name !== '')
  return [...new Set(texts.map(String))]
}
