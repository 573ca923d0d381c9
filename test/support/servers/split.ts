/** Starts a worker and a gateway as processes. */
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { startNats } from './nats-server.ts'
import { type ProductProcess, type Settings, startProcess, testFolder } from './product.ts'

export type Split = {
  readonly url: string
  readonly projectKey: string
  readonly personalKey: string
  readonly token: string
  /** host:port of the worker's gRPC. */
  readonly grpcAddress: string
  readonly worker: ProductProcess
  readonly gateway: ProductProcess
}

/** A worker and a gateway as two processes over real gRPC and NATS; ended after the test. */
export async function startSplit(
  t: Test,
  databaseUrl: string,
  more: Settings = {},
): Promise<Split> {
  const token = randomBytes(24).toString('base64url')
  const projectKey = `phc_${randomBytes(24).toString('base64url')}`
  const personalKey = `phx_${randomBytes(24).toString('base64url')}`
  const nats = await startNats(t)
  const shared = {
    OPERATOR_TOKEN: token,
    NATS_URL: nats.url,
    ADMIN_PORT: '0',
    DATA_DIR: testFolder(t),
    ...more,
  }
  const worker = await startProcess('worker', {
    ...shared,
    DATABASE_URL: databaseUrl,
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    BOOTSTRAP_EMAIL: 'owner@example.com',
    BOOTSTRAP_PROJECT_API_KEY: projectKey,
    BOOTSTRAP_PERSONAL_API_KEY: personalKey,
  })
  t.teardown(() => end(worker))
  const grpcAddress = `127.0.0.1:${worker.ports.grpc}`
  const gateway = await startProcess('gateway', {
    ...shared,
    HOST: '127.0.0.1',
    PORT: '0',
  })
  t.teardown(() => end(gateway))
  const url = `http://127.0.0.1:${gateway.ports.http}`
  return { url, projectKey, personalKey, token, grpcAddress, worker, gateway }
}

async function end(process: ProductProcess): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
}
