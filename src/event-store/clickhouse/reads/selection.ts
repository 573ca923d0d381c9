/** Turns what is asked of events into a condition over the table in ClickHouse. */

import { ColumnError } from '../../../clickhouse/column-error.ts'
import { AppError } from '../../../core/code.ts'
import type { EventsAsked } from '../../../events/ports.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import {
  asksOfPerson,
  type FilterNode,
  patternsIn,
  withoutPatterns,
} from '../../../events/trees/filter.ts'
import { type Fragment, fragment, join, run } from '../../../postgres/fragment.ts'
import { findPersonId } from '../../postgres/reads/event-find-store.ts'
import { idsOfPerson, idsOfPersons } from '../../postgres/reads/persons-of-events.ts'
import { filterIn } from '../renderer/filter.ts'
import { inClickHouse } from '../renderer/patterns.ts'
import { type AskPostgres, groupsPassing, textSet } from './groups-passing.ts'
import type { Reading } from './reading.ts'

/** Distinct ids of persons in a test, and bytes of all tests' as JSON: they travel as literals. */
const COLUMN_IDS_MAX = 100_000
const COLUMN_IDS_BYTES_MAX = 12_000_000

/** Bounds are exclusive, microseconds since 1970. */
export type Span = { readonly after: bigint; readonly before: bigint }

export type Selection = {
  readonly span: Span
  /** Conditions served by the sorting key and the indexes: project, name, distinct ids, state. */
  readonly reach: Fragment
  /** All but the span. */
  readonly where: Fragment
}

/** The whole time span of events: from before the year 0 until after the year 9999. */
export const EVER: Span = { after: -62_167_219_200_000_001n, before: 253_402_300_800_000_000n }
const DAY_MICROS = BigInt(DAY_MS) * 1_000n

/**
 * Builds a selection; undefined when nothing can match. Persons are looked up first: their distinct
 * ids become part of the condition.
 * @throws {AppError} `unimplemented` for expressions of persons, and for conditions on more
 * distinct ids or groups than a statement can name.
 */
export async function selectEvents(
  reading: Reading,
  asked: EventsAsked,
): Promise<Selection | undefined> {
  const { project, event, distinctId, snapshotBlock } = asked
  const span = { after: BigInt(asked.after ?? EVER.after), before: BigInt(asked.before) }
  if (span.after >= span.before) return undefined
  const parts = [fragment`e.project_id = toInt32(${String(project)})`]
  if (snapshotBlock !== undefined)
    parts.push(fragment`e.block <= toUInt64(${String(snapshotBlock)})`)
  if (event !== undefined) parts.push(fragment`e.event = ${event}`)
  if (distinctId !== undefined) parts.push(fragment`e.distinct_id = ${distinctId}`)
  if (asked.person !== undefined) {
    const ids = await idsAsked(reading, asked)
    if (ids.length === 0) return undefined
    parts.push(isAmong(JSON.stringify(ids)))
  }
  const reach = join(parts, 'and')
  for (const node of [asked.filter, asked.where]) {
    if (node !== undefined) parts.push(await conditionOf(reading, asked, node))
  }
  return { span, reach, where: join(parts, 'and') }
}

/** Days beside times: the table is sorted by them. */
export function inSpan({ after, before }: Span): Fragment {
  const first = dayOf(after)
  const last = dayOf(before)
  return fragment`e.timestamp_us > toInt64(${String(after)}) and e.timestamp_us < toInt64(${String(before)})
    and e.day >= toInt32(${String(first)}) and e.day <= toInt32(${String(last)})`
}

export function dayOf(micros: bigint): bigint {
  const rest = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS
  return (micros - rest) / DAY_MICROS
}

async function idsAsked(reading: Reading, { project, person }: EventsAsked) {
  if (person === undefined || person === 'none') return []
  return await reading.postgres(async (db) => {
    const id = await findPersonId(db, project, person)
    if (id === undefined) return []
    return bounded(await idsOfPerson(db, project, id, COLUMN_IDS_MAX + 1))
  })
}

function bounded(ids: readonly string[]): readonly string[] {
  if (ids.length <= COLUMN_IDS_MAX) return ids
  throw tooMany()
}

function tooMany(): AppError {
  return new AppError('unimplemented', 'a condition on persons has too many distinct ids')
}

/** @param json a list of texts. */
function isAmong(json: string): Fragment {
  return fragment`e.distinct_id in ${textSet(json)}`
}

/**
 * Condition of a filter. Each test of persons is answered in Postgres, as a list of distinct ids.
 */
export async function conditionOf(
  reading: Reading,
  { project }: Pick<EventsAsked, 'project'>,
  filter: FilterNode,
): Promise<Fragment> {
  const readable = withoutPatterns(filter, await refusedPatterns(reading, filter))
  const answers = new Map<FilterNode, Fragment>()
  let bytes = 0
  for (const node of personTestsIn(readable)) {
    // Events without a person do not pass a negated test, so failing persons are excluded.
    const holds =
      node.kind === 'cohort'
        ? !node.negated
        : !(node.kind === 'property' && node.condition.whenMissing)
    const limit = COLUMN_IDS_MAX + 1
    const ids = bounded(
      await reading.postgres((db) => idsOfPersons(db, project, node, { holds, limit })),
    )
    const json = JSON.stringify(ids)
    bytes += Buffer.byteLength(json)
    if (bytes > COLUMN_IDS_BYTES_MAX) throw tooMany()
    answers.set(node, holds ? isAmong(json) : fragment`(not ${isAmong(json)})`)
  }
  try {
    for (const node of groupTestsIn(readable)) {
      const ask: AskPostgres = (statement) => reading.postgres((db) => run(db, statement, false))
      answers.set(node, await groupsPassing(ask, project, node))
    }
    return filterIn(readable, (node) => answers.get(node))
  } catch (error) {
    if (!(error instanceof ColumnError && error.kind === 'not_here')) throw error
    throw new AppError('unimplemented', error.message, { cause: error })
  }
}

/** Finds patterns that Postgres refuses: one of them would fail the whole statement. */
async function refusedPatterns(reading: Reading, filter: FilterNode): Promise<ReadonlySet<string>> {
  const ofPersons = new Set(personTestsIn(filter).flatMap(patternsIn))
  const refused = new Set<string>()
  for (const pattern of new Set(patternsIn(filter))) {
    const isTaken =
      (await isPatternOfClickHouse(reading, pattern)) &&
      (!ofPersons.has(pattern) || (await reading.isPatternOfPostgres(pattern)))
    if (!isTaken) refused.add(pattern)
  }
  return refused
}

async function isPatternOfClickHouse(reading: Reading, pattern: string): Promise<boolean> {
  try {
    await reading.rows(fragment`select match('', ${inClickHouse(pattern)})`)
    return true
  } catch (error) {
    if (error instanceof ColumnError && error.message.includes(NO_PATTERN)) return false
    throw error
  }
}

/** ClickHouse's name of the failure. */
const NO_PATTERN = 'CANNOT_COMPILE_REGEXP'

function groupTestsIn(node: FilterNode): readonly Extract<FilterNode, { kind: 'group' }>[] {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.flatMap(groupTestsIn)
  return node.kind === 'group' ? [node] : []
}

function personTestsIn(node: FilterNode): readonly FilterNode[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(personTestsIn)
    case 'property':
    case 'cohort':
      return asksOfPerson(node) ? [node] : []
    case 'named':
    case 'group':
    case 'expression':
      return []
    default:
      return node satisfies never
  }
}
