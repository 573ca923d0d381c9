import { randomBytes, randomUUID } from 'node:crypto'
import type { MemberStore, RemovedReason } from '../../../cluster/members/member-store.ts'
import type { Member } from '../../../cluster/members/view.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { operatorToken } from '../../core/config/operator-token.ts'
import { failpointsOf } from '../../core/failpoint.ts'
import { LEAVE_LINGER_MS } from '../../core/limits/limits.ts'
import type { MessageLog } from '../../core/message-log.ts'
import type { MailSettings } from '../../mail/smtp-mailer.ts'
import type { ForgetfulCache } from '../../project/person-forgetter.ts'
import type { ManagementSettings } from '../../rpc/management-services.ts'
import { sameToken } from '../../rpc/server/member-auth.ts'
import type { Connection } from '../../store/pool/connect.ts'
import { callMetrics } from '../../worker/worker-call-metrics.ts'
import { createWorkerStatus } from '../../worker/worker-status.ts'
import { startStatusMetrics } from '../../worker/worker-status-metrics.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { createWorkerServices, type WorkerServices } from '../../worker-services.ts'
import { printFirstKeys } from './banner.ts'
import type { Cluster } from './cluster.ts'
import { explainDatabase } from './explain-database.ts'
import type { ServiceContext } from './service.ts'

export type WorkerParts = {
  readonly worker: Worker
  readonly services: WorkerServices
  /** Proves to this worker that a member calls. */
  readonly memberToken: () => string
  /** Listens and joins: this process is a member from then on. */
  serve(): Promise<{ readonly grpcPort: number; readonly address: string }>
  unready(): readonly string[]
}

export type WorkerPartsOptions = {
  readonly database: Connection | string
  readonly members: MemberStore
  /** Undefined where this process is alone. */
  readonly cluster: Cluster | undefined
  readonly messages: MessageLog | undefined
  readonly role: Member['role']
  readonly cache: ForgetfulCache | undefined
  readonly redis: () => 'memory' | 'up' | 'down' | 'none'
}

/** The worker of a process with its services, for the standalone and the worker role alike. */
export async function startWorkerParts(
  context: ServiceContext,
  options: WorkerPartsOptions,
): Promise<WorkerParts> {
  const { config, log, metrics, releasers, version } = context
  const { members, cluster, role } = options
  const clock = systemClock
  const memberId = randomUUID()
  const operator = await operatorToken(config)
  // Alone, only this process's own gateway is a member.
  const own = randomBytes(32).toString('base64url')
  const memberToken = cluster?.memberToken ?? (() => own)
  const worker = await startWorker(
    {
      clock,
      log,
      metrics,
      ...options,
      connect: (address) => createGrpcWorkerLink(address, clock),
      memberToken,
      failpoints: failpointsOfSetting(context),
    },
    {
      database: options.database,
      memberId,
      bootstrap: config.bootstrap,
      countSlot: cluster === undefined ? 0 : countSlotOf(context),
      mail: mailSettings(context),
      plugins: { ...config.plugins, siteUrl: config.publicUrl ?? LOCAL_SITE },
    },
  ).catch((error: unknown) => {
    throw explainDatabase(error, options.database)
  })
  releasers.push('worker', () => worker.close(config.shutdownDeadlineMs / 3))
  printFirstKeys(log, worker.bootstrapped)
  let grpcPort = config.grpc.port
  const address = () => `${config.advertise.host}:${config.advertise.port || grpcPort}`
  const weight = config.workerWeight / 100
  const self = (): Member => ({
    id: memberId,
    address: address(),
    role,
    state: 'active',
    weight,
    version,
  })
  const calls = callMetrics(metrics, clock)
  const operations = createWorkerStatus({
    worker,
    members,
    self,
    clusterName: config.clusterName,
    redis: options.redis,
    membership: () => (cluster === undefined ? 'memory' : membershipOf(members)),
    decided: calls.decided,
    clock,
  })
  releasers.push('rates', operations.close)
  const stopCounting = startStatusMetrics({ worker, members, metrics, clock, log })
  releasers.push('count of dead letters', stopCounting)
  const services = createWorkerServices(
    { worker, calls, clock, log },
    {
      isMember: cluster?.acceptsMember ?? sameToken(own),
      isOperator: sameToken(operator),
      address,
      operations,
      settings: managementSettings(context),
      rateLimits: config.rateLimits,
    },
  )
  releasers.push('grpc', async () => {
    await services.server.close(config.shutdownDeadlineMs / 3)
    await services.settled()
  })
  return {
    worker,
    services,
    memberToken,
    async serve() {
      grpcPort = (await services.server.listen(config.grpc.host, grpcPort)).port
      await members.join(self())
      releasers.push('membership of this worker', async () => {
        await members.leave(memberId)
        // Calls that were sent before the others heard of it are answered still.
        if (cluster !== undefined) await clock.sleep(LEAVE_LINGER_MS)
      })
      releasers.push('shards of this worker', async () => {
        services.server.leave()
        // With NATS away nobody hears of it, and closing gives them back all the same.
        if (members.connected()) await operations.drainSelf(config.shutdownDeadlineMs / 3)
      })
      void members.removed.then((reason) => endReplaced(context, reason))
      return { grpcPort, address: address() }
    },
    unready: () => [...worker.unready(), ...stateOf(members, memberId)],
  }
}

/** Others have taken this member for dead: whatever it holds is theirs, and a restart is a new one. */
function endReplaced({ log, endFailed }: ServiceContext, reason: RemovedReason): void {
  const message =
    reason === 'replaced'
      ? 'another process has joined with the address of this one, which ends itself'
      : 'this member was silent for too long and has been removed; it ends itself'
  log.error(message, { reason })
  endFailed()
}

function stateOf(members: MemberStore, id: string): readonly string[] {
  const member = members.view().members.find((each) => each.id === id)
  if (member === undefined) return ['this worker is not in the view']
  return member.state === 'active' ? [] : [`this worker is ${member.state}`]
}

function membershipOf(members: MemberStore): 'connected' | 'frozen' {
  return members.connected() ? 'connected' : 'frozen'
}

function failpointsOfSetting({ config }: ServiceContext) {
  const parsed = failpointsOf(config.failpoints)
  if (parsed.ok) return parsed.value
  throw new AppError('failed_precondition', `FAILPOINTS ${parsed.error}`)
}

/** What plugins are told of an instance that has no address for people. */
const LOCAL_SITE = 'http://localhost:8000'
const COUNT_SLOTS = 64

/** The same after a restart, and seldom that of another worker: by where it is reached. */
function countSlotOf({ config }: ServiceContext): number {
  const text = `${config.advertise.host}:${config.advertise.port}`
  let hash = 0
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521
  return (hash % COUNT_SLOTS) * 2
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
