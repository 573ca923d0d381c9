/** Composition of the work that a worker does beside its calls. */
import { MAIL_POLL_MS } from '../core/limits/limits.ts'
import { runLoop } from '../core/loop.ts'
import { createOutboxSender, type OutboxSender } from '../mail/outbox-sender.ts'
import { createSmtpMailer } from '../mail/smtp-mailer.ts'
import { refreshVolumes, removeOldQueryCounts } from '../store/ingest/definitions-sql.ts'
import { ensurePartitions } from '../store/ingest/partitions.ts'
import { removeOldPluginRecords } from '../store/plugins/plugin-log-store.ts'
import { emptyQueues, type Sql } from '../store/pool/connect.ts'
import { removeRemains } from '../store/projects/remove-remains.ts'
import type { Worker, WorkerDeps, WorkerOptions } from '../worker.ts'

const SWEEP_MS = 30_000
const VOLUMES_MS = 240_000
const ASKED_EVENTS_MS = 30_000
const REMAINS_MS = 30_000
const PLUGIN_RECORDS_MS = 600_000
const PARTITIONS_MS = 3_600_000
const QUEUES_MS = 500

export function outboxOf(
  { clock, log, metrics }: WorkerDeps,
  db: Sql,
  { mail }: WorkerOptions,
): OutboxSender | undefined {
  if (mail === undefined) return undefined
  const sent = metrics.counter('sluice_mails_sent_total', 'Mails that a server took.')
  const givenUp = metrics.counter('sluice_mails_given_up_total', 'Mails that none would take.')
  return createOutboxSender({
    db,
    mailer: createSmtpMailer({ clock }, mail),
    log,
    onOutcome: (outcome) => (outcome === 'sent' ? sent : givenUp).inc(),
  })
}

type LoopParts = Pick<Worker, 'sql' | 'lookups' | 'projects' | 'askedEvents'> & {
  readonly outbox: OutboxSender | undefined
}

/** Work beside the calls. The answer ends the loops and waits for the one that runs. */
export function startLoops(
  { clock, log }: WorkerDeps,
  { sql, lookups, projects, askedEvents, outbox }: LoopParts,
): () => Promise<void> {
  const abort = new AbortController()
  const loop = (name: string, intervalMs: number, work: (signal: AbortSignal) => Promise<void>) =>
    runLoop(
      { clock, log, random: Math.random },
      { name, intervalMs, jitterMs: intervalMs / 10 },
      abort.signal,
      work,
    )
  const loops = [
    loop('passivate idle projects', SWEEP_MS, () => projects.sweep()),
    loop('count events asked for', ASKED_EVENTS_MS, () => askedEvents.flush()),
    loop('refresh volumes of event definitions', VOLUMES_MS, async () => {
      await refreshVolumes(sql)
      await removeOldQueryCounts(sql)
    }),
    loop('remove remains of projects', REMAINS_MS, (signal) =>
      removeRemains({ sql, clock }, signal),
    ),
    loop('remove old records of plugins', PLUGIN_RECORDS_MS, (signal) =>
      removeOldPluginRecords(sql, signal),
    ),
    loop('empty the queues of the pools', QUEUES_MS, async () => {
      await Promise.all([emptyQueues(sql), emptyQueues(lookups)])
    }),
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
