/** The actors behind a number of a retention answer. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey } from '../../../event-store/actor-text.ts'
import type { ActorPage } from '../../../event-store/insight-events.ts'
import type { NumberAsked, QuestionError } from '../question.ts'
import { readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import {
  gridOfIntervals,
  hasBegun,
  readRetention,
  visitReturns,
} from '../retention/ask-retention.ts'
import { inSource, notInAnswer, pageOf } from './pages.ts'

export async function retentionActors(
  reader: InsightReader,
  project: ProjectId,
  { source, row, later }: Extract<NumberAsked, { kind: 'retention' }>,
  selected: readonly Selected[],
  page: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  const selections = selected.map(({ selection }) => selection)
  const range = await readRangeOf(reader, source, selections)
  if (!range.ok) return err(inSource(range.error))
  const { edges } = gridOfIntervals(source, range.value)
  const intervals = edges.length - 1
  if (row >= intervals) return err(notInAnswer('interval'))
  const isThere = row + later < intervals && hasBegun(edges, row + later, reader.nowMs)
  if (!isThere) return err(notInAnswer('day'))
  const named = { isNamed: true }
  const actors = await readRetention(reader, project, source, selected, edges, named)
  const isBehind = (actor: (typeof actors)[number]) => {
    let isFound = false
    visitReturns(actor, { ...source, intervals }, (ofRow, ofLater) => {
      if (ofRow === row && ofLater === later) isFound = true
    })
    return isFound
  }
  return ok(await pageOf(actors, isBehind, page, source.groups))
}
