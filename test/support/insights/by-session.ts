/**
 * The property: questions about properties of sessions are answered as plain ones about the events
 * of the sessions that pass, each with the properties of its session.
 */
import fc from 'fast-check'
import type { Test } from 'tap'
import type { Json } from '../../../src/core/json.ts'
import { testDatabase } from '../servers/database.ts'
import type { Amount, EventsElsewhere } from './check.ts'
import { expected, isSame, numbersOf, putWorld, worldAsker } from './compare.ts'
import { type EventsNode, matcherOf } from './filters.ts'
import { type Question, questionAt } from './generate-questions.ts'
import { PLACES, type Place } from './generate-worlds.ts'
import { NUMBER_MATHS } from './maths.ts'
import { type SessionFilter, sessionMatcher, sessionsIn } from './sessions.ts'
import { SESSION_FILTERS, siteAt } from './web-worlds.ts'
import type { World, WorldEvent } from './world.ts'

/** A plain question, and what is asked of sessions besides. */
type Asked = {
  readonly question: Question
  readonly filters: readonly SessionFilter[]
  /** Property of sessions of the breakdown, in place of the question's own. */
  readonly by: string | undefined
  /** Number of sessions that the only series measures. */
  readonly measured: string | undefined
}

/** Prefix of properties of sessions, among those of events. */
const OF_SESSION = 'session '

export async function checkBySession(t: Test, amount: Amount, events?: EventsElsewhere) {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const examples = fc
    .constantFrom(...PLACES)
    .chain((place) =>
      fc.tuple(
        siteAt(place).map(withTextIds),
        fc.array(askedAt(place), { minLength: 1, maxLength: amount.questions, size: 'max' }),
      ),
    )
  let project = 0
  const agrees = async ([world, all]: [World, readonly Asked[]]): Promise<void> => {
    project += 1
    await putWorld(sql, project, world)
    await events?.copy(sql, project)
    const { ask } = worldAsker(sql, project, world, events?.openEvents)
    for (const asked of all) {
      const query = queryOf(asked)
      const wanted = expectedOf(world, asked)
      const answer = await ask(query)
      const told = answer.ok
        ? numbersOf(asked.question, JSON.parse(JSON.stringify(answer.value)))
        : { attr: answer.error.attr }
      if (wanted === undefined || isSame(told, wanted)) continue
      throw new Error(
        [query, world, { told }, { wanted }].map((each) => JSON.stringify(each)).join('\n'),
      )
    }
  }
  await fc.assert(fc.asyncProperty(examples, agrees), {
    numRuns: amount.worlds,
    seed: amount.seed,
    examples: [[[EVENT_WITHOUT_SESSION_ID, [SESSION_IDS_BY_BROWSER]]]],
  })
}

/** A view without a session id: its value has a row in which no session id is counted. */
const EVENT_WITHOUT_SESSION_ID: World = {
  zone: { name: 'UTC', weekStartDay: 1 },
  now: Date.UTC(2026, 2, 2, 12) * 1_000,
  events: [{ event: 'view', distinctId: 'a', properties: {}, at: Date.UTC(2026, 2, 2, 9) * 1_000 }],
  persons: [],
  testAccountFilters: [],
}
const SESSION_IDS_BY_BROWSER: Asked = {
  question: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'view', math: 'unique_session' }],
    dateRange: { date_from: '2026-03-02', date_to: '2026-03-02' },
    breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
  },
  filters: [{ type: 'session', key: '$session_duration', operator: 'gte', value: 0 }],
  by: undefined,
  measured: undefined,
}

/** Ids that are numbers count as texts in sessions, which the plain questions do not know. */
function withTextIds(world: World): World {
  const events = world.events.map((event) => {
    const { $session_id: id = null } = event.properties
    return { ...event, properties: { ...event.properties, $session_id: id === 7 ? 's7' : id } }
  })
  return { ...world, events }
}

const COUNTED = ['total', 'dau', 'unique_session', 'weekly_active', 'monthly_active']
const VALUES = ['$channel_type', '$entry_pathname', '$is_bounce', '$session_duration', '$browser']

