/** Bounds of a process under the fuzzer. */
import { readFileSync } from 'node:fs'

/** Milliseconds of processor time that one turn of the event loop may take, a slow machine's too. */
export const HELD_MS_MAX = 250
/** Memory that a process may have: three times of what it has after a good load. */
export const MEMORY_BYTES_MAX = 1_200_000_000

/** Bytes of memory that a process has in use; 0 when it has ended. */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  } catch {
    return 0 // It has ended, which its own watcher reports.
  }
}
