/** Starts a worker and a gateway as processes. */
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { until } from '../until.ts'
import { startNats } from './nats-server.ts'
import {
  type ProductProcess,
  request,
  type Settings,
  served,
  startProcess,
  testFolder,
} from './product.ts'

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

/**
 * A worker and a gateway as two processes over real gRPC and NATS; ended after the test. The gateway
 * hears the worker, which owns every shard: nothing has to wait for them any more.
 */
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
  await Promise.all([served(gateway.ports.admin), ownsAll(worker.ports.admin)])
  return { url, projectKey, personalKey, token, grpcAddress, worker, gateway }
}

async function ownsAll(adminPort: number): Promise<void> {
  await until('the worker owns every shard', async () => {
    const { body } = await request(`http://127.0.0.1:${adminPort}/metrics`)
    return /^sluice_shards_held 256$/m.test(String(body))
  })
}

async function end(process: ProductProcess): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
}
