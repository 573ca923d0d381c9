/** The processor time of this thread, which does not grow while the thread waits for a processor. */
import { openSync, readSync } from 'node:fs'
import type { Clock } from '../../core/clock.ts'

/** Milliseconds since some moment. */
export type CpuTime = () => number

/** Linux: nanoseconds on a processor, nanoseconds of waiting, turns. */
const SCHEDSTAT = '/proc/thread-self/schedstat'
const SCHEDSTAT_BYTES_MAX = 64
const NS_PER_MS = 1e6

/** Newer versions of Node.js have it, everywhere. */
type ThreadCpuUsage = () => { readonly user: number; readonly system: number }

/**
 * CPU time of the calling thread. Falls back to elapsed time when neither Node.js nor the system
 * has it.
 */
export function openCpuTime(clock: Clock): CpuTime {
  const usage: unknown = Reflect.get(process, 'threadCpuUsage')
  if (typeof usage === 'function') {
    // Node's types of the oldest version that we run on do not know it.
    const read = usage as ThreadCpuUsage
    return () => {
      const { user, system } = read.call(process)
      return (user + system) / 1_000
    }
  }
  return openSchedstat() ?? (() => clock.monotonic())
}

function openSchedstat(): CpuTime | undefined {
  try {
    // Open for as long as the thread lives: each read gives current figures.
    const file = openSync(SCHEDSTAT, 'r')
    const bytes = Buffer.alloc(SCHEDSTAT_BYTES_MAX)
    const read = () => {
      const length = readSync(file, bytes, 0, bytes.length, 0)
      return Number.parseInt(bytes.toString('latin1', 0, length), 10) / NS_PER_MS
    }
    // A kernel may have the file and count nothing.
    return read() > 0 ? read : undefined
  } catch {
    return undefined // Another system than Linux.
  }
}