function askedAt(place: Place): fc.Arbitrary<Asked> {
  return fc
    .record({
      question: questionAt(place).filter(({ kind }) => kind !== 'PathsQuery'),
      filters: fc.oneof(
        fc.constant([]),
        fc.array(fc.constantFrom(...SESSION_FILTERS), { maxLength: 2 }),
      ),
      by: fc.option(fc.constantFrom(...VALUES), { nil: undefined }),
      measured: fc.option(fc.constantFrom('$session_duration', '$pageview_count'), {
        nil: undefined,
        freq: 1,
      }),
      math: fc.constantFrom(...NUMBER_MATHS),
    })
    .map(({ question, filters, by, measured, math }) => {
      const named = JSON.stringify(question)
        .replaceAll('"view"', '"signup"')
        .replaceAll('"paid"', '"$autocapture"')
        .replaceAll('"browser"', '"$browser"')
        .replaceAll('"all"', '"-7d"')
        .replaceAll('"strict"', '"ordered"')
      const { aggregation_group_type_index: _, ...plain } = JSON.parse(named)
      const isMeasured = measured !== undefined && plain.kind === 'TrendsQuery'
      const [first] = SESSION_FILTERS
      const isOther = ['person', 'event_metadata'].includes(plain.breakdownFilter?.breakdown_type)
      const isBrokenDown = plain.breakdownFilter !== undefined
      const value = isOther || isMeasured ? (by ?? '$channel_type') : by
      return {
        question: isMeasured ? measuring(plain, math) : counting(plain),
        filters: filters.length === 0 && first !== undefined ? [first] : filters,
        by: isBrokenDown ? value : undefined,
        measured: isMeasured ? measured : undefined,
      }
    })
}

function counting(question: Question): Question {
  if (question.kind !== 'TrendsQuery') return question
  const series = question.series.map(({ math_property: _, math = 'total', ...node }) => {
    const { math_group_type_index: __, ...rest } = node
    const { interval = 'day' } = question
    const other = ['hour', 'minute'].includes(interval) ? 'total' : 'weekly_active'
    return { ...rest, math: COUNTED.includes(math) ? math : other }
  })
  return { ...question, series }
}

function measuring(question: Question, math: string): Question {
  if (question.kind !== 'TrendsQuery') return question
  const { trendsFilter = {}, series, ...rest } = question
  const { formula: _, ...filter } = trendsFilter
  const nodes = series.slice(0, 1).map(({ kind, event, properties }): EventsNode => {
    return { kind, event, math, ...(properties && { properties }) }
  })
  return { ...rest, series: nodes, trendsFilter: filter }
}

/** The question as the product is asked. */
function queryOf({ question, filters, by, measured }: Asked): Json {
  const asked = JSON.parse(JSON.stringify(question))
  asked.properties = [...(asked.properties ?? []), ...filters]
  if (by !== undefined) {
    asked.breakdownFilter = { ...asked.breakdownFilter, breakdown: by, breakdown_type: 'session' }
  }
  if (measured !== undefined) {
    const of = { math_property: measured, math_property_type: 'session_properties' }
    asked.series = asked.series.map((node: object) => ({ ...node, ...of }))
  }
  return asked
}

function expectedOf(world: World, asked: Asked): unknown {
  const plain = JSON.parse(JSON.stringify(asked.question))
  if (asked.by !== undefined) {
    const of = { breakdown: `${OF_SESSION}${asked.by}`, breakdown_type: 'event' }
    plain.breakdownFilter = { ...plain.breakdownFilter, ...of }
  }
  return expected(...plainly(world, asked, plain))
}

/** The world as the plain question sees it, and the question to it. */
function plainly(world: World, asked: Asked, question: Question): [World, Question] {
  const events = world.events.map((event, nth) => {
    return { ...event, properties: { ...event.properties, nth } }
  })
  const passes = sessionMatcher(world, asked.filters)
  const sessions = sessionsIn({ ...world, events }).filter(passes)
  if (asked.measured === undefined || question.kind !== 'TrendsQuery') {
    const kept = sessions.flatMap((session) =>
      session.events.map((event) => withOwn(event, session.properties)),
    )
    kept.sort((a, b) => Number(a.properties['nth']) - Number(b.properties['nth']))
    return [{ ...world, events: kept }, question]
  }
  // Each session is one event, at its begin.
  const [node] = question.series
  if (node === undefined) throw new Error('a question has a series')
  const matches = matcherOf(world, question, node)
  const firsts = sessions.flatMap((session) => {
    const [first] = session.events
    if (first === undefined || !session.events.some(matches)) return []
    return [withOwn({ ...first, event: 'session' }, session.properties)]
  })
  const of = { event: 'session', properties: [], math_property: `${OF_SESSION}${asked.measured}` }
  const { filterTestAccounts: _, ...rest } = question
  return [
    { ...world, events: firsts },
    { ...rest, series: [{ ...node, ...of }], properties: [] },
  ]
}

function withOwn(event: WorldEvent, properties: WorldEvent['properties']): WorldEvent {
  const own = Object.entries(properties).map(([key, value]) => [`${OF_SESSION}${key}`, value])
  return {
    event: event.event,
    distinctId: event.distinctId,
    at: event.at,
    properties: { ...event.properties, ...Object.fromEntries(own) },
  }
}
