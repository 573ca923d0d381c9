/** Loads the cohorts that filters and breakdowns name, before these are parsed. */
import type { Moment } from '../conditions/condition.ts'
import { learnPatterns } from '../conditions/patterns/learn-patterns.ts'
import { inspectPattern } from '../conditions/patterns/regex.ts'
import { isPattern } from '../conditions/patterns/store-patterns.ts'
import { yieldToEventLoop } from '../core/clock.ts'
import { cohortIdOf, type ProjectId } from '../core/ids.ts'
import { isObject, type Json } from '../core/json.ts'
import { parseJson } from '../core/json-text/parse-json.ts'
import { ok, type Result } from '../core/result.ts'
import { zoneOf } from '../core/time/zone.ts'
import { workInTurns } from '../core/work/turns.ts'
import { isMember } from '../event-store/postgres/renderer/cohort-sql.ts'
import { type Members, patternsOfMembers } from '../events/trees/members.ts'
import { acceptsPattern, acceptsPatterns } from '../postgres/bounded-reads.ts'
import type { Sql } from '../postgres/connect.ts'
import {
  type CohortMembers,
  cohortMembers,
  cohortOfConditions,
} from '../store/cohorts/cohort-members.ts'
import { loadCohortDefinitions } from '../store/cohorts/cohort-store.ts'
import { loadZone } from '../store/projects/project-store.ts'
import type { Scans } from './query-limiter.ts'

/** Time for Postgres to check whether it can read a pattern of a cohort. */
const COHORT_PATTERN_TIMEOUT_MS = 1_000
/** Patterns of cohorts that one statement checks. */
const COHORT_PATTERNS_AT_ONCE = 100

/** Cohorts of a query that names none. */
export const NO_COHORTS: CohortMembers = cohortMembers([], { nowMs: 0, zone: zoneOf('UTC') })

/** Accepts every id as that of a cohort: for questions that are checked and not asked. */
export const ANY_COHORT: CohortMembers = Object.assign(() => ok({ kind: 'nobody' } as const), {
  nameOf: String,
})

/** Dependencies of callers without a slot of the query limiter. */
export type ReadInTurn = { readonly sql: Sql; readonly scans: Scans; readonly signal: AbortSignal }

/**
 * As `readAskedCohorts`, but within the organization's scan limits. A request without cohorts takes
 * no slot.
 * @throws {AppError} of the query limiter.
 */
export async function readCohortsInTurn(
  { sql, scans, signal }: ReadInTurn,
  project: ProjectId,
  asked: unknown,
  nowMs: number,
): Promise<CohortMembers> {
  if (cohortIdsIn(asked).size === 0) return NO_COHORTS
  const own = sql.withSignal(signal)
  return await scans.run(signal, () => readAskedCohorts(own, project, asked, nowMs))
}

/**
 * Reads the members of the cohorts that a question or its filters name, whether or not the rest of
 * them is valid. Call within a slot of the query limiter.
 * @throws {PostgresError} 57014 when checking a pattern takes too long.
 */
export async function readAskedCohorts(
  sql: Sql,
  project: ProjectId,
  asked: unknown,
  nowMs: number,
): Promise<CohortMembers> {
  const ids = cohortIdsIn(asked)
  if (ids.size === 0) return NO_COHORTS
  const [definitions, zone] = await Promise.all([
    loadCohortDefinitions(sql, project, ids),
    loadZone(sql, project),
  ])
  return await readOutboxRows(sql, definitions, ids, { nowMs, zone })
}

/**
 * Reads conditions on persons and cohorts; the error says why SQL cannot test them.
 * @param name of the owner of the conditions, at the beginning of a sentence.
 */
export async function readConditions(
  sql: Sql,
  project: ProjectId,
  { conditions, name }: { readonly conditions: readonly Json[]; readonly name: string },
  nowMs: number,
): Promise<Result<Members, string>> {
  const [stored, zone] = await Promise.all([
    loadCohortDefinitions(sql, project, cohortIdsIn(conditions)),
    loadZone(sql, project),
  ])
  const asked = cohortOfConditions(conditions)
  const members = await readOutboxRows(sql, [...stored, asked], [asked.id], { nowMs, zone })
  return members(asked.id, name)
}

type Definitions = Awaited<ReturnType<typeof loadCohortDefinitions>>

async function readOutboxRows(
  sql: Sql,
  definitions: Definitions,
  ids: Iterable<number>,
  moment: Moment,
): Promise<CohortMembers> {
  await workInTurns(learnPatterns(definitions, learn))
  const members = cohortMembers(definitions, moment)
  await renderInTurns([...ids], members)
  const patterns = [...ids].flatMap((id) => {
    const found = members(id)
    return found.ok ? patternsOfMembers(found.value) : []
  })
  const refused = await refusedPatterns(sql, [...new Set(patterns)])
  return refused.size === 0 ? members : cohortMembers(definitions, moment, refused)
}

/** Caches the pattern for the parser of the conditions. */
function learn(pattern: string): void {
  inspectPattern(pattern)
  isPattern(pattern)
}

/** Renders each cohort in its own turn of the event loop, so that no statement renders several. */
async function renderInTurns(ids: readonly number[], members: CohortMembers): Promise<void> {
  for (const id of ids) {
    const found = members(id)
    if (!found.ok) continue
    isMember(found.value)
    await yieldToEventLoop()
  }
}

/** Checks many patterns at a time; if one is refused or slow, each by itself. */
async function refusedPatterns(
  sql: Sql,
  patterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  for (let from = 0; from < patterns.length; from += COHORT_PATTERNS_AT_ONCE) {
    const some = patterns.slice(from, from + COHORT_PATTERNS_AT_ONCE)
    if (await acceptsPatterns(sql, some, 'of_re2', COHORT_PATTERN_TIMEOUT_MS)) continue
    for (const pattern of some) {
      const isAccepted = await acceptsPattern(sql, pattern, 'of_re2', COHORT_PATTERN_TIMEOUT_MS)
      if (!isAccepted) refused.add(pattern)
    }
  }
  return refused
}

/** `readCohortsInTurn` for filters that are JSON text; text that is none names no cohort. */
export async function readCohortsOfText(
  reading: ReadInTurn,
  project: ProjectId,
  text: string,
  nowMs: number,
): Promise<CohortMembers> {
  if (!text.includes('cohort')) return NO_COHORTS
  let asked: unknown
  try {
    asked = parseJson(text)
  } catch {
    return NO_COHORTS // The parser of the filters reports the error.
  }
  return await readCohortsInTurn(reading, project, asked, nowMs)
}

/** Ids of the cohorts that JSON names, in its order. It may nest deeper than calls: no recursion. */
export function cohortIdsIn(asked: unknown): ReadonlySet<number> {
  const ids = new Set<number>()
  const add = (value: unknown) => {
    const id = cohortIdOf(value)
    if (id !== undefined) ids.add(id)
  }
  const waiting: unknown[] = [asked]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const item of value.toReversed()) waiting.push(item)
    if (!isObject(value)) continue
    if (value['type'] === 'cohort') add(value['value'])
    if (value['breakdown_type'] === 'cohort') {
      const listed: unknown = value['breakdown']
      for (const item of Array.isArray(listed) ? listed : [listed]) add(item)
    }
    for (const name of Object.keys(value).reverse()) waiting.push(value[name])
  }
  return ids
}
