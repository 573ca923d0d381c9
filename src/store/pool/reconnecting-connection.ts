import type { Clock } from '../../core/clock.ts'
import { StoreError } from '../../ingest/store-port.ts'
import { toStoreError } from '../sqlstate.ts'
import { destroySql, type Sql } from './connect.ts'

/**
 * One connection whose users' statements queue on it, thrown away when it does not answer: the
 * server's own time-outs do not help when the server is frozen or the network swallows packets.
 * Everybody who was using it then fails, and the next user dials anew.
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

  const discard = async (sql: Sql) => {
    if (current === sql) current = undefined
    await destroySql(sql)
  }

  const run = async <T>(attemptMs: number, work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (closed) throw new StoreError('unreachable', 'CLOSED', 'the store is closed')
    current ??= open()
    const sql = current
    const working = work(sql)
    let cancel: () => void = () => {}
    const late = new Promise<never>((_resolve, reject) => {
      cancel = clock.after(attemptMs, () => {
        reject(new StoreError('unreachable', 'TIMEOUT', `no answer within ${attemptMs} ms`))
      })
    })
    try {
      return await Promise.race([working, late])
    } catch (error) {
      const failure = toStoreError(error)
      if (failure.kind === 'unreachable' || failure.kind === 'fault') {
        // Rejects when its connection is destroyed; the failure is the one thrown here.
        working.catch(() => {})
        await discard(sql)
      }
      throw failure
    } finally {
      cancel()
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
