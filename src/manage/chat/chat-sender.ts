/** Sends the messages of the chat outbox to the webhooks of their projects. */

import { CHAT_SENDING_MAX } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import type { HostFetch } from '../../plugins/host/fetch.ts'
import { FetchFailed } from '../../plugins/host/fetch-request.ts'
import type { Sql } from '../../postgres/connect.ts'
import {
  type DueChatMessage,
  deleteChatMessage,
  insertChatMessages,
  takeDueChatMessages,
  takeNewEventNames,
} from '../../store/projects/chat-outbox-store.ts'
import { newEventsText } from './chat-templates.ts'

/** Attempts, over about a day. */
export const CHAT_ATTEMPTS_MAX = 8

export type ChatSender = {
  /** Writes a message for each project with a chat that has seen new names of events. */
  announceNew(): Promise<void>
  /**
   * Sends every message that is due, a few at a time, at least once. A message is dropped when its
   * attempts are used up, its webhook refuses it for good, or the project has no webhook any more.
   */
  sendDue(signal: AbortSignal): Promise<void>
}

export type ChatSenderDeps = {
  readonly sql: Sql
  /** Fetch with the rules of plugins: it reaches no address of the instance's own network. */
  readonly fetch: HostFetch
  readonly log: Log
  readonly onOutcome: (outcome: 'sent' | 'given_up') => void
}

type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly reason: string; readonly isFinal: boolean }

export function createChatSender(deps: ChatSenderDeps): ChatSender {
  const { sql } = deps
  return {
    async announceNew() {
      await sql.begin(async (tx) => {
        const news = await takeNewEventNames(tx)
        if (news.length === 0) return
        const messages = news.map((each) => ({
          projectId: each.projectId,
          body: newEventsText(each),
        }))
        await insertChatMessages(tx, messages)
      })
    },

    async sendDue(signal) {
      let taken = CHAT_SENDING_MAX
      while (taken === CHAT_SENDING_MAX && !signal.aborted) {
        const due = await takeDueChatMessages(sql)
        const attempts = due.map(async (message) => {
          const outcome = await post(deps, message, signal)
          // The failure of an aborted attempt is not the message's.
          if (outcome.kind === 'sent' || !signal.aborted) await settle(deps, message, outcome)
        })
        // The failure of one message must not stop the others.
        const outcomes = await Promise.allSettled(attempts)
        for (const each of outcomes) if (each.status === 'rejected') throw each.reason
        taken = due.length
      }
    },
  }
}

async function post(
  { fetch }: ChatSenderDeps,
  { projectId, address, body }: DueChatMessage,
  signal: AbortSignal,
): Promise<Outcome> {
  const url = address ?? ''
  if (url === '') return { kind: 'failed', reason: 'no webhook', isFinal: true }
  try {
    const headers = [['content-type', 'application/json']] as const
    const text = JSON.stringify({ text: body })
    const answer = await fetch(projectId, { url, method: 'POST', headers, body: text }, signal)
    return outcomeOf(answer.status, answer.redirected)
  } catch (error) {
    // The words of any other error could show the address, which is secret.
    const reason = error instanceof FetchFailed ? error.message : 'the connection failed'
    return { kind: 'failed', reason, isFinal: false }
  }
}

/** Outcome of a response; 408, 429 and redirects are no final failures, and are retried. */
function outcomeOf(status: number, redirected: boolean): Outcome {
  if (status >= 200 && status < 300 && !redirected) return { kind: 'sent' }
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429
  const reason = redirected ? 'the webhook leads elsewhere' : `status ${status}`
  return { kind: 'failed', reason, isFinal }
}

async function settle(
  { sql, log, onOutcome }: ChatSenderDeps,
  { id, projectId: project, attempts }: DueChatMessage,
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind === 'sent') {
    await deleteChatMessage(sql, id)
    onOutcome('sent')
    return
  }
  const { reason } = outcome
  const facts = { message_id: id, project, attempts, reason }
  if (!outcome.isFinal && attempts < CHAT_ATTEMPTS_MAX) {
    log.warn('chat message not sent yet', facts)
    return
  }
  await deleteChatMessage(sql, id)
  onOutcome('given_up')
  log.warn('chat message given up', facts)
}
