/**
 * The statement that stores the events of a flush, with the persons and definitions that are new.
 */

import type { ProjectId } from '../../../core/ids.ts'
import { type FlushRow, StoreError } from '../../../ingest/store-port.ts'
import { changesNothing } from '../../../persons/property-fold.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'
import { failureCode } from '../../../postgres/failures.ts'
import type { MonthHome } from '../../months/partitions.ts'
import type { GroupTypes } from '../persons/groups-sql.ts'
import {
  type ChangesAnswer,
  changeParameters,
  type SimpleChange,
  TAKEN_BACK,
} from './changes-sql.ts'
import { outboxParameters, type PackedFlush } from './flush-outbox.ts'
import {
  birthParameters,
  type FlushStatements,
  hasFlagCalls,
  isFlagCall,
  STATEMENTS,
  WRITE_UNSEEN,
} from './flush-statements.ts'
import { storedProperties, storedTimestamp } from './prepare-flush.ts'
import { type Judged, quietParameters } from './quiet-sql.ts'

export type SeenDefinition = { readonly projectId: number; readonly name: string }

/** Definitions and projects that this worker has not seen lately: a flush adds them. */
export type Unseen = {
  readonly seenDefinitions: readonly SeenDefinition[]
  /** Projects whose `ingested_event` may still be false. */
  readonly firstProjectIds: readonly ProjectId[]
}

export type EventsInput = {
  readonly rows: readonly FlushRow[]
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
  readonly projectIds: readonly ProjectId[]
  /** Row of `event_counts` that this writer slot adds to. */
  readonly countSlot: number
  /** Whether any row must be looked for on the other side of a midnight. */
  readonly isNearMidnight: boolean
  /** Home of the months of all rows. */
  readonly home: MonthHome
  /** The rows for the outbox; undefined without `EVENTS_URL`. */
  readonly packed: PackedFlush | undefined
}

export type EventsWritten = {
  readonly liveProjectIds: ReadonlySet<number>
  /** Positions of rows that were there already. */
  readonly skipped: readonly number[]
  /** The outbox is full, so the next flush has to wait. */
  readonly isFull: boolean
}

type Answer = {
  readonly live: string | null
  readonly skipped: string | null
  /** Set for a flush that writes to the outbox. */
  readonly isFull?: boolean
}

type Loud = { readonly loud: string | null }

const NO_PROPERTIES = '{}'

/** Work of a flush beside its events. */
export type Beside = {
  /** Names and values that persons must have whom nothing changes. */
  readonly judged: readonly Judged[]
  /** Persons to change or to make. */
  readonly changes: readonly SimpleChange[]
  readonly unseen: Unseen
}

export const NOTHING_BESIDE: Beside = {
  judged: [],
  changes: [],
  unseen: { seenDefinitions: [], firstProjectIds: [] },
}

/** `loud`: places in `judged` of persons that lack something; nothing is written then. */
export type WrittenBeside = EventsWritten & {
  readonly loud: readonly number[]
  readonly changes: ChangesAnswer | undefined
}

/**
 * Writes events with the changes of their persons, and the definitions and projects that are new,
 * in one statement, which is atomic without a transaction too.
 * @returns undefined, and has written nothing, when the changes need a plan.
 */
export async function writeEvents(
  db: Db,
  input: EventsInput,
  { judged, changes, unseen }: Beside,
): Promise<WrittenBeside | undefined> {
  const statements = statementsFor(input)
  const first = [...eventParameters(input), ...quietParameters(judged)]
  const outbox = outboxOf(input)
  const isSeen = isNothing(unseen)
  try {
    if (isSeen && changes.every(changesNothing)) {
      const parameters = [...first, ...birthParameters(changes), ...outbox]
      const answer = await ask<Answer & Loud>(db, statements.ordinary, parameters)
      return { ...writtenOf(answer), loud: numbers(answer.loud), changes: undefined }
    }
    const statement = isSeen ? statements.changing : statements.unseen
    const news = isSeen ? [] : seenParameters(unseen)
    const parameters = [...first, ...changeParameters(changes), ...news, ...outbox]
    const answer = await ask<Answer & Loud & ChangesAnswer>(db, statement, parameters)
    const loud = numbers(answer.loud)
    if (loud.length === 0 && !answer.simple) return undefined
    return { ...writtenOf(answer), loud, changes: answer }
  } catch (error) {
    if (failureCode(error) === TAKEN_BACK) return undefined
    throw error
  }
}

