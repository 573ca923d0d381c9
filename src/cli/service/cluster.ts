/** Connects a process to its cluster. */
import { openClusterToken } from '../../../cluster/members/cluster-token.ts'
import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { createMembership } from '../../../cluster/members/membership.ts'
import { createPortProbe } from '../../../cluster/members/port-probe.ts'
import type { Registry } from '../../../cluster/members/registry.ts'
import { type JetStreamLog, openJetStreamLog } from '../../../cluster/nats/jetstream-log.ts'
import { openKvRegistry } from '../../../cluster/nats/kv-registry.ts'
import { connectNats, type NatsLink } from '../../../cluster/nats/nats-connection.ts'
import { clusterSubjects } from '../../../cluster/nats/subjects.ts'
import { systemClock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import { MEMBER_TTL_MS } from '../../core/limits/limits.ts'
import { runLoop } from '../../core/loop.ts'
import type { ServiceContext } from './service.ts'

/** The cluster's token is looked at this often: a store that lost it gets it again. */
const CLUSTER_TOKEN_KEEP_MS = 2_000

/** Links of a process to its cluster. */
export type Cluster = {
  readonly nats: NatsLink
  readonly members: MemberStore
  /** The token that proves to other members that a member calls. */
  readonly memberToken: () => string
  readonly acceptsMember: (token: string) => boolean
}

/**
 * Connects to NATS and watches the members. `members.join` makes this process a member.
 * @throws {AppError} with a sentence for the operator when NATS cannot be used.
 */
export async function openCluster(context: ServiceContext): Promise<Cluster> {
  const { config, log, metrics, releasers } = context
  const clock = systemClock
  assert(config.natsUrl !== undefined, 'a cluster has NATS')
  const name = `sluice ${config.role}`
  const nats = await connectNats({
    urls: config.natsUrl,
    name,
    security: config.security.nats,
    clock,
    log,
  })
  releasers.push('nats', () => nats.close())
  const subjects = clusterSubjects(config.clusterName)
  const shared = { nats, replicas: config.natsReplicas, clock, log }
  const settings = await openKvRegistry({ ...shared, bucket: subjects.settingsBucket, ttlMs: 0 })
  releasers.push('settings of the cluster', () => settings.close())
  const keys = await openKvRegistry({
    ...shared,
    bucket: subjects.membersBucket,
    ttlMs: MEMBER_TTL_MS,
  })
  releasers.push('keys of members', () => keys.close())
  const token = await keepToken(context, settings)
  const probe = createPortProbe(clock)
  const members = createMembership({ registry: keys, clock, log, random: Math.random, probe })
  releasers.push('membership', () => members.close())
  metrics.gauge('sluice_nats_connected', '1 while NATS answers.', () => (nats.connected() ? 1 : 0))
  return { nats, members, memberToken: token.current, acceptsMember: token.accepts }
}

/** Opens the spill's log, which holds events while Postgres takes none. Only workers use it. */
export async function openSpillLog(
  { config, log, metrics, releasers }: ServiceContext,
  nats: NatsLink,
): Promise<JetStreamLog> {
  const subjects = clusterSubjects(config.clusterName)
  const messages = await openJetStreamLog(
    { nats, clock: systemClock, log },
    {
      stream: subjects.spillStream,
      subject: subjects.spillSubject,
      consumer: subjects.spillConsumer,
      bytesMax: config.spillBytesMax,
      replicas: config.natsReplicas,
    },
  )
  releasers.push('spill', () => messages.close())
  metrics.gauge('sluice_spill_lost_messages', 'Messages that vanished with their stream.', () => {
    return messages.lostMessages()
  })
  return messages
}

async function keepToken({ log, releasers }: ServiceContext, settings: Registry) {
  const token = await openClusterToken(settings)
  const abort = new AbortController()
  const keeping = runLoop(
    { clock: systemClock, log, random: Math.random },
    { name: 'keep the token', intervalMs: CLUSTER_TOKEN_KEEP_MS, jitterMs: CLUSTER_TOKEN_KEEP_MS },
    abort.signal,
    async () => {
      if (settings.connected()) await token.keep()
    },
  )
  releasers.push('token of the cluster', async () => {
    abort.abort()
    await keeping
  })
  return token
}
