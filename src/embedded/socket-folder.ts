/** Finds a path to the socket of Postgres that is short enough for the kernel. */
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POSTGRES_PORT } from './postmaster.ts'

/** A socket's path has at most 104 (macOS) or 108 (Linux) bytes, the last of which is zero. */
const SOCKET_PATH_BYTES_MAX = 103

export type SocketFolder = { readonly path: string; remove(): Promise<void> }

/**
 * The folder to connect to: the data folder, or a short link to it when the socket's path is too
 * long. The link is in a folder that only we can read.
 */
export async function socketFolder(dataFolder: string): Promise<SocketFolder> {
  if (fits(dataFolder)) return { path: dataFolder, remove: async () => {} }
  const parent = fits(join(tmpdir(), 'sluice-XXXXXX', 'pg')) ? tmpdir() : '/tmp'
  const folder = await mkdtemp(join(parent, 'sluice-'))
  const path = join(folder, 'pg')
  await symlink(dataFolder, path)
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(`${folder}/.s.PGSQL.${POSTGRES_PORT}`) <= SOCKET_PATH_BYTES_MAX
}
