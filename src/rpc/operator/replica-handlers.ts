/** The operator's calls about the copy of the events in ClickHouse. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { CopyStatus } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import { AppError } from '../../core/code.ts'
import type { MonthComparison } from '../../replication/compare-days.ts'
import type { ReplicaSummary } from '../../replication/replica-summary.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'

/** Operations of a worker with a copy of the events. */
export type ReplicaOperations = {
  summary(): Promise<ReplicaSummary | undefined>
  /** Months that have a partition in Postgres. */
  months(): Promise<readonly string[]>
  /** @throws {AppError} `unavailable` when ClickHouse does not answer, or is not the copy. */
  compare(month: string): Promise<MonthComparison>
  /** @returns the months that are being filled. */
  fill(months: readonly string[]): Promise<readonly string[]>
  /** Lets queries read months without lost events. @returns the months that have lost some. */
  acceptLoss(months: readonly string[]): Promise<readonly string[]>
  /** Makes ClickHouse the home of the events; moves no month. */
  moveHome(): Promise<void>
  /**
   * Removes the events of a month from Postgres.
   * @returns how many there were; undefined when they had left it already.
   * @throws {AppError} `failed_precondition` when the stores differ, or the month is in use;
   * `unavailable` when ClickHouse does not answer.
   */
  moveMonth(month: string): Promise<number | undefined>
}

export type ReplicaHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'GetCopy' | 'CompareCopy' | 'FillCopy' | 'MoveHome' | 'MoveMonth'
>

const MONTH = /^(?:old|far|persons|y\d{4}m(?:0[1-9]|1[0-2]))$/

/** @param copy undefined without a copy. */
export function createReplicaHandlers(copy: ReplicaOperations | undefined): ReplicaHandlers {
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
    MoveHome: async () => {
      const operations = needed(copy)
      refuseToMove(await operations.summary())
      await operations.moveHome()
      return await readCopy(copy)
    },
    MoveMonth: async ({ month }) => {
      const name = known(month)
      if (name === 'persons') {
        throw refused('invalid_argument', 'Only months of events are moved.')
      }
      const events = await needed(copy).moveMonth(name)
      return { moved: events !== undefined, events: events ?? 0 }
    },
  }
}

/** Events move only to a ClickHouse that a worker ships to, and that lacks none. */
function refuseToMove(summary: ReplicaSummary | undefined): void {
  if (summary === undefined || summary.home === 'clickhouse') return
  const { isHeld, state, gaps } = summary
  if (!isHeld || state !== 'shipping') {
    throw refused(
      'failed_precondition',
      `ClickHouse takes no events: ${isHeld ? state : 'no worker ships to it'}.`,
    )
  }
  if (gaps.length === 0) return
  throw refused('failed_precondition', `ClickHouse lacks events: ${words(gaps)}.`)
}

/** Progress of the copy; `configured` alone without one. */
export async function readCopy(copy: ReplicaOperations | undefined): Promise<CopyStatus> {
  const summary = await copy?.summary()
  if (copy === undefined || summary === undefined) return { configured: false }
  return { ...statusOf(summary), months: [...(await copy.months())] }
}

function statusOf(summary: ReplicaSummary): CopyStatus {
  const { state, home, problem, holder, isHeld, blocks, size, gaps } = summary
  return {
    configured: true,
    state,
    home,
    problem,
    holder: isHeld ? holder : '',
    blocks,
    waiting_events: size.events,
    waiting_flushes: size.rows,
    waiting_bytes: size.bytes,
    lag_ms: size.lagMs,
    gaps: gaps.map((gap) => ({ ...gap })),
    columns: [...summary.columns],
    parts: summary.parts,
    parts_most: summary.partsMost,
    ledger_months: [...summary.ledgerMonths],
    full: summary.isFull,
  }
}

function words(gaps: ReplicaSummary['gaps']): string {
  return gaps.map(({ month, reason }) => `${month} (${reason})`).join(', ')
}

function needed(copy: ReplicaOperations | undefined): ReplicaOperations {
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
