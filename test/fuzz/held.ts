/** Reads what `loop-probe.mjs` has written of one process. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'

const PROBE = join(packageRoot, 'test', 'fuzz', 'loop-probe.mjs')

/** Milliseconds of processor time that one turn of the event loop may take, a slow machine's too. */
export const HELD_MS_MAX = 250
/** Memory that a process may have: three times of what it has after a good load. */
export const MEMORY_BYTES_MAX = 1_200_000_000

/** What a process is started with, so that it is watched. */
export function probeSettings(file: string): Record<string, string> {
  writeFileSync(file, '')
  return { SLUICE_FUZZ_PROBE: file, NODE_OPTIONS: `--import=${PROBE}` }
}

/** Answers the longest turn of a process since the last call, in milliseconds; 0 for short ones. */
export function heldReader(file: string, pid: number): () => number {
  let read = 0
  return () => {
    const text = readFileSync(file, 'latin1')
    const lines = text.slice(read).split('\n')
    read = text.length
    const own = lines.map((line) => line.split(' ')).filter(([of]) => of === String(pid))
    return Math.max(0, ...own.map(([, ms]) => Number(ms)))
  }
}

/** Bytes of memory that a process has in use; 0 when it has ended. */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  } catch {
    return 0 // It has ended, which is seen elsewhere.
  }
}
