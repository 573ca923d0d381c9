/** Sends the mails of the outbox. */

import { MAILS_SENDING_MAX } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../postgres/db.ts'
import {
  type DueMail,
  deleteMail,
  readExtras,
  takeDueMails,
} from '../store/people/mail-outbox-store.ts'
import { markBounced } from '../store/subscriptions/subscription-turns.ts'
import type { Mailer, MailOutcome } from './smtp-mailer.ts'

/** Attempts: with these pauses the last one is 13 to 28 hours after the first. */
export const MAIL_ATTEMPTS_MAX = 8

export type OutboxSender = {
  /**
   * Sends every mail that is due, a few at a time. A mail is dropped when its attempts are used up
   * or its recipient is refused for good. An abort ends the attempts under way, and their mails
   * stay due.
   * @throws {PostgresError} when the outbox cannot be read. Safe to retry.
   */
  sendDue(signal: AbortSignal): Promise<void>
}

export type OutboxSenderDeps = {
  readonly db: Db
  readonly mailer: Mailer
  readonly log: Log
  readonly onOutcome: (outcome: 'sent' | 'given_up') => void
}

/**
 * Sends mails at least once. A mail is removed after its server took it. A worker that dies in
 * between leaves it to be sent again with the same message id. The log names mails by id only.
 */
export function createOutboxSender(deps: OutboxSenderDeps): OutboxSender {
  const { db, mailer } = deps
  return {
    async sendDue(signal) {
      let taken = MAILS_SENDING_MAX
      while (taken === MAILS_SENDING_MAX && !signal.aborted) {
        const due = await takeDueMails(db)
        const attempts = due.map(async (mail) => {
          const extras = await readExtras(db, mail)
          const outcome = await mailer.send(mail, signal, extras)
          // The failure of an aborted attempt is not the mail's.
          if (outcome.kind === 'sent' || !signal.aborted) await settle(deps, mail, outcome)
        })
        // The failure of one mail must not stop the others.
        const outcomes = await Promise.allSettled(attempts)
        for (const each of outcomes) if (each.status === 'rejected') throw each.reason
        taken = due.length
      }
    },
  }
}

async function settle(
  { db, log, onOutcome }: OutboxSenderDeps,
  { id, attempts, subscriptionId, recipient }: DueMail,
  outcome: MailOutcome,
): Promise<void> {
  if (outcome.kind === 'sent') {
    await deleteMail(db, id)
    onOutcome('sent')
    return
  }
  const { reason } = outcome
  if (!outcome.isFinal && attempts < MAIL_ATTEMPTS_MAX) {
    log.warn('mail not sent yet', { mail: id, attempts, reason })
    return
  }
  if (outcome.bounce !== undefined && subscriptionId !== null) {
    const refusal = `The mail server refuses the address (${outcome.bounce}).`
    await markBounced(db, subscriptionId, recipient, refusal)
  }
  await deleteMail(db, id)
  onOutcome('given_up')
  log.warn('mail given up', { mail: id, attempts, reason })
}
