import { randomUUID } from 'node:crypto'
import type { MemberStore } from '../../cluster/member-store.ts'
import type { Member } from '../../cluster/view.ts'
import type { GetStatusResponse } from '../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { systemClock } from '../core/clock.ts'
import { operatorToken } from '../core/operator-token.ts'
import type { MailSettings } from '../mail/smtp-mailer.ts'
import type { ManagementSettings } from '../rpc/management-services.ts'
import type { Connection } from '../store/connect.ts'
import { countDeadLetters } from '../store/dead-letter-store.ts'
import { startWorker, type Worker, type WorkerDeps } from '../worker.ts'
import { createWorkerServices, type WorkerServices } from '../worker-services.ts'
import { printFirstKeys } from './banner.ts'
import type { ServiceContext } from './service.ts'

export type WorkerParts = {
  readonly worker: Worker
  readonly services: WorkerServices
  /** A restart is another member. */
  readonly memberId: string
  readonly token: string
}

/** The worker of a process with its services, for the standalone and the worker role alike. */
export async function startWorkerParts(
  context: ServiceContext,
  options: {
    database: Connection | string
    members: MemberStore
    role: Member['role']
    onPersonsChanged: WorkerDeps['onPersonsChanged']
  },
): Promise<WorkerParts> {
  const { config, log, metrics, releasers } = context
  const clock = systemClock
  const token = await operatorToken(config)
  const memberId = randomUUID()
  const { database, members, onPersonsChanged } = options
  const worker = await startWorker(
    { clock, log, metrics, onPersonsChanged },
    { database, memberId, bootstrap: config.bootstrap, mail: mailSettings(context) },
  )
  releasers.push('worker', () => worker.close(config.shutdownDeadlineMs / 3))
  printFirstKeys(log, worker.bootstrapped)
  const status = () => statusOf(context, worker, members)
  const services = createWorkerServices(
    { worker, clock, log },
    { token, status, settings: managementSettings(context), rateLimits: config.rateLimits },
  )
  releasers.push('grpc', async () => {
    await services.server.close(config.shutdownDeadlineMs / 3)
    await services.settled()
  })
  return { worker, services, memberId, token }
}

function managementSettings(context: ServiceContext): ManagementSettings {
  const { publicUrl, pluginUrls } = context.config
  const sendsMail = publicUrl !== undefined && mailSettings(context) !== undefined
  return { version: context.version, mail: sendsMail ? { publicUrl } : undefined, pluginUrls }
}

/** A mail has a link in it: without its address none is sent. */
function mailSettings({ config }: ServiceContext): MailSettings | undefined {
  const { smtpUrl, from } = config.mail
  return config.publicUrl === undefined || smtpUrl === undefined ? undefined : { smtpUrl, from }
}

async function statusOf(
  { config, version }: ServiceContext,
  worker: Worker,
  members: MemberStore,
): Promise<GetStatusResponse> {
  const writer = worker.writer.status()
  // -1 tells a database that does not answer from one without dead letters.
  const deadLetters = await countDeadLetters(worker.sql).catch(() => -1)
  return {
    version,
    cluster_name: config.clusterName,
    members: members.view().members.map(({ id, address, role, state, version: built }) => ({
      id,
      address,
      role,
      state,
      shards: worker.shards(),
      version: built,
    })),
    writer: {
      queued_events: writer.queuedEvents,
      queued_bytes: writer.queuedBytes,
      stored_events: writer.storedEvents,
      duplicate_events: writer.duplicateEvents,
      dead_letter_events: writer.deadLetterEvents,
      oldest_wait_ms: writer.oldestWaitMs,
      last_error: writer.lastError,
    },
    activations: worker.projects.size(),
    dead_letters: deadLetters,
    database: deadLetters < 0 ? 'down' : writer.state,
  }
}
