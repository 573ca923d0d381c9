/**
 * Lets questions read the copy once it has what Postgres has, so that a client that has stored an
 * event finds it. If the copy is not so far in time or does not answer, Postgres answers, as long
 * as it has all events; where only ClickHouse holds some, the call fails.
 */
import type { Clock } from '../../../core/clock.ts'
import { hasCode } from '../../../core/code.ts'
import {
  COPY_ONLY_LOOK_MS,
  COPY_ONLY_WAIT_MS,
  COPY_READ_PAUSE_MS,
  COPY_READ_WAIT_MS,
} from '../../../core/limits/limits-columns.ts'
import type { Log } from '../../../core/log.ts'
import type { ReadCall } from '../../../events/ports.ts'
import { isLedgerKept } from '../../event-home/ledger.ts'
import { ColumnError } from '../../events-clickhouse/column-error.ts'
import type { ColumnStore } from '../../events-clickhouse/connect.ts'
import { clickhouseInsights } from '../../insights/clickhouse/clickhouse-insights.ts'
import type {
  AskedElsewhere,
  InsightsElsewhere,
  OpenedElsewhere,
} from '../../insights/insights-elsewhere.ts'
import type { Sql } from '../../pool/connect.ts'
import { away, notHere } from './no-answer.ts'
import { readEventsMark, readMark } from './read-mark.ts'
import { type Copied, pause, untilCopied } from './until-copied.ts'

/** `behind`: it was not so far in time. */
export type ReadOutcome = 'clickhouse' | 'behind' | 'failed' | 'not_here'

export type CopyReadsDeps = {
  readonly clock: Clock
  readonly log: Log
  /** Opens the copy to read it: `openOwnCopy`. */
  readonly open: () => Promise<ColumnStore>
  readonly onRead: (outcome: ReadOutcome) => void
  /** Called with the properties whose texts are read. */
  readonly onKeys: (keys: readonly string[]) => void
  /** Questions about fewer events are answered sooner by Postgres. */
  readonly eventsMin: number
}

/** Events in ClickHouse up to a block, for reads that only ClickHouse can answer. */
export type CopiedEvents = {
  /**
   * Reads from the copy once it has everything that Postgres had committed when this was called.
   * @throws {AppError} `unavailable` when it is not so far in time, or does not answer; `cancelled`
   * when the signal aborts.
   */
  read<T>(
    sql: Sql,
    call: ReadCall,
    work: (columns: ColumnStore, copied: Copied) => Promise<T>,
  ): Promise<T>
}

export type CopyReads = InsightsElsewhere & CopiedEvents & { close(): Promise<void> }

/** Opened when it is first needed, and again after a failure. */
export function createCopyReads(deps: CopyReadsDeps): CopyReads {
  const { onRead } = deps
  const shared = createSharedStore(deps)
  /** @throws {AppError} in place of what ClickHouse says. */
  const refuse = (error: unknown): never => {
    if (isNotHere(error)) {
      onRead('not_here')
      throw notHere(error)
    }
    if (!(error instanceof ColumnError)) throw error
    shared.leave(error)
    throw away(error.message, error)
  }
  return {
    open: (sql, asked, signal) => openInsights({ ...deps, shared, refuse }, sql, asked, signal),
    failed(error: unknown, { isOnly }: OpenedElsewhere): boolean {
      if (isOnly) return refuse(error)
      if (!(error instanceof ColumnError)) return false
      if (error.kind === 'not_here') onRead('not_here')
      else leftToPostgres(deps, shared, error)
      return true
    },
    isOnly: (sql) => isLedgerKept(sql),
    read: async (sql, { signal, time }, work) => {
      const waitMs = Math.min(COPY_ONLY_WAIT_MS, time.left() / 4)
      const mark = await untilReadable(deps, () => readEventsMark(sql), waitMs, signal)
      const waiting = { sql, clock: deps.clock, waitMs }
      const copied = await untilCopied(waiting, { flush: mark.flush }, signal)
      if (copied === undefined) {
        onRead('behind')
        throw away('it is behind')
      }
      try {
        const answer = await work(await shared.get(), copied)
        onRead('clickhouse')
        return answer
      } catch (error) {
        return refuse(error)
      }
    },
    close: shared.drop,
  }
}

