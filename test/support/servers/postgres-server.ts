/**
 * A real Postgres for one test file: a copy of a data folder that is made once, so that it starts in a fraction of a second. Unlike the product's it is not supervised: a test
 * that kills it decides when it comes back.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { POSTGRES_USER, writeSettings } from '../../../src/embedded/data-folder.ts'
import { clearLeftovers, processesIn } from '../../../src/embedded/leftovers.ts'
import {
  POSTGRES_PORT,
  type Postmaster,
  startPostmaster,
} from '../../../src/embedded/postmaster.ts'
import { socketFolder } from '../../../src/embedded/socket-folder.ts'
import type { Connection } from '../../../src/postgres/connect.ts'
import { diskFolder, ownFolder } from './folders.ts'
import { otherBinaries, settingsFor } from './other-postgres.ts'
import { copyOfTemplate, NOT_DURABLE, SMALL } from './postgres-template.ts'

export type TestPostgres = {
  readonly folder: string
  connection(database: string): Connection
  url(database: string): string
  pid(): number | undefined
  /** Resolves when no process of it is left; nothing restarts it. */
  kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT' | 'SIGTERM'): Promise<void>
  /** Starts it again on the same data and socket, after ending remaining processes. */
  restart(): Promise<void>
  /** Freezes every process, connections stay open: a server that hangs. */
  freeze(): Promise<void>
  resume(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

export type TestPostgresOptions = {
  /** Off by default: a test's data need not survive a power cut. */
  readonly fsync?: boolean
  /** More of its settings. */
  readonly settings?: Readonly<Record<string, string>>
}

const PREFIX = 'sluice-test-pg-'

export async function startTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  await sweep()
  const folder = options.fsync === true ? diskFolder() : ownFolder()
  const home = await mkdtemp(join(folder, `${PREFIX}${process.pid}-`))
  const other = await otherBinaries()
  // Older ones look for themselves by their whole path, with the rights of their account.
  if (other !== undefined) await chmod(home, 0o711)
  const data = await copyOfTemplate(home, other)
  const durable = options.fsync === true ? {} : NOT_DURABLE
  const sockets = await socketFolder(data.folder)
  const at = { host: sockets.path, port: POSTGRES_PORT, user: POSTGRES_USER }
  let postmaster: Postmaster | undefined

  const restart = async () => {
    await clearLeftovers(data.folder, { clock, log })
    const own = { ...SMALL, ...durable, ...options.settings }
    await writeSettings(data, { ...settingsFor(other), ...own })
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
    freeze: async () => {
      await signalAll('SIGSTOP')
      // A backend that was started while the others were listed is found now.
      await signalAll('SIGSTOP')
    },
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

/** Removes leftovers of killed test files. */
async function sweep(): Promise<void> {
  for (const name of await readdir(ownFolder())) {
    const pid = /^sluice-test-pg-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const home = join(ownFolder(), name)
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
