/** Calls of an operator to the workers of a cluster under test: over gRPC, and with `sluice`. */
import type { Test } from 'tap'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { until } from '../until.ts'
import type { ClusterMember } from './member-process.ts'
import { type Settings, testFolder } from './product.ts'
import { runCommand } from './run-command.ts'

export type Status = GetStatusResponse__Output

export type CommandResult = {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Each call goes to the worker that is named, or to the first one that is up. */
export type OperatorCalls = {
  /** The cluster as that worker sees it. @throws when it does not answer. */
  status(asked?: ClusterMember): Promise<Status>
  /** Polls the status until `holds` is true of it. */
  waitFor(what: string, holds: (status: Status) => boolean, withinMs?: number): Promise<void>
  /** One call of `AdminService`. */
  admin(method: string, request: object, asked?: ClusterMember): Promise<object>
  /** `sluice ...` as an operator calls it. */
  sluice(args: readonly string[], asked?: ClusterMember): Promise<CommandResult>
}

const ADMIN_TIMEOUT_MS = 5_000

export function createOperatorCalls(
  t: Test,
  token: string,
  members: readonly ClusterMember[],
): OperatorCalls {
  const anyWorker = () => {
    const worker = members.find(({ role, isUp }) => role === 'worker' && isUp)
    if (worker === undefined) throw new Error('no worker is up')
    return worker
  }
  const admin = async (method: string, request: object, asked = anyWorker()): Promise<object> => {
    const link = createGrpcWorkerLink(asked.grpcAddress, systemClock)
    try {
      return await link.call(`/sluice.v1.AdminService/${method}`, request, {
        metadata: { authorization: `Bearer ${token}` },
        timeoutMs: method === 'Drain' ? 4 * ADMIN_TIMEOUT_MS : ADMIN_TIMEOUT_MS,
      })
    } finally {
      link.close()
    }
  }
  const status = async (asked?: ClusterMember) => (await admin('GetStatus', {}, asked)) as Status
  return {
    admin,
    status,
    async waitFor(what, holds, withinMs) {
      let seen: unknown
      const check = async () => {
        const found = await status()
        seen = briefly(found)
        return holds(found)
      }
      const more = withinMs === undefined ? {} : { withinMs }
      await until(what, check, { pollMs: 200, seen: () => seen, ...more })
    },
    sluice: (args, asked = anyWorker()) => {
      const [host = '', port = ''] = asked.grpcAddress.split(':')
      const settings = { GRPC_HOST: host, GRPC_PORT: port, OPERATOR_TOKEN: token }
      return runSluice(args, { ...settings, DATA_DIR: testFolder(t) })
    },
  }
}

function briefly({ members, shards, membership, database, problems, spill }: Status): object {
  const lines = members.map(
    ({ id, address, role, state, ...rest }) =>
      `${id.slice(0, 8)} ${address} ${role} ${state} ${rest.shards} ${rest.breaker}`,
  )
  const owned: Record<string, number> = {}
  for (const { owner, released } of shards) {
    const name = `${owner.slice(0, 8)}${released ? ' (released)' : ''}`
    owned[name] = (owned[name] ?? 0) + 1
  }
  return { members: lines, owned, membership, database, problems, spill }
}

async function runSluice(args: readonly string[], settings: Settings): Promise<CommandResult> {
  const { status, stdout, stderr } = await runCommand(args, settings)
  return { code: status, stdout: stdout.toString(), stderr }
}
