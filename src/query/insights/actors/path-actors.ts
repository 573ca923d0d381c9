/** The actors behind an edge of a paths answer. */
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey } from '../../../event-store/actor-text.ts'
import type { ActorPage } from '../../../event-store/insight-events.ts'
import { keysOf, visitEdges } from '../paths/ask-paths.ts'
import type { NumberOfPaths, QuestionError } from '../question.ts'
import { readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { inSource, keyOf, notInAnswer } from './pages.ts'

const NAMED = { isNamed: true }

export async function pathActors(
  reader: InsightReader,
  { source, start, end }: NumberOfPaths,
  selected: readonly Selected[],
  { limit, offset }: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  const selections = selected.map(({ selection }) => selection)
  const range = await readRangeOf(reader, source, selections)
  if (!range.ok) return err(inSource(range.error))
  const found = new Set<ActorKey>()
  let [last, key]: [unknown, ActorKey | undefined] = [undefined, undefined]
  const failed = await visitEdges(
    ...([reader, source, selections, range.value, NAMED] as const),
    (edge, names, actor) => {
      const keys = keysOf(edge, names)
      if (start !== undefined && keys.source !== start) return
      if (end !== undefined && keys.target !== end) return
      // All edges of an actor are adjacent.
      if (last !== actor || key === undefined) [last, key] = [actor, keyOf(actor)]
      found.add(key)
    },
  )
  if (failed !== undefined) return err(inSource(failed))
  if (found.size === 0) return err(notInAnswer(start === undefined ? 'pathEndKey' : 'pathStartKey'))
  return ok([...found].slice(offset, offset + limit))
}
