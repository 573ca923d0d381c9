/**
 * The statement that stores the events of a flush, with the persons and definitions that are new.
 */

import type { ProjectId } from '../../../core/ids.ts'
import { type FlushRow, StoreError } from '../../../ingest/store-port.ts'
import type { FlushCopy } from '../../event-copy/flush-copy.ts'
import { type Columns, intArray, toColumns } from '../../pool/columns.ts'
import type { Db } from '../../pool/db.ts'
import { failureCode } from '../../pool/failures.ts'
import type { GroupTypes } from '../groups-sql.ts'
import type { MonthHome } from '../partitions.ts'
import { type ChangesAnswer, changeParameters, TAKEN_BACK } from './changes-sql.ts'
import { hasFlagCalls, isFlagCall } from './flag-calls-sql.ts'
import {
  COPIED_STATEMENTS,
  type FlushStatements,
  LEDGER_STATEMENTS,
  STATEMENTS,
} from './flush-statements.ts'
import { storedProperties, storedTimestamp } from './prepare-flush.ts'
import type { SimpleChange } from './simple-changes.ts'

/** Distinct ids that get a person of their own unless they have one by now. */
export type NewDistinctId = {
  readonly projectId: number
  readonly distinctId: string
  readonly personUuid: string
  readonly createdAt: string
}

export type SeenDefinition = { readonly projectId: number; readonly name: string }

export type EventsInput = {
  readonly rows: readonly FlushRow[]
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
  readonly projectIds: readonly number[]
  /** Row of `event_counts` that this writer slot adds to. */
  readonly countSlot: number
  readonly newDistinctIds: readonly NewDistinctId[]
  readonly seenDefinitions: readonly SeenDefinition[]
  /** Projects whose `ingested_event` may still be false. */
  readonly firstProjectIds: readonly number[]
  /** Whether any row must be looked for on the other side of a midnight. */
  readonly isNearMidnight: boolean
  /** Where the months of all rows are written. */
  readonly home: MonthHome
  /** What the flush leaves for the copy of the events; undefined without a copy. */
  readonly copy: FlushCopy | undefined
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
  /** Of a flush that goes to the outbox. */
  readonly isFull?: boolean
}

const NO_CHANGES: readonly SimpleChange[] = []
const NO_PROPERTIES = '{}'

/** Writes events and what goes with them in one statement, atomic also outside a transaction. */
export async function writeEvents(db: Db, input: EventsInput): Promise<EventsWritten> {
  const { plain, withPersons, withAll } = statementsFor(input)
  const { copy = [], newDistinctIds } = input
  const events = eventParameters(input, NO_CHANGES)
  if (hasSeen(input)) {
    const others = [...personParameters(input), ...seenParameters(input), ...copy]
    return writtenOf(await ask<Answer>(db, withAll, [...events, ...others]))
  }
  if (newDistinctIds.length === 0) {
    return writtenOf(await ask<Answer>(db, plain, [...events, ...copy]))
  }
  const others = [...personParameters(input), ...copy]
  return writtenOf(await ask<Answer>(db, withPersons, [...events, ...others]))
}

/**
 * As `writeEvents`, with changes of persons.
 * @returns undefined, and has written nothing, when the changes need a plan.
 */
export async function writeEventsAndChanges(
  db: Db,
  input: EventsInput,
  changes: readonly SimpleChange[],
): Promise<(EventsWritten & { readonly changes: ChangesAnswer }) | undefined> {
  const { changing, changingAll } = statementsFor(input)
  const all = hasSeen(input)
  const parameters = [
    ...[
      ...eventParameters(input, changes),
      ...personParameters(input),
      ...changeParameters(input.rows.length, changes),
    ],
    ...(all ? seenParameters(input) : []),
    ...(input.copy ?? []),
  ]
  try {
    const statement = all ? changingAll : changing
    const answer = await ask<Answer & ChangesAnswer>(db, statement, parameters)
    return answer.simple ? { ...writtenOf(answer), changes: answer } : undefined
  } catch (error) {
    if (failureCode(error) === TAKEN_BACK) return undefined
    throw error
  }
}

async function ask<Row extends object>(
  db: Db,
  statement: string,
  parameters: string[],
): Promise<Row> {
  const [answer] = await db.unsafe<Row[]>(statement, parameters, { prepare: true })
  // Without it every project would seem to be gone, and its events would be refused for good.
  if (answer === undefined) throw new StoreError('unreachable', '', 'no answer to a flush')
  return answer
}

function writtenOf({ live, skipped, isFull = false }: Answer): EventsWritten {
  return { liveProjectIds: new Set(numbers(live)), skipped: numbers(skipped), isFull }
}

function statementsFor({ isNearMidnight, rows, home, copy }: EventsInput): FlushStatements {
  const both = copy === undefined ? STATEMENTS : COPIED_STATEMENTS
  const statements = home === 'ledger' ? LEDGER_STATEMENTS : both
  const { usual, withFlagCalls } = isNearMidnight ? statements.nearMidnight : statements.usual
  return hasFlagCalls(rows) ? withFlagCalls : usual
}

function hasSeen({ seenDefinitions, firstProjectIds }: EventsInput): boolean {
  return seenDefinitions.length > 0 || firstProjectIds.length > 0
}

function eventParameters(input: EventsInput, changes: readonly SimpleChange[]): string[] {
  const { rows, projectIds, countSlot } = input
  const { texts, separator } = toColumns([
    rows.map(({ event }) => event.uuid),
    rows.map(({ event }) => storedTimestamp(event)),
    rows.map(({ event }) => event.event),
    rows.map(({ event }) => event.distinctId),
    propertiesColumn(input, changes),
    rows.map(({ event }) => elementsOf(event, input.home)),
  ])
  const owners = intArray(rows.map((row) => row.projectId))
  return [owners, ...texts, separator, intArray(projectIds), String(countSlot)]
}

/** Of a flush into the ledger only what Postgres would refuse: the outbox has all of them. */
function elementsOf({ elementsChain }: FlushRow['event'], home: MonthHome): string {
  return home === 'events' || elementsChain.includes('\0') ? elementsChain : ''
}

/** Of a flush into the ledger only what else the statement reads: the outbox has all of them. */
function propertiesColumn(
  { rows, types, home }: EventsInput,
  changes: readonly SimpleChange[],
): string[] {
  const textOf = ({ event, projectId }: FlushRow) => storedProperties(event, types.get(projectId))
  if (home === 'events') return rows.map(textOf)
  const read = new Set(changes.filter(({ isStored }) => isStored).map(({ position }) => position))
  return rows.map((row, position) =>
    read.has(position) || isFlagCall(row) ? textOf(row) : NO_PROPERTIES,
  )
}

function personParameters({ newDistinctIds }: EventsInput): string[] {
  const persons: Columns = toColumns([
    newDistinctIds.map((each) => each.distinctId),
    newDistinctIds.map((each) => each.personUuid),
    newDistinctIds.map((each) => each.createdAt),
  ])
  const owners = intArray(newDistinctIds.map((each) => each.projectId))
  return [owners, ...persons.texts, persons.separator]
}

function seenParameters({ seenDefinitions, firstProjectIds }: EventsInput): string[] {
  const definitions = toColumns([seenDefinitions.map((each) => each.name)])
  const owners = intArray(seenDefinitions.map((each) => each.projectId))
  return [owners, ...definitions.texts, definitions.separator, intArray(firstProjectIds)]
}

/** Numbers with commas between them. */
export function numbers(list: string | null | undefined): number[] {
  return list ? list.split(',').map(Number) : []
}
