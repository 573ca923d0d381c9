/** Threads and processes that let others have the processors. */
import { writeFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import type { Clock } from './clock.ts'

/** Nice value: beside a thread of the usual priority, a thread gets a tenth of a processor. */
export const YIELDING_PRIORITY = 10

/**
 * Lowers the priority of the calling thread, for good: its computations then wait for event loops,
 * not the reverse. Does nothing on systems other than Linux, which alone has priorities of threads:
 * it would lower the whole process.
 */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(loweredFrom(getPriority()))
  } catch {
    // A sandbox of the system may forbid it: the thread then works as it is.
  }
}

/** The system lets an ordinary user change one group each 100 ms. */
const GROUP_PAUSE_MS = 110
const GROUP_ATTEMPTS = 20

/**
 * Lowers the priority of a process with one thread, for good. Linux shares the processors out
 * between sessions first where `sched_autogroup_enabled` is on, and a process that leads a session
 * of its own then needs the session's priority lowered too: see `sched(7)`. Does nothing on other
 * systems, and when the process has ended.
 * @throws {Error} of the system: EPERM or EACCES when it is another user's.
 */
export async function yieldProcessorOf(pid: number, clock: Clock): Promise<void> {
  if (process.platform !== 'linux') return
  try {
    setPriority(pid, loweredFrom(getPriority(pid)))
  } catch (error) {
    if (isNoProcess(error)) return
    throw error
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Opened without the flag that creates: a system without such groups has no such file.
      await writeFile(`/proc/${pid}/autogroup`, String(YIELDING_PRIORITY), { flag: 'r+' })
      return
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return
      if (codeOf(error) !== 'EAGAIN' || attempt === GROUP_ATTEMPTS) throw error
      await clock.sleep(GROUP_PAUSE_MS)
    }
  }
}

/** A product that was itself started with a low priority keeps it. */
function loweredFrom(priority: number): number {
  return Math.max(priority, YIELDING_PRIORITY)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Node gives the system's code of a priority apart. */
function isNoProcess(error: unknown): boolean {
  const info = error instanceof Error && 'info' in error ? error.info : undefined
  return typeof info === 'object' && info !== null && 'code' in info && info.code === 'ESRCH'
}
