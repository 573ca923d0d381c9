/** Pages of actors, and the places of what a question names in an answer. */
import { assert } from '../../../core/code.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey, ActorText } from '../../../event-store/actor-text.ts'
import type { ActorPage } from '../../../event-store/insight-events.ts'
import type { GroupIndex, QuestionError } from '../question.ts'
import { bucketText, dayText, type Grid, hasTime } from '../time/grid.ts'
import { inTurns } from '../turns.ts'

/** @throws {InvariantError} when it was read without its name. */
export function keyOf({ person, lone }: ActorText, group: GroupIndex = undefined): ActorKey {
  assert(person !== undefined && lone !== undefined, 'an actor was read without its name')
  return { person, lone, group: group ?? null }
}

/** The actors of a page that a test holds for, in their order. @param group of what type they are groups. */
export async function pageOf(
  actors: readonly ActorText[],
  test: (actor: ActorText) => boolean,
  { limit, offset }: ActorPage,
  group?: GroupIndex,
): Promise<readonly ActorKey[]> {
  const found: ActorText[] = []
  await inTurns(actors, (actor) => {
    if (test(actor)) found.push(actor)
  })
  return found.slice(offset, offset + limit).map((actor) => keyOf(actor, group))
}

/**
 * The place of a bucket by its text in the answer: of `buckets`, and of `days` where these are
 * dates, since two hours may have one name.
 */
export function placeOfDay(grid: Grid, day: string): Result<number, QuestionError> {
  const place = grid.starts.findIndex(
    (start) =>
      bucketText(grid, start) === day || (!hasTime(grid.interval) && dayText(grid, start) === day),
  )
  return place === -1 ? err(notInAnswer('day')) : ok(place)
}

/** @param member of `InsightActorsQuery`. */
export function notInAnswer(member: string): QuestionError {
  return {
    code: 'invalid_input',
    detail: 'The answer has no such number.',
    attr: `source.${member}`,
  }
}

/** An error of the question that the data point belongs to. */
export function inSource(error: QuestionError): QuestionError {
  return { ...error, attr: error.attr === null ? null : `source.source.${error.attr}` }
}
