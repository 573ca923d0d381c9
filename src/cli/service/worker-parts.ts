/** Starts a worker with its services, for the commands `start` and `worker`. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { MemberStore, RemovedReason } from '../../../cluster/members/member-store.ts'
import type { Member } from '../../../cluster/members/view.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { operatorToken } from '../../core/config/operator-token.ts'
import { readTlsFiles } from '../../core/config/tls-files.ts'
import { failpointsOf } from '../../core/failpoint.ts'
import { WRITER_CONNECTIONS } from '../../core/limits/limits.ts'
import type { Steadiness } from '../../core/logging/outages.ts'
import type { MessageLog } from '../../core/message-log.ts'
import { openKeyRing } from '../../core/secrets/key-file.ts'
import type { MailSettings } from '../../mail/smtp-mailer.ts'
import type { ManagementSettings } from '../../manage/settings.ts'
import type { Connection } from '../../postgres/connect.ts'
import type { ForgetfulCache } from '../../project/person-forgetter.ts'
import { sameToken } from '../../rpc/server/member-auth.ts'
import { type Dial, memberDial } from '../../wire/dial.ts'
import type { Worker } from '../../worker/types.ts'
import { startWorker } from '../../worker/worker.ts'
import { callMetrics } from '../../worker/worker-call-metrics.ts'
import { createWorkerServices, type WorkerServices } from '../../worker/worker-services.ts'
import { createWorkerStatus, type WorkerStatus } from '../../worker/worker-status.ts'
import { startStatusMetrics } from '../../worker/worker-status-metrics.ts'
import type { Cluster } from './cluster.ts'
import { explainDatabase } from './explain-database.ts'
import { keepFirstKeys } from './first-keys.ts'
import { listenOn } from './ports.ts'
import type { ServiceContext } from './service.ts'
import { thisProcess } from './this-process.ts'

/** Time that a worker still answers after it has left the view: calls may be on their way. */
export const LEAVE_LINGER_MS = 500

export type WorkerParts = {
  readonly worker: Worker
  readonly services: WorkerServices
  /** The token that proves to this worker that a member calls. */
  readonly memberToken: () => string
  /** Dials workers. */
  readonly dial: Dial
  /** Listens and joins the cluster. This process is a member from then on. */
  serve(): Promise<{ readonly grpcPort: number; readonly address: string }>
  unready(): readonly string[]
}

export type WorkerPartsOptions = {
  readonly database: Connection | string
  readonly members: MemberStore
  /** Undefined when this process is alone. */
  readonly cluster: Cluster | undefined
  readonly messages: MessageLog | undefined
  readonly role: Member['role']
  readonly cache: ForgetfulCache | undefined
  readonly redis: () => 'memory' | Steadiness | 'none'
  /** URL at which this process serves HTTP, once it does. */
  readonly httpUrl?: () => string | undefined
}

