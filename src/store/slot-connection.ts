import type { Clock } from '../core/clock.ts'
import { StoreError } from '../ingest/ingest-store.ts'
import type { Sql } from './connect.ts'
import { toStoreError } from './sqlstate.ts'

/**
 * One connection for one user at a time, thrown away when it does not answer: the server's own
 * time-outs do not help when the server is frozen or the network swallows packets.
 */
export type SlotConnection = {
  /**
   * Runs `work`; after `attemptMs` the connection is destroyed, and what it did is unknown.
   * @throws {StoreError} and nothing else.
   */
  run<T>(attemptMs: number, work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** `open` makes a pool of one connection, dialled on first use. */
export function createSlotConnection(deps: { open(): Sql; clock: Clock }): SlotConnection {
  const { open, clock } = deps
  let current: Sql | undefined
  let closed = false

  const discard = async () => {
    const sql = current
    current = undefined
    // Time-out 0 destroys at once; it waits for nothing that a dead server would have to send.
    await sql?.end({ timeout: 0 })
  }

  /**
   * The arrays that statements join are of any length, and indexes serve them all: plans made for
   * one length would scan whole tables now and then, and planning costs more than a small flush.
   */
  const dial = async (): Promise<Sql> => {
    const sql = open()
    current = sql
    await sql`set plan_cache_mode = force_generic_plan`
    return sql
  }

  const run = async <T>(attemptMs: number, work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (closed) throw new StoreError('unreachable', 'CLOSED', 'the store is closed')
    const answered = new AbortController()
    const late = clock.sleep(attemptMs, answered.signal).then(
      () => {
        throw new StoreError('unreachable', 'TIMEOUT', `no answer within ${attemptMs} ms`)
      },
      // Aborted: the other side of the race has been settled.
      () => new Promise<never>(() => {}),
    )
    const working = current === undefined ? dial().then(work) : work(current)
    try {
      return await Promise.race([working, late])
    } catch (error) {
      const failure = toStoreError(error)
      if (failure.kind === 'unreachable' || failure.kind === 'fault') {
        // Rejects when its connection is destroyed; the failure is the one thrown here.
        working.catch(() => {})
        await discard()
      }
      throw failure
    } finally {
      answered.abort()
    }
  }

  return {
    run,
    close: async () => {
      closed = true
      await discard()
    },
  }
}
