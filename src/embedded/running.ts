/** Finds a Postgres that another process of Sluice runs. */
import { join, resolve } from 'node:path'
import { AppError } from '../core/code.ts'
import type { Connection } from '../postgres/connect.ts'
import { unixEndpoint } from '../postgres/connection-url.ts'
import { dial, NO_TLS } from '../postgres/dial.ts'
import { dataMajor, POSTGRES_USER } from './data-folder.ts'
import { DATABASE } from './embedded-postgres.ts'
import { POSTGRES_PORT } from './postmaster.ts'
import { socketFolder } from './socket-folder.ts'

export type RunningPostgres = { readonly connection: Connection; release(): Promise<void> }

/** Whether a Postgres was ever made in a data directory. Reads only, and makes nothing. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  return (await dataMajor(join(resolve(dataDir), 'postgres'))) !== undefined
}

const DIAL_TIMEOUT_MS = 1_000

/**
 * The Postgres of a data directory that another process of Sluice runs; undefined when none does.
 * That process may end it at any time.
 * @throws {AppError} `failed_precondition` when it is another user's.
 */
export async function findRunningPostgres(dataDir: string): Promise<RunningPostgres | undefined> {
  const sockets = await socketFolder(join(resolve(dataDir), 'postgres'))
  try {
    const endpoint = unixEndpoint(sockets.path, POSTGRES_PORT)
    const socket = await dial(endpoint, NO_TLS, DIAL_TIMEOUT_MS)
    socket.destroy()
  } catch (error) {
    await sockets.remove()
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') return undefined
    const message = `cannot reach the Postgres of ${dataDir}`
    throw new AppError('failed_precondition', message, { cause: error })
  }
  return {
    connection: {
      host: sockets.path,
      port: POSTGRES_PORT,
      user: POSTGRES_USER,
      database: DATABASE,
    },
    release: () => sockets.remove(),
  }
}
