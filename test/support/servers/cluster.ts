/** Steps of tests with a cluster: refused starts, captures in a loop, projects of a given owner. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { shardOf } from '../../../cluster/shards/shard.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { cleanEnv, SLUICE, spawnClean } from './clean-env.ts'
import type { Cluster } from './cluster-processes.ts'
import type { ClusterMember } from './member-process.ts'
import { type ProductProcess, request, type Settings, served, startProcess } from './product.ts'

/** End of a process of the product that could not start. */
export type Refusal = {
  /** Exit code, or the signal that ended it. */
  readonly status: number | string
  /** Message of its last line of level `error`; standard error where there is none. */
  readonly reason: string
  /** All of its output. */
  readonly output: string
}

/** Far beyond every deadline of a start: a process that runs longer does not end by itself. */
const REFUSAL_MS_MAX = 60_000

/** Starts a process that must not come up. Killed, and so without an exit code, when it does. */
export async function startRefused(command: string, settings: Settings): Promise<Refusal> {
  const child = spawnClean([...SLUICE, command], cleanEnv(settings))
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
    if (said.stdout.includes('"message":"ready"')) child.kill('SIGKILL')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const late = setTimeout(() => child.kill('SIGKILL'), REFUSAL_MS_MAX)
  const status = await new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  clearTimeout(late)
  const errors = said.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { level: string; reason?: string } => JSON.parse(line))
    .filter(({ level }) => level === 'error')
  return { status, reason: errors.at(-1)?.reason ?? said.stderr, output: JSON.stringify(said) }
}

/**
 * Starts one more process of the product, which is not part of a `Cluster`, and waits until it can
 * serve. It is killed after the test.
 */
export async function startMember(
  t: Test,
  role: 'worker' | 'gateway' | 'start' | 'postgres',
  settings: Settings,
): Promise<ProductProcess> {
  const started = await startProcess(role, settings)
  t.teardown(async () => {
    started.kill('SIGKILL')
    await started.ended
  })
  await served(started.ports.admin)
  return started
}

/** Asks the worker at this address for the status of the cluster. */
export async function statusOf(
  grpcAddress: string,
  operatorToken: string,
): Promise<GetStatusResponse__Output> {
  const link = createGrpcWorkerLink(grpcAddress, systemClock)
  try {
    const answer = await link.call(
      '/sluice.v1.AdminService/GetStatus',
      {},
      { metadata: { authorization: `Bearer ${operatorToken}` }, timeoutMs: 5_000 },
    )
    return answer as GetStatusResponse__Output // That method's answer.
  } finally {
    link.close()
  }
}

/** Events that are sent one after the other, by some clients at a time, until it is stopped. */
export type Captures = {
  /** Ids of events that were answered 200. */
  readonly acked: ReadonlySet<string>
  /** Other answers so far, by status. */
  readonly failed: ReadonlyMap<number, number>
  /** Resolves once so many more have been answered 200. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}

const CLIENTS = 4
const PAUSE_MS = 25

export function startCaptures(
  t: Test,
  { url, projectKey }: { readonly url: string; readonly projectKey: string },
): Captures {
  const acked = new Set<string>()
  const failed = new Map<number, number>()
  const waiting = new Set<() => void>()
  let stopped = false
  const send = async (distinctId: string) => {
    while (!stopped) {
      const uuid = randomUUID()
      const body = { api_key: projectKey, event: 'sent', distinct_id: distinctId, uuid }
      const status = await request(`${url}/capture/`, { body }).then(
        (answer) => answer.status,
        () => 0, // No connection.
      )
      if (status === 200) acked.add(uuid)
      else failed.set(status, (failed.get(status) ?? 0) + 1)
      for (const look of waiting) look()
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const running = Array.from({ length: CLIENTS }, (_, index) => send(`client ${index}`))
  const stop = async () => {
    stopped = true
    await Promise.all(running)
  }
  t.teardown(stop)
  return {
    acked,
    failed,
    more(count) {
      const target = acked.size + count
      return new Promise((resolve) => {
        const look = () => {
          if (acked.size < target) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
    },
    stop,
  }
}

/** A project, with the worker that owns it and the one that does not. */
export type Owned = {
  readonly id: number
  readonly key: string
  readonly owner: ClusterMember
  readonly stranger: ClusterMember
}

const PROJECTS_MAX = 64

/** Two projects: the first worker owns the one, the second the other. */
export async function projectsOfEach(cluster: Cluster): Promise<readonly [Owned, Owned]> {
  const [first, second] = pair(cluster.workers)
  const [gateway] = pair(cluster.gateways)
  const found = new Map<ClusterMember, Owned>()
  for (let made = 0; made < PROJECTS_MAX; made += 1) {
    const body = { name: `Project ${made}` }
    const url = `${gateway.url}/api/projects/`
    const answer = await request(url, { body, key: cluster.personalKey })
    const { id, api_token: key } = answer.body as { id: number; api_token: string }
    const { members, shards } = await cluster.status()
    const shard = shards.find((each) => each.shard === shardOf(projectId(id)))
    const address = members.find((member) => member.id === shard?.owner)?.address
    const [owner, stranger] = address === first.address ? [first, second] : [second, first]
    if (address === owner.address) found.set(owner, { id, key, owner, stranger })
    const ofFirst = found.get(first)
    const ofSecond = found.get(second)
    if (ofFirst !== undefined && ofSecond !== undefined) return [ofFirst, ofSecond]
  }
  throw new Error('one worker owns every project')
}

export function pair<T>(items: readonly T[]): readonly [T, T] {
  const [first, second] = items
  if (first === undefined || second === undefined) throw new Error('fewer than two')
  return [first, second]
}
