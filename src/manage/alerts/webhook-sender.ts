/** Sends the messages of alerts to their webhooks, signed in the form of Standard Webhooks. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { HostFetch } from '../../plugins/host/fetch.ts'
import { FetchFailed } from '../../plugins/host/fetch-request.ts'
import type { Sql } from '../../postgres/connect.ts'
import {
  type DueWebhook,
  dropWebhook,
  takeDueWebhooks,
  WEBHOOKS_SENDING_MAX,
  webhookFailed,
  webhookTook,
} from '../../store/alerts/alert-webhooks.ts'

const SECRET_BYTES = 24
const SECRET_PREFIX = 'whsec_'

export type WebhookSender = {
  /**
   * Sends every message that is due, a few at a time, at least once. An abort ends the attempts
   * under way, and their messages stay due.
   * @throws {PostgresError} when messages cannot be taken. Safe to retry.
   */
  sendDue(signal: AbortSignal): Promise<void>
}

export type WebhookSenderDeps = {
  readonly sql: Sql
  /** Fetch with the rules of plugins: it reaches no address of the instance's own network. */
  readonly fetch: HostFetch
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly onOutcome: (outcome: 'sent' | 'failed' | 'disabled') => void
}

/** A key that nobody can guess, as libraries of Standard Webhooks take it. */
export function makeWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Value of the header `webhook-signature`. */
function signatureOf(
  secret: string,
  message: { readonly id: string; readonly timestampS: number; readonly body: string },
): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signed = `${message.id}.${message.timestampS}.${message.body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { sql } = deps
  return {
    async sendDue(signal) {
      let taken = WEBHOOKS_SENDING_MAX
      while (taken === WEBHOOKS_SENDING_MAX && !signal.aborted) {
        const due = await takeDueWebhooks(sql)
        const attempts = due.map(async (message) => {
          if (message.address === null) return await dropWebhook(sql, message)
          const failure = await post(deps, message, message.address, signal)
          // The failure of an aborted attempt is not the message's.
          if (failure === undefined || !signal.aborted) await settle(deps, message, failure)
        })
        // The failure of one message must not stop the others.
        const outcomes = await Promise.allSettled(attempts)
        for (const each of outcomes) if (each.status === 'rejected') throw each.reason
        taken = due.length
      }
    },
  }
}

/** @returns in words why it was not taken; undefined when it was. */
async function post(
  { fetch, clock }: WebhookSenderDeps,
  { id, projectId, secret, body }: DueWebhook,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const timestampS = Math.floor(clock.now() / 1_000)
  const headers = [
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', String(timestampS)],
    ['webhook-signature', signatureOf(secret, { id, timestampS, body })],
  ] as const
  try {
    const answer = await fetch(projectId, { url, method: 'POST', headers, body }, signal)
    if (answer.redirected) return 'The address leads elsewhere.'
    const isTaken = answer.status >= 200 && answer.status < 300
    return isTaken ? undefined : `The address answers with status ${answer.status}.`
  } catch (error) {
    return error instanceof FetchFailed ? error.message : 'The connection failed.'
  }
}

async function settle(
  { sql, log, onOutcome }: WebhookSenderDeps,
  message: DueWebhook,
  failure: string | undefined,
): Promise<void> {
  const { id, alertId: alert, projectId: project, attempts } = message
  if (failure === undefined) {
    await webhookTook(sql, message)
    onOutcome('sent')
    return
  }
  const isOff = await webhookFailed(sql, message, failure)
  onOutcome(isOff ? 'disabled' : 'failed')
  const facts = { message_id: id, alert, project, attempts, reason: failure }
  log.warn(isOff ? 'webhook of an alert switched off' : 'webhook not sent yet', facts)
}
