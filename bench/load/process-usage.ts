import { readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../../src/core/clock.ts'

/** Processes measured as one: the pids are asked for anew each time, as backends come and go. */
export type ProcessGroup = { readonly name: string; pids(): readonly number[] }

export type GroupUsage = {
  readonly name: string
  /** Of one core, over the phase. */
  readonly cpuPercent: number
  /** Resident memory; pages shared inside the group are counted once. */
  readonly rssMbStart: number
  readonly rssMbPeak: number
}

type Stat = { readonly parent: number; readonly cpuTicks: number }

/** Linux counts CPU time for user space in hundredths of a second on every architecture. */
const TICKS_PER_S = 100
const PAGE_BYTES = 4096
/** Reading /proc holds the generator up for a millisecond or two: not often. */
const SAMPLE_MS = 5_000

export function pidGroup(name: string, pid: number): ProcessGroup {
  return { name, pids: () => [pid] }
}

/** What `rootPid` answers and all that it started; nothing while it answers `undefined`. */
export function treeGroup(name: string, rootPid: () => number | undefined): ProcessGroup {
  return {
    name,
    pids: () => {
      const pid = rootPid()
      return pid === undefined ? [] : descendants(pid)
    },
  }
}

/** Samples now and then until `stop`. Processes that are gone count with what was last seen. */
export function watchGroups(
  clock: Clock,
  groups: readonly ProcessGroup[],
): { stop(): Promise<GroupUsage[]> } {
  const startedAt = clock.monotonic()
  const watched = groups.map((group) => new WatchedGroup(group))
  const stop = new AbortController()
  const loop = async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(SAMPLE_MS, stop.signal).catch(() => {
        // Woken by the abort: the last sample follows.
      })
      for (const group of watched) group.sample()
    }
  }
  const ended = loop()
  return {
    stop: async () => {
      stop.abort()
      await ended
      const seconds = (clock.monotonic() - startedAt) / 1000
      return watched.map((group) => group.usage(seconds))
    },
  }
}

class WatchedGroup {
  readonly #group: ProcessGroup
  /** CPU ticks of each pid at the start (0 for later ones) and when last seen. */
  readonly #first = new Map<number, number>()
  readonly #last = new Map<number, number>()
  #rssStart = 0
  #rssPeak = 0

  constructor(group: ProcessGroup) {
    this.#group = group
    this.sample()
    for (const [pid, ticks] of this.#last) this.#first.set(pid, ticks)
    this.#rssStart = this.#rssPeak
  }

  sample(): void {
    const pids = this.#group.pids()
    for (const pid of pids) {
      const stat = readStat(pid)
      if (stat !== undefined) this.#last.set(pid, stat.cpuTicks)
    }
    this.#rssPeak = Math.max(this.#rssPeak, groupRssMb(pids))
  }

  usage(seconds: number): GroupUsage {
    let ticks = 0
    for (const [pid, last] of this.#last) ticks += last - (this.#first.get(pid) ?? 0)
    return {
      name: this.#group.name,
      cpuPercent: (ticks / TICKS_PER_S / seconds) * 100,
      rssMbStart: this.#rssStart,
      rssMbPeak: this.#rssPeak,
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
