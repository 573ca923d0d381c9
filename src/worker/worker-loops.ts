/** The loops that a worker runs beside its calls. */
import { setMaxListeners } from 'node:events'
import { shardOf } from '../../cluster/shards/shard.ts'
import type { ProjectId } from '../core/ids.ts'
import { runLoop } from '../core/loop.ts'
import { ensurePartitions } from '../event-store/months/partitions.ts'
import type { WarningCounts } from '../events/warnings/warning-counts.ts'
import { createOutboxSender, type OutboxSender } from '../mail/outbox-sender.ts'
import { createSmtpMailer } from '../mail/smtp-mailer.ts'
import { type AlertChecks, createAlertChecks } from '../manage/alerts/alert-checks.ts'
import { createWebhookSender, type WebhookSender } from '../manage/alerts/webhook-sender.ts'
import { type ChatSender, createChatSender } from '../manage/chat/chat-sender.ts'
import { createPngRenderer } from '../manage/export/png.ts'
import {
  createSubscriptionSends,
  type SubscriptionSends,
} from '../manage/subscriptions/subscription-sends.ts'
import { createHostFetch } from '../plugins/host/fetch.ts'
import type { Sql } from '../postgres/connect.ts'
import { listDeletedIds } from '../privacy/deleted-ids-store.ts'
import { findKeys } from '../privacy/find-in-clickhouse.ts'
import { removeRemains } from '../privacy/remove-remains.ts'
import { removeLeftovers, startRetention } from '../privacy/retention-store.ts'
import { CHUNK_BOUNDS, runDeletions } from '../privacy/run-deletions.ts'
import { createPrecompute } from '../query/insights/precompute/precompute.ts'
import { askedOfDeletion, selectionOfDeletion } from '../query/list/deletion-selection.ts'
import { removeOldAnswers } from '../store/answers/query-cache.ts'
import { removeOldJobs } from '../store/answers/query-job-store.ts'
import { removeOldBlocks } from '../store/answers/session-block-store.ts'
import { refreshVolumes, removeOldQueryCounts } from '../store/definitions/definitions-sql.ts'
import { removeOldContents } from '../store/people/mail-outbox-store.ts'
import { removeOldPluginRecords } from '../store/plugins/plugin-log-store.ts'
import { removeOldFlagUsage } from '../store/projects/flag-usage-store.ts'
import type { Worker, WorkerDeps, WorkerOptions } from './types.ts'
import { allowed } from './worker-plugins.ts'

/** Interval of looking for alerts and subscriptions that are due, and for messages to webhooks. */
const ALERTS_POLL_MS = 2_000
const WEBHOOKS_POLL_MS = 2_000
/** Interval of looking for due messages. */
const CHAT_POLL_MS = 2_000
/** Interval of looking for new event names: a project gets one message for all of them. */
const CHAT_NEWS_MS = 5_000
/** Interval of looking at the outbox of mails. */
const MAIL_POLL_MS = 2_000

const SWEEP_MS = 30_000
const VOLUMES_MS = 240_000
const ASKED_EVENTS_MS = 1_000
const WARNINGS_MS = 1_000
const REFUSED_KEYS_MS = 30_000
const REMAINS_MS = 30_000
const DELETED_IDS_MS = 2_000
const DELETIONS_MS = 1_000
const RETENTION_MS = 600_000
const OLD_JOBS_MS = 60_000
const PLUGIN_RECORDS_MS = 600_000
const PARTITIONS_MS = 3_600_000
const PRECOMPUTE_MS = 60_000

export function outboxOf(
  { clock, log, metrics }: WorkerDeps,
  db: Sql,
  { mail }: WorkerOptions,
): OutboxSender | undefined {
  if (mail === undefined) return undefined
  const sent = metrics.counter('sluice_mails_sent_total', 'Mails that a server took.')
  const givenUp = metrics.counter(
    'sluice_mails_given_up_total',
    'Mails that were dropped because no server took them.',
  )
  return createOutboxSender({
    db,
    mailer: createSmtpMailer({ clock }, mail),
    log,
    onOutcome: (outcome) => (outcome === 'sent' ? sent : givenUp).inc(),
  })
}

/** Messages of the instance's own wording: PLUGIN_FETCH does not keep them back. */
export function chatOf(
  { clock, log, metrics }: WorkerDeps,
  sql: Sql,
  { plugins }: WorkerOptions,
): ChatSender {
  const sent = metrics.counter('sluice_chat_messages_sent_total', 'Messages that a chat took.')
  const givenUp = metrics.counter(
    'sluice_chat_messages_given_up_total',
    'Messages that were dropped because no chat took them.',
  )
  return createChatSender({
    sql,
    fetch: createHostFetch({ clock, enabled: true, allows: allowed(plugins) }),
    log,
    onOutcome: (outcome) => (outcome === 'sent' ? sent : givenUp).inc(),
  })
}

export type AlertLoops = {
  readonly checks: AlertChecks
  readonly webhooks: WebhookSender
  readonly subscriptions: SubscriptionSends
}

