/**
 * Lets questions read the copy once it has what Postgres has: whoever has stored an event finds it.
 * Where the copy is not so far in time, or does not answer, Postgres answers, which has all events.
 */
import type { Clock } from '../../../core/clock.ts'
import { AppError } from '../../../core/code.ts'
import {
  COPY_READ_PAUSE_MS,
  COPY_READ_POLL_MS,
  COPY_READ_WAIT_MS,
} from '../../../core/limits/limits-columns.ts'
import type { Log } from '../../../core/log.ts'
import { ColumnError } from '../../events-clickhouse/column-error.ts'
import type { ColumnStore } from '../../events-clickhouse/connect.ts'
import { clickhouseInsights } from '../../insights/clickhouse/clickhouse-insights.ts'
import type { AskedElsewhere, InsightsElsewhere } from '../../insights/insights-elsewhere.ts'
import type { Sql } from '../../pool/connect.ts'
import type { Db } from '../../pool/db.ts'
import { PERSONS } from '../id-marks.ts'
import { type CopyMark, hurryCopy, readMark, readProgress } from './read-mark.ts'

/** `behind`: it was not so far in time. */
export type ReadOutcome = 'clickhouse' | 'behind' | 'failed' | 'not_here'

export type CopyReadsDeps = {
  readonly clock: Clock
  readonly log: Log
  /** Opens the copy to read it: `openOwnCopy`. */
  readonly open: () => Promise<ColumnStore>
  readonly onRead: (outcome: ReadOutcome) => void
  /** Told of the properties whose texts are read. */
  readonly onKeys: (keys: readonly string[]) => void
  /** Questions about fewer events are answered sooner by Postgres. */
  readonly eventsMin: number
}

export type CopyReads = InsightsElsewhere & { close(): Promise<void> }

/** Opened when it is first needed, and again after a failure. */
export function createCopyReads(deps: CopyReadsDeps): CopyReads {
  const { clock, log, open, onRead, onKeys, eventsMin } = deps
  let store: Promise<ColumnStore> | undefined
  let pausedUntil = Number.NEGATIVE_INFINITY
  const drop = async () => {
    const before = store
    store = undefined
    await (await before?.catch(() => undefined))?.close().catch(() => {
      // It failed already.
    })
  }
  const failed = (error: unknown): boolean => {
    if (!(error instanceof ColumnError)) return false
    if (error.kind === 'not_here') {
      onRead('not_here')
      return true
    }
    onRead('failed')
    log.warn('ClickHouse does not answer a question: Postgres does', { error })
    if (error.kind === 'failed') return true
    pausedUntil = clock.monotonic() + COPY_READ_PAUSE_MS
    void drop()
    return true
  }
  return {
    async open(sql: Sql, asked: AskedElsewhere, signal: AbortSignal) {
      if (clock.monotonic() < pausedUntil) return undefined
      const mark = await readMark(sql, asked.project, asked.days)
      if (mark === undefined || mark.events < eventsMin) return undefined
      const waitMs = Math.min(COPY_READ_WAIT_MS, asked.leftMs / 4)
      const copied = await untilCopied({ sql, clock, waitMs }, mark, signal)
      if (copied === undefined) {
        onRead('behind')
        return undefined
      }
      try {
        store ??= open()
        const insights = clickhouseInsights({
          ...{ store: await store, pin: copied.pin, lacks: copied.gaps },
          ...{ keys: mark.keys, onKeys },
        })
        onRead('clickhouse')
        return insights
      } catch (error) {
        if (!failed(error)) throw error
        return undefined
      }
    },
    failed,
    close: drop,
  }
}

type Copied = { readonly pin: number; readonly gaps: readonly string[] }
type Waiting = { readonly sql: Db; readonly clock: Clock; readonly waitMs: number }

/**
 * Waits until the copy has all up to the mark.
 * @returns the newest block of which all before it and itself are there, and the months of which
 * the copy lacks events nevertheless; undefined when it did not come so far within `waitMs`, or lacks
 * distinct ids.
 * @throws {AppError} `cancelled` when `signal` aborts.
 */
async function untilCopied(
  { sql, clock, waitMs }: Waiting,
  mark: CopyMark,
  signal: AbortSignal,
): Promise<Copied | undefined> {
  const endAt = clock.monotonic() + waitMs
  let wanted: { readonly last: number; readonly splits: number } | undefined
  for (;;) {
    const { isRecorded, isTold, gaps, open, last, splits } = await readProgress(sql, mark)
    if (gaps.includes(PERSONS)) return undefined
    // What was recorded by now may be in blocks that are split meanwhile, into later ones.
    if (isRecorded && wanted?.splits !== splits) wanted = { last, splits }
    if (wanted !== undefined && isTold && (open === null || open > wanted.last)) {
      return { pin: open === null ? last : open - 1, gaps }
    }
    if (clock.monotonic() >= endAt) return undefined
    await hurryCopy(sql)
    await clock.sleep(COPY_READ_POLL_MS, signal).catch(() => {
      throw new AppError('cancelled', 'the caller has gone')
    })
  }
}
