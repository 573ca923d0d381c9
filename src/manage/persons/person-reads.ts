/** Lists of persons, and single ones. */
import type { ListPersonsRequest__Output } from '../../../proto/gen/sluice/v1/ListPersonsRequest.ts'
import type { Person } from '../../../proto/gen/sluice/v1/Person.ts'
import { accepted, found, invalid } from '../../access/errors.ts'
import { cleanText } from '../../core/clean-text.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import {
  EVENT_PAGE_PERSON_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
} from '../../core/limits/limits-query.ts'
import { zoneOf } from '../../core/time/zone.ts'
import type { FoundPerson } from '../../event-store/postgres/persons/find-person.ts'
import {
  countPersons,
  type ListedPerson,
  type PersonSelection,
  pageOfPersons,
} from '../../event-store/postgres/persons/person-list-store.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import { readable } from '../../event-store/postgres/reads/resolve-selection.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { readCohortsOfText } from '../../query/asked-cohorts.ts'
import { inTime, type ScanDeps } from '../../query/list/events-list.ts'
import { parsePersonFilters } from '../../query/list/persons-list.ts'
import { createTimeBudget, type TimeBudget } from '../../query/time-budget.ts'
import type { Page } from '../../wire/page.ts'
import { zoneOfList } from '../events/event-message.ts'

type Listed = { readonly count: number; readonly results: Person[] }

/** @throws {AppError} `invalid_argument` when a filter is wrong, or the page too large. */
export async function listPersons(
  deps: ScanDeps,
  project: ProjectId,
  request: Partial<ListPersonsRequest__Output> & Page,
  signal: AbortSignal,
): Promise<Listed> {
  const { properties = '' } = request
  const nowMs = deps.clock.now()
  const { sql, scans } = deps
  const [cohorts, zone] = await Promise.all([
    readCohortsOfText({ sql, scans, signal }, project, properties, nowMs),
    zoneOfList(sql, project, { properties }),
  ])
  const moment = { nowMs, zone: zone ?? zoneOf('UTC') }
  const filter = accepted(parsePersonFilters(properties, moment, cohorts))
  return await readPersonPage(deps, request, signal, async (own, budget) => {
    const where = filter && (await readable(own, filter, budget))
    return {
      project,
      search: given(request.search),
      distinctId: given(request.distinct_id),
      email: given(request.email),
      where,
    }
  })
}

/**
 * A page of selected persons and their total, in one snapshot.
 * @throws {AppError} `invalid_argument` when the page is too large; errors of `select`.
 */
export async function readPersonPage(
  { sql, clock, scans }: ScanDeps,
  request: Page,
  signal: AbortSignal,
  select: (own: Sql, budget: TimeBudget) => Promise<PersonSelection>,
): Promise<Listed> {
  const own = sql.withSignal(signal)
  const budget = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
  const read = async () => {
    const selection = await select(own, budget)
    const bounds = { ...pageIn(request), bytesMax: EVENT_PAGE_PERSON_BYTES_MAX }
    return await readEvents(own, async (tx) => {
      const count = await withinBudget(tx, budget, () => countPersons(tx, selection))
      const page =
        count <= bounds.offset
          ? []
          : await withinBudget(tx, budget, () => pageOfPersons(tx, selection, bounds))
      return { value: { count, page } }
    })
  }
  const { count, page } = accepted(
    await inTime(
      scans.run(signal, read, ({ page: each }) => (each === 'too_large' ? 0 : bytesOf(each))),
    ),
  )
  if (page === 'too_large') throw invalid(TOO_LARGE, 'limit')
  return { count, results: page.map(toPerson) }
}

const TOO_LARGE = 'The persons of the page are too large together. Ask for fewer.'

function pageIn({ limit, offset }: Page): Page {
  return { limit, offset }
}

/** Cleaned text of a parameter; undefined when it is blank. */
function given(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return cleanText(text)
}

function bytesOf(page: readonly ListedPerson[]): number {
  return page.reduce((sum, { properties }) => sum + properties.length, 0)
}

/** @throws {AppError} `not_found` when the person is gone. */
export async function readPerson(db: Db, project: ProjectId, { id }: FoundPerson): Promise<Person> {
  const one = { limit: 1, offset: 0, bytesMax: EVENT_PAGE_PERSON_BYTES_MAX }
  const page = await pageOfPersons(db, { project, id }, one)
  return toPerson(found(page === 'too_large' ? undefined : page[0]))
}

function toPerson(person: ListedPerson): Person {
  const distinctIds = textsOf(parseJson(person.distinctIds))
  return {
    id: person.id,
    uuid: person.uuid,
    name: nameIn(person.properties) ?? distinctIds[0] ?? person.uuid,
    distinct_ids: distinctIds,
    distinct_id_count: person.distinctIdCount,
    properties: person.properties,
    is_identified: person.isIdentified,
    created_at: person.createdAt,
  }
}

function textsOf(json: unknown): string[] {
  return Array.isArray(json) ? json.filter((each) => typeof each === 'string') : []
}

function nameIn(properties: string): string | undefined {
  const json = parseJson(properties)
  if (!isObject(json)) return undefined
  for (const key of ['email', 'name', 'username']) {
    const value = json[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}
