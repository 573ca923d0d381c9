/** Answers of the writer that are always the same, and their causes. */

import { WRITER_WAIT_MAX_MS } from '../core/limits/limits.ts'
import { StoreError } from './store-port.ts'
import type { WriterOutcome } from './writer-port.ts'

export const RETRY_AFTER_S = 1

export const OVERLOADED: WriterOutcome = { kind: 'overloaded', retryAfterS: RETRY_AFTER_S }
/** A person of the project is being deleted: the batch is sent again. */
export const HELD: WriterOutcome = {
  kind: 'unavailable',
  retryAfterS: RETRY_AFTER_S,
  cause: new StoreError('conflict', 'HELD', 'a person of the project is being deleted'),
}
export const SLOW = new StoreError('unreachable', 'SLOW', `no answer in ${WRITER_WAIT_MAX_MS} ms`)
export const BEHIND = new StoreError(
  'unreachable',
  'BEHIND',
  'the store takes less than what comes',
)
