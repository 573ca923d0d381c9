/**
 * Lowers the priority of the server's processes that answer questions below those that store
 * events. Only if the server is reached by its Unix socket, and its process has the same id on this
 * machine: a container may share only the socket.
 */
import { readFile } from 'node:fs/promises'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { yieldProcessorOf } from '../core/yield-processor.ts'
import { failureCode } from './failures.ts'
import type { Session } from './session.ts'

export type YieldingBackends = {
  /** Lowers the priority of the process behind a session, soon. Never rejects. */
  lower(session: Session): Promise<void>
}

type Owner = { readonly user: string; readonly database: string }

export function createYieldingBackends(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  owner: Owner,
): YieldingBackends {
  let isLogged = false
  const logOnce = (error: unknown) => {
    if (!isLogged) log.info('queries keep the usual priority at the database', { error })
    isLogged = true
  }
  return {
    async lower(session) {
      try {
        const pid = await backendPid(session)
        if (!(await isBackend(pid, owner))) return
        // Not awaited: the system may ask for pauses.
        yieldProcessorOf(pid, clock).catch(logOnce)
      } catch (error) {
        // The session says so itself, or its process has ended just now.
        if (session.lost === undefined && failureCode(error) !== 'ENOENT') logOnce(error)
      }
    },
  }
}

async function backendPid(session: Session): Promise<number> {
  const [row] = await session.query<readonly { readonly pid: number }[]>({
    build: (driver) => driver<{ pid: number }[]>`select pg_backend_pid() as pid`,
  })
  return row?.pid ?? 0
}

/** Checks the title of the process: `postgres: user database [local] idle`. */
async function isBackend(pid: number, { user, database }: Owner): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8')
  return title.startsWith('postgres: ') && title.includes(`${user} ${database} [local]`)
}
