/** A transaction on a connection that nobody else uses meanwhile. */
import { assert } from '../core/code.ts'
import type { Db } from '../core/sql.ts'
import { failureCode } from './failures.ts'
import type { Session, Work } from './session.ts'
import { createDb } from './statement.ts'

/** A statement after one that failed in the same transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * Commits when `work` resolves and none of its statements has failed, or else rolls back and
 * rejects. When the connection is lost in the COMMIT, its outcome is unknown.
 */
export async function runTransaction<T>(
  session: Session,
  mode: string,
  work: (tx: Db) => PromiseLike<T>,
): Promise<T> {
  let isOver = false
  const failures: unknown[] = []
  const tx = createDb(
    <R>(statement: Work<R>) =>
      new Promise<R>((resolve, reject) => {
        assert(!isOver, 'a statement of a transaction runs before its end')
        session.send(statement, {
          resolve,
          reject(reason) {
            failures.push(reason)
            reject(reason)
          },
        })
      }),
  )
  await sendText(session, `begin ${mode}`)
  let result: T
  try {
    result = await work(tx)
    if (failures.length > 0) throw failures[0]
  } catch (error) {
    isOver = true
    await rollBack(session)
    throw failureCode(error) === IN_FAILED_TRANSACTION ? (failures[0] ?? error) : error
  }
  isOver = true
  const { command } = await sendText(session, 'commit')
  // A statement that nobody waited for has failed: the server then rolls back, and says so here.
  if (command !== 'COMMIT') throw failures[0] ?? new Error('the transaction was rolled back')
  return result
}

async function rollBack(session: Session): Promise<void> {
  if (session.lost !== undefined) return
  try {
    await sendText(session, 'rollback')
  } catch {
    // The server rolls back whatever ends without a commit.
    session.destroy('a transaction was not rolled back')
  }
}

function sendText(session: Session, text: string): Promise<{ readonly command: string }> {
  return session.query({ build: (driver) => driver.unsafe(text) })
}