/** Readers of lists say it by its code. */
function isNotHere(error: unknown): error is Error {
  if (error instanceof ColumnError) return error.kind === 'not_here'
  return hasCode(error, 'unimplemented')
}

type Opening = CopyReadsDeps & {
  readonly shared: SharedStore
  readonly refuse: (error: unknown) => never
}

async function openInsights(
  deps: Opening,
  sql: Sql,
  asked: AskedElsewhere,
  signal: AbortSignal,
): Promise<OpenedElsewhere | undefined> {
  const { clock, onRead, onKeys, eventsMin, shared, refuse } = deps
  const isPaused = shared.isPaused()
  const look = () => readMark(sql, asked.project, asked.days)
  let mark = await look()
  if (mark === undefined) return undefined
  const { isOnly } = mark
  if (!isOnly && (isPaused || !mark.isReadable || mark.events < eventsMin)) return undefined
  const waitMs = Math.min(isOnly ? COPY_ONLY_WAIT_MS : COPY_READ_WAIT_MS, asked.leftMs / 4)
  if (isOnly) mark = await untilReadable(deps, look, waitMs, signal)
  const copied = await untilCopied({ sql, clock, waitMs }, mark, signal)
  if (copied === undefined) {
    onRead('behind')
    if (isOnly) throw away('it is behind')
    return undefined
  }
  try {
    const store = await shared.get()
    const { pin, gaps, refusing } = copied
    // Where only ClickHouse answers, an event that it refuses is a dead letter and is not missed.
    const lacks = isOnly ? gaps.filter((month) => !refusing.includes(month)) : gaps
    onRead('clickhouse')
    const columns = { store, pin, lacks, keys: mark.keys, onKeys, isOnly }
    return { events: clickhouseInsights(columns), isOnly }
  } catch (error) {
    if (isOnly) return refuse(error)
    if (!(error instanceof ColumnError)) throw error
    leftToPostgres(deps, shared, error)
    return undefined
  }
}

function leftToPostgres({ log }: CopyReadsDeps, shared: SharedStore, error: ColumnError): void {
  log.warn('ClickHouse does not answer a question: Postgres does', { error })
  shared.leave(error)
}

/** Waits until the copy is readable: a worker that takes over its lease needs some seconds. */
async function untilReadable<Mark extends { readonly isReadable: boolean }>(
  { clock }: CopyReadsDeps,
  look: () => Promise<Mark | undefined>,
  waitMs: number,
  signal: AbortSignal,
): Promise<Mark> {
  const endAt = clock.monotonic() + waitMs
  for (;;) {
    const mark = await look()
    if (mark?.isReadable === true) return mark
    if (clock.monotonic() >= endAt) throw away('nobody keeps it, or it lacks distinct ids')
    await pause(clock, COPY_ONLY_LOOK_MS, signal)
  }
}

type SharedStore = {
  get(): Promise<ColumnStore>
  /** Call after a failure of the server; one of a statement says nothing about others. */
  leave(error: ColumnError): void
  /** True shortly after a failure. */
  isPaused(): boolean
  drop(): Promise<void>
}

function createSharedStore({ clock, open, onRead }: CopyReadsDeps): SharedStore {
  let store: Promise<ColumnStore> | undefined
  let pausedUntil = Number.NEGATIVE_INFINITY
  const drop = async () => {
    const before = store
    store = undefined
    await (await before?.catch(() => undefined))?.close().catch(() => {
      // It failed already.
    })
  }
  return {
    get() {
      store ??= open()
      return store
    },
    leave(error) {
      onRead('failed')
      if (error.kind === 'failed') return
      pausedUntil = clock.monotonic() + COPY_READ_PAUSE_MS
      void drop()
    },
    isPaused: () => clock.monotonic() < pausedUntil,
    drop,
  }
}
