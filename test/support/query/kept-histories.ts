/** Random lives of a project, in which each kept answer is compared with one that is counted. */
import type { Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { CACHED_MOVING_MS } from '../../../src/core/limits/limits-query.ts'
import { silentLog } from '../../../src/core/log.ts'
import type { PersonMerge } from '../../../src/events/event.ts'
import type { FlushRow } from '../../../src/ingest/store-port.ts'
import { answerQuestion } from '../../../src/query/insights/answer.ts'
import { createAnswerCache } from '../../../src/query/insights/cache/answer-cache.ts'
import { createPage } from '../../../src/query/insights/page.ts'
import { createProject, makeEvent, openStore, rowOf } from '../ingest/ingest-store.ts'
import type { TestDatabase } from '../servers/database.ts'
import { askFiltered, askForPerson, work } from '../store/deletions.ts'
import { anyScans } from './any-scans.ts'
import { QUESTIONS } from './kept-questions.ts'

const START_MS = Date.parse('2026-10-27T12:00:00Z')
const HOUR_MS = 3_600_000
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'] as const
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
const NAMES = ['view', 'view', 'paid', 'open'] as const
const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge', ''] as const
const COMPANIES = ['acme', 'x', 'y', ''] as const
const FAR_DAYS = 45

export type History = { readonly seed: number; readonly steps: number }

/**
 * Lets a new project live through so many random steps, and asks all questions after each.
 * @returns how many answers were kept ones.
 */
export async function randomHistory(t: Test, db: TestDatabase, { seed, steps }: History) {
  const life = await beginLife(t, db, seed)
  let kept = 0
  for (let step = 0; step < steps; step++) {
    const happened = await life.happen()
    const queries = QUESTIONS.filter(() => life.below(3) > 0)
    // A page asks all of them at the same moment.
    const isPage = step % 2 === 1
    const page = isPage ? await life.askPage(queries) : []
    for (const [index, query] of queries.entries()) {
      const one = page[index] ?? (await life.ask(query, true))
      const other = await life.ask(query, false)
      if (one['is_cached'] === true) kept++
      const place = `seed ${seed}, step ${step} (${happened}${isPage ? ', as a page' : ''})`
      t.strictSame(membersOf(one), membersOf(other), `${place}: ${JSON.stringify(query)}`)
    }
  }
  return kept
}

/** Members of an answer that depend on the events. */
function membersOf(answer: Readonly<Record<string, unknown>>): unknown {
  const { results, hasMore, resolved_date_range } = answer
  return JSON.parse(JSON.stringify({ results, hasMore, resolved_date_range }))
}

/** A generator of the same numbers for the same seed. */
function belowOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Life = {
  readonly db: TestDatabase
  readonly project: ProjectId
  readonly below: (below: number) => number
  readonly flush: (slot: number, rows: readonly FlushRow[]) => Promise<unknown>
  nowMs: number
  timezone: string
  weekStartDay: 0 | 1
}

async function beginLife(t: Test, db: TestDatabase, seed: number) {
  const { sql } = db
  const project = await createProject(sql)
  const { flush } = openStore(t, db)
  const below = belowOf(seed)
  const life: Life = {
    db,
    project,
    below,
    flush,
    nowMs: START_MS,
    timezone: 'UTC',
    weekStartDay: 1,
  }
  const clock: Clock = { ...systemClock, now: () => life.nowMs }
  const cache = createAnswerCache(sql, silentLog)
  const scans = anyScans()
  const { signal } = new AbortController()
  const asked = () => {
    const { timezone, weekStartDay } = life
    return { id: project, timezone, weekStartDay, testAccountFilters: [] }
  }
  const ask = async (query: Json, isKept: boolean) => {
    const deps = { sql, clock, scans, cache: isKept ? cache : undefined }
    return accepted(await answerQuestion(deps, asked(), query, { path: 'query' }, signal))
  }
  const askPage = async (queries: readonly Json[]) => {
    const page = createPage({ sql, clock, scans, cache }, asked(), queries)
    const answers = queries.map((query) =>
      page.answer(query, { path: 'query' }, new AbortController().signal),
    )
    return (await Promise.all(answers)).map(accepted)
  }
  return { happen: () => happen(life), ask, askPage, below }
}

function accepted(answer: Awaited<ReturnType<typeof answerQuestion>>) {
  if (!answer.ok) throw new Error(`${answer.error.attr}: ${answer.error.detail}`)
  return answer.value
}

function pickOf({ below }: Life) {
  return <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0]
}

async function capture(life: Life, count: number, agoMs: () => number, merge?: PersonMerge) {
  const { below, project, nowMs } = life
  const pick = pickOf(life)
  const rows = Array.from({ length: count }, () =>
    rowOf(
      project,
      makeEvent({
        event: pick(NAMES),
        distinctId: pick(IDS),
        timestamp: `${new Date(nowMs - agoMs()).toISOString().slice(0, 23)}000Z`,
        properties: JSON.stringify({
          amount: below(50),
          $browser: pick(BROWSERS),
          $groups: { company: pick(COMPANIES) },
          ...(below(2) === 0 && { $session_id: `s${below(4)}` }),
        }),
        person: { profile: merge !== undefined || below(3) > 0, merge },
      }),
    ),
  )
  await life.flush(below(3), rows)
}

/** @returns what happened, in words. */
async function happen(life: Life): Promise<string> {
  const { db, project, below } = life
  const pick = pickOf(life)
  // Time passes, so that answers that may be stale for a while have expired.
  life.nowMs += CACHED_MOVING_MS + below(2 * HOUR_MS)
  const far = () => below(FAR_DAYS * 24) * HOUR_MS
  switch (below(10)) {
    case 0:
      life.timezone = pick(ZONES)
      life.weekStartDay = below(2) === 0 ? 0 : 1
      return `zone ${life.timezone}, weeks from ${life.weekStartDay}`
    case 1:
    case 2: {
      const otherDistinctId = pick(IDS)
      await capture(life, 1, far, { kind: 'dangerously', otherDistinctId })
      return `merge with ${otherDistinctId}`
    }
    case 3:
      return await deletePersonOf(db, project, pick(IDS), below(2) === 0)
    case 4: {
      const event = pick(NAMES)
      const after = new Date(life.nowMs - 5 * 24 * HOUR_MS).toISOString()
      await askFiltered(db.sql, project, { event, after })
      await work(db.sql)
      return `deleted ${event}`
    }
    case 5:
      await capture(life, 3, far)
      return 'late events'
    case 6:
      life.nowMs += 24 * HOUR_MS
      return 'a day later'
    case 7:
      return 'nothing'
    default:
      await capture(life, 12, () => below(9 * 24) * HOUR_MS)
      return 'events'
  }
}

async function deletePersonOf(
  { sql }: TestDatabase,
  project: ProjectId,
  distinctId: string,
  withEvents: boolean,
): Promise<string> {
  const [found] = await sql`
    select from distinct_ids where project_id = ${project} and distinct_id = ${distinctId}`
  if (found === undefined) return 'nobody to delete'
  await askForPerson(sql, project, distinctId, withEvents)
  await work(sql)
  return `deleted the person of ${distinctId}${withEvents ? ' with its events' : ''}`
}
