/** The operator's handlers of dead letters, for the operator and for staff of the instance. */
import type { Principal } from '../access/principal.ts'
import type { Clock } from '../core/clock.ts'
import type { EventSink } from '../events/event-batch.ts'
import { auditDeadLetters } from '../manage/operator-audit.ts'
import type { DeadLetterHandlers } from '../rpc/operator/admin-handlers.ts'
import { createDeadLetterHandlers } from '../rpc/operator/dead-letter-handlers.ts'
import type { Worker } from './types.ts'

/**
 * Replays bypass the spill: a row that the database refuses again must stay a dead letter.
 * @param principal author of the replay; null for the operator.
 */
export function deadLettersOf(
  worker: Pick<Worker, 'sql'> & { readonly ingest: { readonly writer: EventSink } },
  clock: Clock,
  principal: Principal | null,
): DeadLetterHandlers {
  return createDeadLetterHandlers({
    sql: worker.sql,
    sink: worker.ingest.writer,
    clock,
    onHandled: (db, what, project, counts) =>
      auditDeadLetters(db, what, project, counts, principal),
  })
}
