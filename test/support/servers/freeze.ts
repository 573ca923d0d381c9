/** Freezes processes. */
import { readdirSync, readFileSync } from 'node:fs'

/** Freezes a process, and returns once none of its threads runs any more. */
export function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  while (!isStopped(pid));
}

/** The state follows the name, which ends with the last parenthesis. */
function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = statOf(`/proc/${pid}/task/${thread}/stat`)
    return stat === undefined || 'TtZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))
  })
}

/** `undefined` for a thread that has ended since it was listed. */
function statOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error
    if (isGone && (error.code === 'ENOENT' || error.code === 'ESRCH')) return undefined
    throw error
  }
}
