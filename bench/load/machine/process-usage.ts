/** Processor time and memory of groups of processes, read from `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../../../src/core/clock.ts'

/**
 * Processes that are measured as one. The pids are asked for each time, because backends come and
 * go.
 */
export type ProcessGroup = { readonly name: string; pids(): readonly number[] }

export type GroupUsage = {
  readonly name: string
  /** Share of one core, over the phase. */
  readonly cpuPercent: number
  /** Resident memory; pages shared inside the group are counted once. */
  readonly rssMbStart: number
  readonly rssMbPeak: number
}

/** Usage of one group in one second. */
export type SecondUsage = { readonly cpuPercent: number; readonly rssMb: number }

type Stat = { readonly parent: number; readonly cpuTicks: number }

/** Linux counts CPU time for user space in hundredths of a second on every architecture. */
const TICKS_PER_S = 100
const PAGE_BYTES = 4096
/** Sampling the known pids costs some 30 us each. */
const SAMPLE_MS = 1_000
/** Searching pids reads all of /proc, which delays the generator by a millisecond or two. */
const SAMPLES_PER_SEARCH = 5

export function pidGroup(name: string, pid: number): ProcessGroup {
  return { name, pids: () => [pid] }
}

/** The process `rootPid` and all its descendants; empty while `rootPid` returns `undefined`. */
export function treeGroup(name: string, rootPid: () => number | undefined): ProcessGroup {
  return {
    name,
    pids: () => {
      const pid = rootPid()
      return pid === undefined ? [] : descendants(pid)
    },
  }
}

export type WatchedUsage = GroupUsage & {
  /** Undefined for seconds in which the generator was too busy to sample. */
  readonly seconds: readonly (SecondUsage | undefined)[]
}

/** Samples each second until `stop`. A process that has ended counts with its last values. */
export function watchGroups(
  clock: Clock,
  groups: readonly ProcessGroup[],
): { stop(): Promise<WatchedUsage[]> } {
  const startedAt = clock.monotonic()
  const watched = groups.map((group) => new WatchedGroup(group))
  const stop = new AbortController()
  const elapsedMs = () => clock.monotonic() - startedAt
  const loop = async () => {
    for (let count = 1; !stop.signal.aborted; count++) {
      const untilNext = SAMPLE_MS - (elapsedMs() % SAMPLE_MS)
      await clock.sleep(untilNext, stop.signal).catch(() => {
        // Aborted: the last sample follows.
      })
      const search = stop.signal.aborted || count % SAMPLES_PER_SEARCH === 0
      for (const group of watched) group.sample(elapsedMs(), search)
    }
  }
  const ended = loop()
  return {
    stop: async () => {
      stop.abort()
      await ended
      return watched.map((group) => group.usage(elapsedMs() / 1000))
    },
  }
}

class WatchedGroup {
  readonly #group: ProcessGroup
  /** CPU ticks of each pid at the start (0 for later pids) and at the last sample. */
  readonly #first = new Map<number, number>()
  readonly #last = new Map<number, number>()
  readonly #rssMbStart: number
  #rssMbPeak = 0
  #pids: readonly number[] = []
  #sampledAtMs = 0
  #sampledTicks = 0
  /** Index 0 is the first second. */
  readonly #seconds: (SecondUsage | undefined)[] = []

  constructor(group: ProcessGroup) {
    this.#group = group
    this.#rssMbStart = this.#look(true)
    for (const [pid, ticks] of this.#last) this.#first.set(pid, ticks)
  }

  /** @param search whether to search new pids too. */
  sample(elapsedMs: number, search: boolean): void {
    const rssMb = this.#look(search)
    const ticks = this.#ticks()
    const seconds = (elapsedMs - this.#sampledAtMs) / 1000
    // Timers fire a little late: a sample belongs to the second that has just ended.
    const index = Math.max(0, Math.round(elapsedMs / SAMPLE_MS) - 1)
    if (index >= this.#seconds.length && seconds > 0) {
      const cpuPercent = ((ticks - this.#sampledTicks) / TICKS_PER_S / seconds) * 100
      while (this.#seconds.length < index) this.#seconds.push(undefined)
      this.#seconds.push({ cpuPercent, rssMb })
      this.#sampledAtMs = elapsedMs
      this.#sampledTicks = ticks
    }
  }

  #look(search: boolean): number {
    if (search) this.#pids = this.#group.pids()
    for (const pid of this.#pids) {
      const stat = readStat(pid)
      if (stat !== undefined) this.#last.set(pid, stat.cpuTicks)
    }
    const rssMb = groupRssMb(this.#pids)
    this.#rssMbPeak = Math.max(this.#rssMbPeak, rssMb)
    return rssMb
  }

  /** Ticks since the start. */
  #ticks(): number {
    let ticks = 0
    for (const [pid, last] of this.#last) ticks += last - (this.#first.get(pid) ?? 0)
    return ticks
  }

  usage(seconds: number): WatchedUsage {
    return {
      name: this.#group.name,
      cpuPercent: (this.#ticks() / TICKS_PER_S / seconds) * 100,
      rssMbStart: this.#rssMbStart,
      rssMbPeak: this.#rssMbPeak,
      seconds: this.#seconds,
    }
  }
}

function groupRssMb(pids: readonly number[]): number {
  let own = 0
  let shared = 0
  for (const pid of pids) {
    const [, resident, sharedPages] = (readProc(pid, 'statm') ?? '').split(' ').map(Number)
    if (resident === undefined || sharedPages === undefined) continue
    own += resident - sharedPages
    shared = Math.max(shared, sharedPages)
  }
  return ((own + shared) * PAGE_BYTES) / 1_048_576
}

function descendants(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    const stat = Number.isInteger(pid) ? readStat(pid) : undefined
    if (stat === undefined) continue
    const siblings = children.get(stat.parent)
    if (siblings === undefined) children.set(stat.parent, [pid])
    else siblings.push(pid)
  }
  const found = [root]
  for (let index = 0; index < found.length; index++) {
    found.push(...(children.get(found[index] ?? -1) ?? []))
  }
  return found
}

/** Undefined when the process is gone. The command before the last bracket may hold blanks. */
function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat')
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), cpuTicks: Number(fields[11]) + Number(fields[12]) }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined // The process has ended between two looks.
  }
}