/** Writes the definitions and projects that are new: of a flush that a plan writes. */
export async function writeUnseen(
  db: Db,
  unseen: Unseen,
  projectIds: readonly ProjectId[],
): Promise<void> {
  if (isNothing(unseen)) return
  const parameters = [...seenParameters(unseen), intArray(projectIds)]
  await db.unsafe(WRITE_UNSEEN, parameters, { prepare: true })
}

function isNothing({ seenDefinitions, firstProjectIds }: Unseen): boolean {
  return seenDefinitions.length === 0 && firstProjectIds.length === 0
}

async function ask<Row extends object>(
  db: Db,
  statement: string,
  parameters: string[],
): Promise<Row> {
  const [answer] = await db.unsafe<Row[]>(statement, parameters, { prepare: true })
  // Otherwise every project would seem to be removed, and its events would be refused for good.
  if (answer === undefined) throw new StoreError('unreachable', '', 'no answer to a flush')
  return answer
}

function writtenOf({ live, skipped, isFull = false }: Answer): EventsWritten {
  return { liveProjectIds: new Set(numbers(live)), skipped: numbers(skipped), isFull }
}

/**
 * Parameters of the outbox, which the statement writes with keys; for `events` see `insertOutbox`.
 */
function outboxOf({ home, packed }: EventsInput): readonly string[] {
  return home === 'events' || packed === undefined ? [] : outboxParameters(packed)
}

function statementsFor({ isNearMidnight, rows, home }: EventsInput): FlushStatements {
  const forms = STATEMENTS[home]
  const { usual, withFlagCalls } = isNearMidnight ? forms.nearMidnight : forms.usual
  return hasFlagCalls(rows) ? withFlagCalls : usual
}

function eventParameters(input: EventsInput): string[] {
  const { rows, projectIds, countSlot } = input
  const { texts, separator } = toColumns([
    rows.map(({ event }) => event.uuid),
    rows.map(({ event }) => storedTimestamp(event)),
    rows.map(({ event }) => event.event),
    rows.map(({ event }) => event.distinctId),
    propertiesColumn(input),
    rows.map(({ event }) => elementsOf(event, input.home)),
  ])
  const owners = intArray(rows.map((row) => row.projectId))
  return [owners, ...texts, separator, intArray(projectIds), String(countSlot)]
}

/**
 * Elements to write. The key index needs only those that Postgres would refuse; the outbox has all.
 */
function elementsOf({ elementsChain }: FlushRow['event'], home: MonthHome): string {
  return home === 'events' || elementsChain.includes('\0') ? elementsChain : ''
}

/**
 * Properties to write. The key index needs only those that the statement reads; the outbox has all.
 */
function propertiesColumn({ rows, types, home }: EventsInput): string[] {
  return rows.map((row) =>
    home === 'events' || isFlagCall(row)
      ? storedProperties(row.event, types.get(row.projectId))
      : NO_PROPERTIES,
  )
}

function seenParameters({ seenDefinitions, firstProjectIds }: Unseen): string[] {
  const definitions = toColumns([seenDefinitions.map((each) => each.name)])
  const owners = intArray(seenDefinitions.map((each) => each.projectId))
  return [owners, ...definitions.texts, definitions.separator, intArray(firstProjectIds)]
}

/** Numbers with commas between them. */
export function numbers(list: string | null | undefined): number[] {
  return list ? list.split(',').map(Number) : []
}
