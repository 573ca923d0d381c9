/** The gRPC client of operator commands. */
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Config } from '../../core/config/config.ts'
import { existingOperatorToken } from '../../core/config/operator-token.ts'
import { memberDial } from '../../wire/dial.ts'
import { loadOnly } from '../../wire/proto/proto.ts'
import { serverConfig } from '../command.ts'

const TIMEOUT_MS = 10_000

/** The operator's calls to the worker (or standalone) at GRPC_HOST:GRPC_PORT. */
export type AdminClient = {
  /** @throws {AppError} with the worker's code; `unavailable` names the address that was dialled. */
  call(method: string, request: object, options?: { timeoutMs?: number }): Promise<object>
  close(): void
}

/**
 * Lets a command call the worker of its settings, and ends the connection after it.
 * @throws {AppError} as the work does; `failed_precondition` when there is no operator token.
 */
export async function withAdminClient(work: (client: AdminClient) => Promise<void>): Promise<void> {
  const client = await createAdminClient(serverConfig())
  try {
    await work(client)
  } finally {
    client.close()
  }
}

/** @throws {AppError} `failed_precondition` when there is no operator token to call with. */
async function createAdminClient(config: Config): Promise<AdminClient> {
  const token = await existingOperatorToken(config)
  if (token === undefined) {
    throw new AppError(
      'failed_precondition',
      `no operator token: start the server once, or set OPERATOR_TOKEN or DATA_DIR (${config.dataDir})`,
    )
  }
  loadOnly('sluice/v1/admin.proto')
  const { host, port } = config.grpc
  const dialled = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const address = dialled.includes(':') ? `[${dialled}]:${port}` : `${dialled}:${port}`
  const link = createGrpcWorkerLink(address, systemClock, {
    dial: memberDial(config.security.grpc),
  })
  return {
    async call(method, request, { timeoutMs = TIMEOUT_MS } = {}) {
      try {
        return await link.call(`/sluice.v1.AdminService/${method}`, request, {
          metadata: { authorization: `Bearer ${token}` },
          timeoutMs,
        })
      } catch (error) {
        throw explain(error, address)
      }
    },
    close: () => link.close(),
  }
}

function explain(error: unknown, address: string): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'unavailable' && error.detail === undefined) {
    return new AppError('unavailable', `no worker answers at ${address} (GRPC_HOST, GRPC_PORT)`)
  }
  if (error.code === 'unauthenticated') {
    return new AppError('unauthenticated', `the worker at ${address} has another operator token`)
  }
  if (error.code === 'deadline_exceeded' && error.detail === undefined) {
    return new AppError('deadline_exceeded', `the worker at ${address} has not answered in time`)
  }
  const { detail } = error
  return detail === undefined ? error : new AppError(error.code, detail.detail, { detail })
}
