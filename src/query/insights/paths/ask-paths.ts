/** Answers which paths actors take. */

import { yieldToEventLoop } from '../../../core/clock.ts'
import {
  INSIGHT_EVENTS_OF_TURN,
  INSIGHT_FOLLOWED_EVENTS_MAX,
} from '../../../core/limits/limits-query.ts'
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import { firstOf } from '../../../core/order/first-of.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { type ActorText, pairsOf } from '../../../event-store/actor-text.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import type { ActorPaths, ActorsRead } from '../../../event-store/insight-events.ts'
import type { PathsQuestion, QuestionError } from '../question.ts'
import { type InsightReader, within } from '../reader.ts'
import type { Range } from '../time/grid.ts'
import { type Edge, edgesOf, LEFT_OUT, type PathRules } from './fold.ts'

/** Different items that paths are made of, up to 400 characters each; more are 400. */
const INSIGHT_PATH_ITEMS_MAX = 120_000

export type EdgeRow = {
  /** The number of the step and its item: `1_/`. */
  readonly source: string
  readonly target: string
  /** How often it was taken. */
  readonly value: number
  /** Milliseconds. */
  readonly average_conversion_time: number
}

const US_PER_MS = 1_000

/** @param selections the events of paths, whenever they happened. */
export async function askPaths(
  reader: InsightReader,
  question: PathsQuestion,
  selections: readonly EventSelection[],
  range: Range,
): Promise<Result<readonly EdgeRow[], QuestionError>> {
  const counts = new Map<number, Count>()
  let names: ItemNames = new Map()
  const named = { isNamed: false }
  const failed = await visitEdges(reader, question, selections, range, named, (edge, ofItems) => {
    names = ofItems
    const key = numberOf(edge)
    const count = counts.get(key)
    if (count === undefined) counts.set(key, { edge, value: 1, time: edge.time })
    else {
      count.value += 1
      count.time += edge.time
    }
  })
  if (failed !== undefined) return err(failed)
  const most = firstOf(counts.values(), question.edgeLimit, (a, b) => {
    return b.value - a.value || byKeys(keysOf(a.edge, names), keysOf(b.edge, names))
  })
  return ok(
    most.map(({ edge, value, time }) => ({
      ...keysOf(edge, names),
      value,
      average_conversion_time: time / value / US_PER_MS,
    })),
  )
}

type Count = { readonly edge: Edge; value: number; time: number }

/** A different number for each step and its two items. */
function numberOf({ step, from, to }: Edge): number {
  const numbers = INSIGHT_PATH_ITEMS_MAX + 1 - LEFT_OUT
  return (step * numbers + from - LEFT_OUT) * numbers + to - LEFT_OUT
}

type ItemNames = ActorPaths['names']

/**
 * Calls `visit` with every edge that every actor took, actor after actor. Other work gets its turn
 * in between.
 * @param selections the events of paths, whenever they happened.
 * @returns why it could not be done.
 */
export async function visitEdges(
  reader: InsightReader,
  question: PathsQuestion,
  [selection]: readonly EventSelection[],
  range: Range,
  named: ActorsRead,
  visit: (edge: Edge, names: ItemNames, actor: ActorText) => void,
): Promise<QuestionError | undefined> {
  if (selection === undefined) return undefined
  const read = within(selection, range)
  const bounds = { eventsMax: INSIGHT_FOLLOWED_EVENTS_MAX, itemsMax: INSIGHT_PATH_ITEMS_MAX }
  const asked = { ...bounds, ...named }
  const paths = await reader.events.itemsByActor(read, question.eventTypes, asked)
  if (paths === 'too_many_events') return TOO_MANY_EVENTS
  if (paths === 'too_many_items') return TOO_MANY_ITEMS
  const rules = rulesOf(question, paths)
  if (rules === undefined) return undefined
  let ofTurn = 0
  for (const actor of paths.actors) {
    const events = pairsOf(actor).map(([at, item]) => ({ at, item }))
    ofTurn += events.length
    if (ofTurn > INSIGHT_EVENTS_OF_TURN) {
      ofTurn = 0
      await yieldToEventLoop()
    }
    for (const edge of edgesOf(events, rules)) visit(edge, paths.names, actor)
  }
  return undefined
}

const TOO_MANY_EVENTS: QuestionError = {
  code: 'invalid_input',
  detail: `The paths are more than ${INSIGHT_FOLLOWED_EVENTS_MAX} events: ask for a shorter range.`,
  attr: 'dateRange',
}
const TOO_MANY_ITEMS: QuestionError = {
  code: 'invalid_input',
  detail:
    `The paths have more than ${INSIGHT_PATH_ITEMS_MAX} different items: ` +
    'ask for fewer types of events, or for a shorter range.',
  attr: 'pathsFilter.includeEventTypes',
}

/** Undefined when no event has an item that every path must have. */
function rulesOf(
  { startPoint, endPoint, stepLimit }: PathsQuestion,
  { names }: ActorPaths,
): PathRules | undefined {
  const numbers = new Map([...names].map(([number, name]) => [name, number]))
  const of = (point: string | undefined) => (point === undefined ? undefined : numbers.get(point))
  const isNowhere = (point: string | undefined) => point !== undefined && of(point) === undefined
  if (isNowhere(startPoint) || isNowhere(endPoint)) return undefined
  return { startPoint: of(startPoint), endPoint: of(endPoint), stepLimit }
}

type EdgeKeys = Pick<EdgeRow, 'source' | 'target'>

/** The keys of an edge's two ends, as an answer has them. */
export function keysOf({ step, from, to }: Edge, names: ItemNames): EdgeKeys {
  const name = (item: number) => (item === LEFT_OUT ? '...' : (names.get(item) ?? ''))
  return { source: `${step}_${name(from)}`, target: `${step + 1}_${name(to)}` }
}

/** Orders by code point. */
function byKeys(a: EdgeKeys, b: EdgeKeys): number {
  return byCodePoint(a.source, b.source) || byCodePoint(a.target, b.target)
}
