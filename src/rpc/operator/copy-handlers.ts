/** The operator's calls about the copy of the events in ClickHouse. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { CopyStatus } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import { AppError } from '../../core/code.ts'
import type { MonthComparison } from '../../store/event-copy/compare-days.ts'
import type { CopySummary } from '../../store/event-copy/copy-summary.ts'
import type { CopyStoreName } from '../../store/event-copy/read/read-mark.ts'
import type { EventKeepers } from '../../store/event-home/ledger.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'

/** Operations of a worker with a copy of the events. */
export type CopyOperations = {
  summary(): Promise<CopySummary | undefined>
  /** Months that have a partition in Postgres. */
  months(): Promise<readonly string[]>
  /** @throws {AppError} `unavailable` when ClickHouse does not answer, or is not the copy. */
  compare(month: string): Promise<MonthComparison>
  /** @returns the months that are being filled. */
  fill(months: readonly string[]): Promise<readonly string[]>
  /** Lets queries read months without lost events. @returns the months that have lost some. */
  acceptLoss(months: readonly string[]): Promise<readonly string[]>
  /** Sets the store that answers queries. */
  read(store: CopyStoreName): Promise<void>
  /** Sets which stores keep the events; moves none. */
  keep(keepers: EventKeepers): Promise<void>
  /**
   * Moves a month to the stores that are to keep it.
   * @throws {AppError} `failed_precondition` when the stores differ, or the month is in use;
   * `unavailable` when ClickHouse does not answer.
   */
  moveMonth(month: string): Promise<MovedMonth>
}

export type MovedMonth = {
  /** Undefined when it was there already. */
  readonly events: number | undefined
  /** True when it has left Postgres, false when it was moved back. */
  readonly leaves: boolean
}

export type CopyHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'GetCopy' | 'CompareCopy' | 'FillCopy' | 'ReadCopy' | 'KeepEvents' | 'MoveMonth'
>

const MONTH = /^(?:old|far|persons|y\d{4}m(?:0[1-9]|1[0-2]))$/

/** @param copy undefined without a copy. */
export function createCopyHandlers(copy: CopyOperations | undefined): CopyHandlers {
  return {
    GetCopy: () => readCopy(copy),
    CompareCopy: async ({ month }) => {
      const { events, differences, missingBlocks } = await needed(copy).compare(known(month))
      return {
        events,
        differences: differences.map(({ projectId, ...others }) => {
          return { project_id: projectId, ...others }
        }),
        missing_blocks: [...missingBlocks],
      }
    },
    FillCopy: async ({ months, accept_loss }) => {
      const operations = needed(copy)
      const named = months.map(known)
      if (!accept_loss) return { months: [...(await operations.fill(named))] }
      return { months: [...(await operations.acceptLoss(named))] }
    },
    ReadCopy: async ({ store }) => {
      const operations = needed(copy)
      if (store !== 'postgres' && store !== 'clickhouse') {
        throw refused('invalid_argument', 'The store is postgres or clickhouse.')
      }
      const gaps = (await operations.summary())?.gaps ?? []
      if (store === 'clickhouse' && gaps.length > 0) {
        throw refused('failed_precondition', `The copy is not whole: it lacks ${words(gaps)}.`)
      }
      if (store === 'postgres') await refuseLedger(operations)
      await operations.read(store)
      return await readCopy(copy)
    },
    KeepEvents: async ({ keepers }) => {
      const operations = needed(copy)
      if (keepers !== 'both' && keepers !== 'clickhouse') {
        throw refused('invalid_argument', 'Events are kept in clickhouse or in both.')
      }
      if (keepers === 'clickhouse') refuseToLeave(await operations.summary())
      await operations.keep(keepers)
      return await readCopy(copy)
    },
    MoveMonth: async ({ month }) => {
      const name = known(month)
      if (name === 'persons') {
        throw refused('invalid_argument', 'Only months of events are moved.')
      }
      const { events, leaves } = await needed(copy).moveMonth(name)
      return {
        moved: events !== undefined,
        events: events ?? 0,
        store: leaves ? 'clickhouse' : 'both',
      }
    },
  }
}

/** Events leave only for a copy that is kept, whole and read. */
function refuseToLeave(summary: CopySummary | undefined): void {
  if (summary?.reads !== 'clickhouse') {
    const detail = 'Questions are asked of Postgres: "sluice events move --to clickhouse" first.'
    throw refused('failed_precondition', detail)
  }
  const { isHeld, state, gaps } = summary
  if (!isHeld || state !== 'shipping') {
    throw refused(
      'failed_precondition',
      `The copy is not kept: ${isHeld ? state : 'by no worker'}.`,
    )
  }
  if (gaps.length === 0) return
  throw refused('failed_precondition', `The copy is not whole: it lacks ${words(gaps)}.`)
}

/** Postgres does not have the events of these months. */
async function refuseLedger(operations: CopyOperations): Promise<void> {
  const summary = await operations.summary()
  if (summary === undefined) return
  if (summary.keeps === 'both' && summary.ledgerMonths.length === 0) return
  const words =
    'ClickHouse alone holds events: "sluice events keep --in both" brings them back first.'
  throw refused('failed_precondition', words)
}

/** Progress of the copy; `configured` alone without one. */
export async function readCopy(copy: CopyOperations | undefined): Promise<CopyStatus> {
  const summary = await copy?.summary()
  if (copy === undefined || summary === undefined) return { configured: false }
  return { ...statusOf(summary), months: [...(await copy.months())] }
}

function statusOf(summary: CopySummary): CopyStatus {
  const { state, reads, problem, holder, isHeld, blocks, size, gaps } = summary
  return {
    configured: true,
    ...{ state, reads, problem, holder: isHeld ? holder : '', blocks },
    waiting_events: size.events,
    waiting_flushes: size.rows,
    waiting_bytes: size.bytes,
    lag_ms: size.lagMs,
    gaps: gaps.map((gap) => ({ ...gap })),
    columns: [...summary.columns],
    parts: summary.parts,
    parts_most: summary.partsMost,
    keeps: summary.keeps,
    ledger_months: [...summary.ledgerMonths],
    full: summary.isFull,
  }
}

function words(gaps: CopySummary['gaps']): string {
  return gaps.map(({ month, reason }) => `${month} (${reason})`).join(', ')
}

function needed(copy: CopyOperations | undefined): CopyOperations {
  if (copy !== undefined) return copy
  throw refused('failed_precondition', 'this worker keeps no copy: EVENTS_URL is not set.')
}

function known(month: string): string {
  if (MONTH.test(month)) return month
  throw refused(
    'invalid_argument',
    'A month is written as y2026m03; old, far and persons are three more.',
  )
}

function refused(code: 'failed_precondition' | 'invalid_argument', detail: string): AppError {
  return new AppError(code, detail, {
    detail: { type: 'validation_error', code: 'invalid_input', detail, attr: null },
  })
}