export function alertsOf(
  { clock, log, metrics, failpoints }: WorkerDeps,
  parts: Pick<Worker, 'sql' | 'scans' | 'columnarInsights'>,
  { plugins, mail }: WorkerOptions,
): AlertLoops {
  const { sql, scans, columnarInsights: columnar } = parts
  const counters = {
    sent: metrics.counter('sluice_alert_webhooks_sent_total', 'Messages that a webhook took.'),
    failed: metrics.counter('sluice_alert_webhooks_failed_total', 'Attempts that no webhook took.'),
    disabled: metrics.counter(
      'sluice_alert_webhooks_disabled_total',
      'Webhooks of alerts that were switched off after a day of failures.',
    ),
  }
  const checked = metrics.counter(
    'sluice_alert_checks_total',
    'Checks of alerts that were written.',
  )
  const sent = metrics.counter(
    'sluice_subscriptions_sent_total',
    'Turns of subscriptions whose messages were written.',
  )
  const { siteUrl } = plugins
  const sendsMail = mail !== undefined
  const asking = { sql, scans, columnar, clock, log, failpoints, siteUrl, sendsMail }
  return {
    checks: createAlertChecks({ ...asking, onChecked: () => checked.inc() }),
    subscriptions: createSubscriptionSends({
      ...asking,
      renderPng: createPngRenderer(),
      onSent: () => sent.inc(),
    }),
    webhooks: createWebhookSender({
      sql,
      fetch: createHostFetch({ clock, enabled: true, allows: allowed(plugins) }),
      clock,
      log,
      onOutcome: (outcome) => counters[outcome].inc(),
    }),
  }
}

type LoopParts = Pick<
  Worker,
  | 'sql'
  | 'scans'
  | 'projects'
  | 'ingest'
  | 'shards'
  | 'askedEvents'
  | 'refusedKeys'
  | 'onPersonDeleted'
  | 'columnarInsights'
  | 'replicaEvents'
> & {
  readonly warnings: WarningCounts
  readonly outbox: OutboxSender | undefined
  readonly chat: ChatSender
  readonly alerts: AlertLoops
}

/** Starts the loops. The returned function ends them and waits for the work under way. */
export function startLoops({ clock, log }: WorkerDeps, parts: LoopParts): () => Promise<void> {
  const { sql, scans, projects, ingest, askedEvents, refusedKeys, warnings, outbox } = parts
  const { chat, alerts, onPersonDeleted, shards, columnarInsights: columnar } = parts
  const { replicaEvents: columns } = parts
  const isOwn = (project: ProjectId) => shards.epochOf(shardOf(project)) !== undefined
  const precompute = createPrecompute({ sql, scans, columnar, clock, log, isOwn })
  const abort = new AbortController()
  // Each loop listens, and their number is that of this file.
  setMaxListeners(0, abort.signal)
  const loop = (name: string, intervalMs: number, work: (signal: AbortSignal) => Promise<void>) =>
    runLoop(
      { clock, log, random: Math.random },
      { name, intervalMs, jitterMs: intervalMs / 10 },
      abort.signal,
      work,
    )
  const shares = new Map<string, number>()
  const loops = [
    loop('passivate idle projects', SWEEP_MS, () => projects.sweep()),
    loop('count events asked for', ASKED_EVENTS_MS, () => askedEvents.flush()),
    loop('write counts of refused keys', REFUSED_KEYS_MS, () => refusedKeys.save()),
    loop('write warnings of ingestion', WARNINGS_MS, () => warnings.flush()),
    loop('refresh volumes of event definitions', VOLUMES_MS, async () => {
      await refreshVolumes(sql)
      await removeOldQueryCounts(sql)
      await removeOldFlagUsage(sql)
    }),
    loop('remove remains of projects', REMAINS_MS, (signal) =>
      removeRemains({ sql, clock }, signal),
    ),
    loop('forget deleted persons', DELETED_IDS_MS, async () => {
      ingest.forgetDistinctIds(await listDeletedIds(sql))
    }),
    loop('delete events', DELETIONS_MS, (signal) =>
      runDeletions(
        {
          sql,
          clock,
          onPersonDeleted,
          selectionOf: (deletion) => selectionOfDeletion({ sql: scans, clock }, deletion),
          findKeys: (deletion, walk) =>
            findKeys({ sql: scans, columns, askedOf: askedOfDeletion }, deletion, walk),
          isSpillPast: (timeMs) => ingest.isSpillPast(timeMs),
          bounds: CHUNK_BOUNDS,
          shares,
        },
        signal,
      ),
    ),
    loop('retain events', RETENTION_MS, async (signal) => {
      await startRetention(sql, signal)
      await removeLeftovers(sql)
      await removeOldAnswers(sql)
      await removeOldBlocks(sql)
      await removeOldContents(sql)
    }),
    loop('remove old answers under a name', OLD_JOBS_MS, () => removeOldJobs(sql)),
    loop('remove old records of plugins', PLUGIN_RECORDS_MS, (signal) =>
      removeOldPluginRecords(sql, signal),
    ),
    loop('tell chats of new events', CHAT_NEWS_MS, () => chat.announceNew()),
    loop('send chat messages', CHAT_POLL_MS, (signal) => chat.sendDue(signal)),
    loop('check alerts', ALERTS_POLL_MS, (signal) => alerts.checks.checkDue(signal)),
    loop('send subscriptions', ALERTS_POLL_MS, (signal) => alerts.subscriptions.sendDue(signal)),
    loop('send webhooks of alerts', WEBHOOKS_POLL_MS, (signal) => alerts.webhooks.sendDue(signal)),
    loop('precompute days', PRECOMPUTE_MS, precompute),
    loop('create partitions', PARTITIONS_MS, () => ensurePartitions(sql, clock.now())),
  ]
  if (outbox !== undefined) {
    loops.push(loop('send mails', MAIL_POLL_MS, (signal) => outbox.sendDue(signal)))
  }
  return async () => {
    abort.abort()
    await Promise.all(loops)
  }
}
