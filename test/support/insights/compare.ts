/** Asks the product the questions of the reference evaluator, and compares. */
import { isDeepStrictEqual } from 'node:util'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { isObject, type Json, type JsonObject, listOf, objectOf } from '../../../src/core/json.ts'
import type { OpenInsightEvents } from '../../../src/event-store/insight-events.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { keepSessionDays } from '../../../src/query/insights/precompute/session-days.ts'
import { putEvents, putPerson } from '../ingest/events.ts'
import { asker } from '../query/questions.ts'
import { evaluateFunnel, type FunnelsQuery, Unclear } from './funnels.ts'
import type { Question } from './generate-questions.ts'
import { evaluateLifecycle, evaluateRetention, evaluateStickiness } from './habits.ts'
import { evaluatePaths } from './paths.ts'
import { Refused } from './ranges.ts'
import { evaluateTrends } from './trends.ts'
import { GROUP_TYPES, type Micros, type World } from './world.ts'

/** Allowed difference of two numbers, relative to the larger one. */
const TOLERANCE = 1e-9

function instant(at: Micros): string {
  const seconds = Math.floor(at / 1_000_000)
  const fraction = String(at - seconds * 1_000_000).padStart(6, '0')
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${fraction}Z`
}

/** Stores a world as a project of its own. */
export async function putWorld(sql: Sql, project: number, world: World): Promise<void> {
  for (const person of world.persons) await putPerson(sql, project, person)
  for (const [index, type] of GROUP_TYPES.entries()) {
    await sql`insert into group_types (project_id, group_type, type_index)
      values (${project}, ${type}, ${index})`
  }
  if (world.events.length === 0) return
  await putEvents(
    sql,
    project,
    world.events.map(({ at, ...event }, nth) => ({
      ...event,
      timestamp: instant(at),
      // Equal times are in this order.
      uuid: `00000000-0000-4000-8000-${String(project * 1_000 + nth).padStart(12, '0')}`,
    })),
  )
}

/** Numbers that the specification requires, or the refused member; undefined where it is silent. */
export function expected(world: World, question: Question): unknown {
  try {
    return evaluated(world, question)
  } catch (error) {
    if (error instanceof Refused) return { attr: error.attr }
    if (error instanceof Unclear) return undefined
    throw error
  }
}

function evaluated(world: World, question: Question): unknown {
  switch (question.kind) {
    case 'TrendsQuery':
      return evaluateTrends(world, question)
    case 'FunnelsQuery':
      return evaluateFunnel(world, question)
    case 'RetentionQuery':
      return evaluateRetention(world, question)
    case 'StickinessQuery':
      return evaluateStickiness(world, question)
    case 'LifecycleQuery':
      return evaluateLifecycle(world, question)
    case 'PathsQuery':
      return evaluatePaths(world, question)
  }
}

/** The same numbers of an answer of the product. */
export function numbersOf(question: Question, answer: Json): unknown {
  const { results = null, hasMore = false } = objectOf(answer)
  const rows = listOf(results).map(objectOf)
  switch (question.kind) {
    case 'TrendsQuery':
      return { rows: rows.map(trendsRow), hasMore }
    case 'FunnelsQuery':
      return funnelNumbers(question, results)
    case 'RetentionQuery':
      return rows.map(({ values }) => values)
    case 'PathsQuery':
      return rows.map(({ source, target, value, average_conversion_time: average }) => ({
        source,
        target,
        value,
        average,
      }))
    default:
      return rows.map(({ data }) => data)
  }
}

function funnelNumbers({ breakdownFilter, funnelsFilter }: FunnelsQuery, results: Json): unknown {
  const kind = funnelsFilter?.funnelVizType ?? 'steps'
  if (kind === 'trends') {
    const rows = listOf(results).map(objectOf)
    const of = ({ data = null }: JsonObject) => ({ kind, data })
    if (breakdownFilter === undefined) return of(objectOf(rows[0]))
    return rows.map((row) => ({ value: row['breakdown_value'], answer: of(row) }))
  }
  if (kind === 'time_to_convert') {
    const { bins, average_conversion_time: average } = objectOf(results)
    const times = listOf(bins).reduce((sum: number, bin) => sum + Number(listOf(bin)[1]), 0)
    return { kind: 'times', times, average }
  }
  const of = (list: Json) => ({ kind, rows: listOf(list).map(objectOf).map(stepRow) })
  if (breakdownFilter === undefined) return of(results)
  const valueIn = (list: Json) => objectOf(listOf(list)[0])['breakdown_value']
  return listOf(results).map((list) => ({ value: valueIn(list), answer: of(list) }))
}

function stepRow(row: JsonObject) {
  return {
    count: row['count'],
    average: row['average_conversion_time'],
    median: row['median_conversion_time'],
    open: row['open_entrants'],
  }
}

function trendsRow(row: { readonly [key: string]: Json }) {
  const optional = {
    value: 'breakdown_value',
    period: 'compare_label',
    aggregated: 'aggregated_value',
  }
  const there = Object.entries(optional).filter(([, member]) => member in row)
  return {
    ...Object.fromEntries(there.map(([name, member]) => [name, row[member]])),
    data: row['data'],
    buckets: row['buckets'],
    incompleteFrom: row['incomplete_from'],
  }
}

/** Equal, but for the last digits of numbers. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one), Math.abs(other))
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]))
  }
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one).filter((key) => one[key] !== undefined)
    const isSameKeys = isDeepStrictEqual(keys.toSorted(), Object.keys(other).toSorted())
    return isSameKeys && keys.every((key) => isSame(one[key], other[key]))
  }
  return Object.is(one, other)
}

/** Asks the project of a world. */
export function worldAsker(
  sql: Sql,
  project: number,
  world: World,
  openEvents?: OpenInsightEvents,
) {
  return asker(sql, { openEvents, project, now: instant(world.now), ...settingsOf(world) })
}

function settingsOf({ zone, testAccountFilters, webGoals = [] }: World) {
  const [filters, goals]: [Json, Json] = JSON.parse(JSON.stringify([testAccountFilters, webGoals]))
  return {
    timezone: zone.name,
    weekStartDay: zone.weekStartDay,
    testAccountFilters: filters,
    webGoals: goals,
  }
}

/** Writes the blocks of sessions of the days that have ended. */
export async function keepDays(
  sql: Sql,
  project: number,
  world: World,
  openEvents?: OpenInsightEvents,
): Promise<void> {
  const clock = { ...systemClock, now: () => Date.parse(instant(world.now)) }
  const counting = { sql, clock, ...(openEvents && { openEvents }) }
  const deps = { sql, counting, clock, rest: async () => {} }
  const asking = { id: projectId(project), ...settingsOf(world) }
  await keepSessionDays(deps, asking, new AbortController().signal)
}

/** Differences as text; undefined when the answers agree. */
export async function difference(
  sql: Sql,
  project: number,
  world: World,
  question: Question,
  openEvents?: OpenInsightEvents,
): Promise<string | undefined> {
  const { ask } = worldAsker(sql, project, world, openEvents)
  const query: Json = JSON.parse(JSON.stringify(question))
  const answer = await ask(query)
  const told = answer.ok
    ? numbersOf(question, JSON.parse(JSON.stringify(answer.value)))
    : { attr: answer.error.attr }
  const wanted = expected(world, question)
  if (wanted === undefined || isSame(told, wanted)) return
  const shown = { ...world, now: instant(world.now), events: world.events.map(briefly) }
  return [
    `question ${JSON.stringify(question)}`,
    `world ${JSON.stringify(shown, undefined, 1)}`,
    `product   ${JSON.stringify(told)}`,
    `reference ${JSON.stringify(wanted)}`,
  ].join('\n')
}

function briefly({ at, ...event }: World['events'][number]) {
  return { at: instant(at), ...event }
}
