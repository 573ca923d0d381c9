/** How long a process under test held its event loop, as `loop-probe.mjs` has written it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'

const PROBE = join(packageRoot, 'test', 'support', 'loop-probe.mjs')

/** What a process is started with, so that it is watched. */
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