/** Starts the worker of a process and its services. */
export async function startWorkerParts(
  context: ServiceContext,
  options: WorkerPartsOptions,
): Promise<WorkerParts> {
  const { config, log, metrics, releasers } = context
  const { members, cluster } = options
  const clock = systemClock
  const operator = await operatorToken(config)
  // Without a cluster, the gateway of this process is the only other member.
  const own = randomBytes(32).toString('base64url')
  const memberToken = cluster?.memberToken ?? (() => own)
  const dial = memberDial(config.security.grpc)
  const worker = await openWorker(context, options, { memberToken, dial })
  releasers.push('worker', () => worker.close(config.shutdownDeadlineMs / 3))
  await keepFirstKeys(log, config.dataDir, worker.bootstrapped)
  const place = createPlace(context, options.role, worker.memberId)
  const calls = callMetrics(metrics, clock)
  const operations = createWorkerStatus({
    worker,
    members,
    self: place.self,
    clusterName: config.clusterName,
    redis: options.redis,
    membership: () => (cluster === undefined ? 'memory' : membershipOf(members)),
    decided: calls.decided,
    refusedKeys: calls.refusedKeys,
    clock,
  })
  releasers.push('rates', operations.close)
  const stopCounting = startStatusMetrics({ worker, members, metrics, clock, log })
  releasers.push('count of dead letters', stopCounting)
  const services = createWorkerServices(
    { worker, calls, limits: context.limits, clock, log },
    {
      isMember: cluster?.acceptsMember ?? sameToken(own),
      isOperator: sameToken(operator),
      address: place.address,
      siteUrl: () => config.publicUrl ?? options.httpUrl?.(),
      operations,
      settings: managementSettings(context),
      rateLimits: config.rateLimits,
      grpc: grpcSettings(context),
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
    dial,
    serve: () => serve(context, options, { services, operations, place }),
    unready: () => [...worker.unready(), ...stateOf(members, worker.memberId)],
  }
}

/** @throws {AppError} with a sentence for the operator when the database cannot be used. */
async function openWorker(
  context: ServiceContext,
  options: WorkerPartsOptions,
  { memberToken, dial }: Pick<WorkerParts, 'memberToken' | 'dial'>,
): Promise<Worker> {
  const { config, log, metrics } = context
  const { members, cluster, messages, cache, database } = options
  const clock = systemClock
  const isAlone = cluster === undefined && options.role === 'standalone'
  return await startWorker(
    {
      clock,
      log,
      metrics,
      onWarned: context.onWarned,
      members,
      messages,
      cache,
      connect: (address) => createGrpcWorkerLink(address, clock, { memberToken, dial }),
      memberToken,
      dial,
      failpoints: failpointsOfSetting(context),
    },
    {
      database,
      memberId: randomUUID(),
      bootstrap: config.bootstrap,
      countSlot: cluster === undefined ? 0 : countSlotOf(context),
      eventsUrl: config.eventsUrl,
      mail: mailSettings(context),
      plugins: {
        ...config.plugins,
        siteUrl: () => config.publicUrl ?? options.httpUrl?.() ?? LOCAL_SITE,
      },
      openKeys: (isInUse) => openKeyRing(config, { makes: isAlone && !isInUse }),
      sealsStored: isAlone,
    },
  ).catch((error: unknown) => {
    throw explainDatabase(error, database)
  })
}

/** The address of this process, and how it joins. The port is known once the server listens. */
type Place = {
  readonly address: () => string
  readonly self: () => Member
  readonly listensAt: (grpcPort: number) => void
}

function createPlace(
  { config, version }: ServiceContext,
  role: Member['role'],
  memberId: string,
): Place {
  let grpcPort = config.grpc.port
  const address = () => `${config.advertise.host}:${config.advertise.port || grpcPort}`
  const weight = config.workerWeight / 100
  return {
    address,
    self: () => ({
      id: memberId,
      address: address(),
      role,
      state: 'active',
      weight,
      version,
      process: thisProcess(),
    }),
    listensAt(port) {
      grpcPort = port
    },
  }
}

/**
 * Listens and joins, and registers what must happen before the process leaves, in reverse order.
 */
async function serve(
  context: ServiceContext,
  { members, cluster }: WorkerPartsOptions,
  parts: {
    readonly services: WorkerServices
    readonly operations: WorkerStatus
    readonly place: Place
  },
): Promise<{ readonly grpcPort: number; readonly address: string }> {
  const { config, releasers, ports } = context
  const { services, operations, place } = parts
  await ports.free('GRPC_PORT')
  const { host, port } = config.grpc
  const { port: grpcPort } = await listenOn({ setting: 'GRPC_PORT', host, port }, () =>
    services.server.listen(host, port),
  )
  place.listensAt(grpcPort)
  const self = place.self()
  await members.join(self)
  releasers.push('membership of this worker', async () => {
    await members.leave(self.id)
    // Answers calls that were sent before the others knew.
    if (cluster !== undefined) await systemClock.sleep(LEAVE_LINGER_MS)
  })
  releasers.push('shards of this worker', async () => {
    services.server.leave()
    // Without NATS no other member would take the shards. Closing releases them too.
    if (members.connected()) await operations.drainSelf(config.shutdownDeadlineMs / 3)
  })
  void members.removed.then((reason) => endReplaced(context, reason))
  return { grpcPort, address: place.address() }
}

/**
 * Ends a process that other members have removed from the view. They own its shards, and a restart
 * joins as a new member.
 */
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

/** Address of the instance for plugins when neither a public URL nor an HTTP port is known. */
const LOCAL_SITE = 'http://localhost:8000'
const COUNT_SLOTS = 64

/**
 * Derived from the address: it stays the same after a restart, and two workers rarely share one.
 */
function countSlotOf({ config }: ServiceContext): number {
  const text = `${config.advertise.host}:${config.advertise.port}`
  let hash = 0
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521
  return (hash % COUNT_SLOTS) * (WRITER_CONNECTIONS + 1)
}

function managementSettings(context: ServiceContext): ManagementSettings {
  const { publicUrl, pluginUrls, invitesPerDay, queryShare } = context.config
  const { backupDays, retentionWaitHours } = context.config
  const sendsMail = publicUrl !== undefined && mailSettings(context) !== undefined
  const mail = sendsMail ? { publicUrl } : undefined
  return {
    version: context.version,
    mail,
    pluginUrls,
    invitesPerDay,
    queryShare,
    backupDays,
    retentionWaitHours,
  }
}

/** A mail has a link, so none is sent without a public address. */
function mailSettings({ config }: ServiceContext): MailSettings | undefined {
  const { smtpUrl, from } = config.mail
  return config.publicUrl === undefined || smtpUrl === undefined ? undefined : { smtpUrl, from }
}

function grpcSettings({ config }: ServiceContext) {
  const { grpc } = config.security
  return { tls: readTlsFiles(grpc), reflects: grpc.reflection }
}
