// Measures processor time as the kernel adds it up. On other systems than Linux, that of other processes is 0.
import { readFileSync } from 'node:fs'

/** The unit of `/proc/PID/stat`, on every Linux that Node runs on. */
const TICKS_PER_S = 100
/** Places of `cutime` and `cstime` after the name of the program, which may hold anything. */
const OF_CHILDREN = [13, 14]

/**
 * Measures this process with all its threads, unless `isOwn` is false, and the processes that it has waited
 * for, with those that they have waited for.
 */
export function processorClock({ isOwn = true } = {}) {
  const now = () => secondsOfChildren() + (isOwn ? ownSeconds() : 0)
  let last = now()
  return {
    /** Seconds, user and system, since the last call. */
    sinceLast() {
      const before = last
      last = now()
      return last - before
    },
  }
}

function ownSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function secondsOfChildren() {
  const stat = statOfProcess()
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return OF_CHILDREN.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) / TICKS_PER_S
}

function statOfProcess() {
  try {
    return readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return '' // Not Linux.
  }
}
