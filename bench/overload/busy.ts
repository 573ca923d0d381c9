/** Takes processors away from what is measured. */
import { spawn } from 'node:child_process'

/** Starts processes that compute until the returned function is called. */
export function besideProcesses(count: number): () => void {
  const busy = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  )
  return () => {
    for (const child of busy) child.kill('SIGKILL')
  }
}
