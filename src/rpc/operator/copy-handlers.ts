/** The operator's calls about the copy of the events in ClickHouse. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { CopyStatus } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import { AppError } from '../../core/code.ts'
import type { MonthComparison } from '../../store/event-copy/compare-days.ts'
import type { CopySummary } from '../../store/event-copy/copy-summary.ts'
import type { CopyStoreName } from '../../store/event-copy/read/read-mark.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'

/** What a worker with a copy can be asked. */
export type CopyOperations = {
  summary(): Promise<CopySummary | undefined>
  /** Those that have a partition in Postgres. */
  months(): Promise<readonly string[]>
  /** @throws {AppError} `unavailable` when ClickHouse does not answer, or is not the copy. */
  compare(month: string): Promise<MonthComparison>
  /** @returns the months that are being filled. */
  fill(months: readonly string[]): Promise<readonly string[]>
  /** Says which store questions are asked of. */
  read(store: CopyStoreName): Promise<void>
}

export type CopyHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'GetCopy' | 'CompareCopy' | 'FillCopy' | 'ReadCopy'
>

const MONTH = /^(?:old|far|persons|y\d{4}m(?:0[1-9]|1[0-2]))$/

/** @param copy undefined where there is none. */
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
    FillCopy: async ({ months }) => {
      return { months: [...(await needed(copy).fill(months.map(known)))] }
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
      await operations.read(store)
      return await readCopy(copy)
    },
  }
}

/** How far the copy is; `configured` alone where there is none. */
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
