/** A connection that is replaced when it does not answer. */
import type { Clock } from '../core/clock.ts'
import { within } from '../core/deadline.ts'
import { StoreError } from '../ingest/store-port.ts'
import type { Sql } from './connect.ts'
import { toStoreError } from './failures.ts'

/**
 * One connection, which is destroyed when it does not answer: the server's own time-outs do not
 * help when the server is frozen or the network loses packets. The statements of its users queue on
 * it and all fail then. The next user opens a new one.
 */
export type ReconnectingConnection = {
  /**
   * Runs `work`. After `attemptMs` the connection is destroyed, and the outcome is unknown.
   * @throws {StoreError} only.
   */
  run<T>(attemptMs: number, work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** @param deps.open makes a pool of one connection, which connects on first use. */
export function createReconnectingConnection(deps: {
  open(): Sql
  clock: Clock
}): ReconnectingConnection {
  const { open, clock } = deps
  let current: Sql | undefined
  let closed = false

  const discard = async (sql: Sql) => {
    if (current === sql) current = undefined
    await sql.end({ timeout: 0 })
  }

  const run = async <T>(attemptMs: number, work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (closed) throw new StoreError('unreachable', 'CLOSED', 'the store is closed')
    current ??= open()
    const sql = current
    const working = work(sql)
    try {
      return await within(clock, { ms: attemptMs }, working, (): never => {
        throw new StoreError('unreachable', 'TIMEOUT', `no answer within ${attemptMs} ms`)
      })
    } catch (error) {
      const failure = toStoreError(error)
      if (failure.kind === 'unreachable' || failure.kind === 'fault') {
        // Rejects when its connection is destroyed; the failure is the one thrown here.
        working.catch(() => {})
        await discard(sql)
      }
      throw failure
    }
  }

  return {
    run,
    close: async () => {
      closed = true
      if (current !== undefined) await discard(current)
    },
  }
}
