/** Longest turns of a process's event loop, as `loop-probe.mjs` has written them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'

const PROBE = join(packageRoot, 'test', 'support', 'loop-probe.mjs')

/** Environment that makes a process report its event loop. */
export function probeSettings(file: string): Record<string, string> {
  writeFileSync(file, '')
  return { SLUICE_LOOP_PROBE: file, NODE_OPTIONS: `--import=${PROBE}` }
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
