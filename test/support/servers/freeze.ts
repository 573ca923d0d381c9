/** Freezes processes. */
import { readdirSync, readFileSync } from 'node:fs'

/** Stops a process where it is, and returns once none of its threads runs any more. */
export function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  while (!isStopped(pid));
}

/** The state follows the name, which ends with the last parenthesis. */
function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return 'TtZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))
  })
}
