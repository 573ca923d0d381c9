/**
 * A real Postgres for one test file: a copy of a data folder that initdb has made once per machine,
 * so that it starts in a fraction of a second. Unlike the product's it is not supervised: a test
 * that kills it decides when it comes back.
 */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { chooseAccount } from '../../../src/store/embedded/account.ts'
import { findBinaries } from '../../../src/store/embedded/binaries.ts'
import {
  type DataFolder,
  POSTGRES_USER,
  prepareDataFolder,
  writeSettings,
} from '../../../src/store/embedded/data-folder.ts'
import { clearLeftovers, processesIn } from '../../../src/store/embedded/leftovers.ts'
import {
  POSTGRES_PORT,
  type Postmaster,
  startPostmaster,
} from '../../../src/store/embedded/postmaster.ts'
import { POSTGRES_SETTINGS } from '../../../src/store/embedded/settings.ts'
import { socketFolder } from '../../../src/store/embedded/socket-folder.ts'
import type { Connection } from '../../../src/store/pool/connect.ts'

export type TestPostgres = {
  readonly folder: string
  connection(database: string): Connection
  url(database: string): string
  pid(): number | undefined
  /** Resolves when no process of it is left; nothing restarts it. */
  kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT' | 'SIGTERM'): Promise<void>
  /** Starts it again on the same data and socket, after ending what is left. */
  restart(): Promise<void>
  /** Stops every process where it is, connections stay open: a server that hangs. */
  freeze(): Promise<void>
  resume(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

export type TestPostgresOptions = {
  /** Off unless asked for: a test's data need not survive a power cut. */
  readonly fsync?: boolean
}

const PREFIX = 'sluice-test-pg-'
const INITDB_ARGS = ['--no-sync', '--wal-segsize=1']

export async function startTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  await sweep()
  const home = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  const data = await copyOfTemplate(home)
  const durable = options.fsync === true ? {} : { fsync: 'off', full_page_writes: 'off' }
  const sockets = await socketFolder(data.folder)
  const at = { host: sockets.path, port: POSTGRES_PORT, user: POSTGRES_USER }
  let postmaster: Postmaster | undefined

  const restart = async () => {
    await clearLeftovers(data.folder, { clock, log })
    await writeSettings(data, { ...POSTGRES_SETTINGS, ...SMALL, ...durable })
    const signal = new AbortController().signal
    postmaster = await startPostmaster(data, { clock, write: () => {} }, signal)
  }
  const signalAll = async (signal: NodeJS.Signals) => {
    for (const pid of await processesIn(data.folder)) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // Its backends come and go: one that ended since it was listed needs no signal.
        const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH'
        if (!hasEnded) throw error
      }
    }
  }
  const kill = async (signal: NodeJS.Signals) => {
    const killed = postmaster
    postmaster = undefined
    if (killed === undefined) return
    process.kill(killed.pid, signal)
    await killed.exited
    await clearLeftovers(data.folder, { clock, log })
  }
  const onExit = () => {
    if (postmaster !== undefined) process.kill(postmaster.pid, 'SIGQUIT')
  }
  process.on('exit', onExit)
  await restart()
  return {
    folder: data.folder,
    connection: (database) => ({ ...at, database }),
    url: (database) =>
      `postgresql:///${database}?host=${encodeURIComponent(at.host)}&user=${POSTGRES_USER}`,
    pid: () => postmaster?.pid,
    kill,
    restart,
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    remove: async () => {
      await signalAll('SIGCONT')
      await kill('SIGQUIT')
      process.off('exit', onExit)
      await sockets.remove()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Several of these run at a time on a small machine. */
const SMALL = { shared_buffers: '32MB', max_wal_size: '256MB', min_wal_size: '8MB' }

/**
 * Puts a ready data folder into `dataDir` for the product to find, which spares the wait for initdb.
 */
export async function seedDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await copyOfTemplate(dataDir)
}

async function copyOfTemplate(home: string): Promise<DataFolder> {
  const template = await findTemplate()
  const folder = join(home, 'postgres')
  await promisify(execFile)('cp', ['-a', template.folder, folder])
  return { ...template, folder }
}

/** Made beside its place and renamed: files that start together agree on one. */
async function findTemplate(): Promise<DataFolder> {
  const uid = process.getuid?.() ?? 0
  const account = await chooseAccount('/nonexistent')
  const binaries = await findBinaries(account, tmpdir(), log)
  const place = join(tmpdir(), `${PREFIX}template-${binaries.major}-${uid}`)
  const data = { account, binaries, folder: join(place, 'postgres') }
  if (await isOurs(place, uid)) return data
  const staging = await mkdtemp(`${place}.`)
  await chmod(staging, 0o700)
  await prepareDataFolder(
    { ...data, folder: join(staging, 'postgres') },
    { initdbArgs: INITDB_ARGS },
  )
  await rename(staging, place).catch(async (error: unknown) => {
    await rm(staging, { recursive: true, force: true })
    if (!(await isOurs(place, uid))) throw error // Another file of this run was not faster.
  })
  return data
}

async function isOurs(folder: string, uid: number): Promise<boolean> {
  const entry = await stat(folder).catch(() => undefined) // Missing: not ours yet.
  return entry !== undefined && entry.uid === uid && (entry.mode & 0o022) === 0
}

/** Removes what test files that were killed have left behind. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = /^sluice-test-pg-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const home = join(tmpdir(), name)
    try {
      await clearLeftovers(join(home, 'postgres'), { clock, log })
      await rm(home, { recursive: true, force: true })
    } catch {
      // Another user's, or being swept by another test file.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
