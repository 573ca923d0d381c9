/** Detects stalls of the machine itself, whose failures say nothing about the product. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../support/until.ts'
import type { Attempt, Span } from './journal.ts'

export type MachineWatch = {
  /** Spans in which no process ran, or the disk accepted nothing; the last may be open. */
  readonly standstills: readonly Span[]
  stop(): Promise<void>
}

/** Longer than pauses of a working machine, shorter than leases and deadlines can outlast. */
export const STANDSTILL_MS = 1_000
/** Time after a stall in which expired leases are renewed and all clients return at once. */
export const SETTLE_MS = 10_000
const TICK_MS = 50
const PROBE_MS = 250

/** Watches the clock, and syncs a byte of a file to the disk, all the time. */
export async function watchMachine(): Promise<MachineWatch> {
  const standstills: { from: number; to: number }[] = []
  let isStopped = false
  const directory = await mkdtemp(join(tmpdir(), 'sluice-test-'))
  const file = await open(join(directory, 'standstill'), 'w')
  const watchClock = async () => {
    let last = performance.now()
    while (!isStopped) {
      await pause(TICK_MS)
      const now = performance.now()
      if (now - last >= STANDSTILL_MS) standstills.push({ from: last, to: now })
      last = now
    }
  }
  const watchDisk = async () => {
    while (!isStopped) {
      const span = { from: performance.now(), to: Number.POSITIVE_INFINITY }
      const timer = setTimeout(() => standstills.push(span), STANDSTILL_MS)
      await file.write('.', 0)
      await file.datasync()
      clearTimeout(timer)
      span.to = performance.now()
      await pause(PROBE_MS)
    }
    await file.close()
    await rm(directory, { recursive: true })
  }
  const loops = Promise.all([watchClock(), watchDisk()])
  return {
    standstills,
    async stop() {
      isStopped = true
      await loops
    },
  }
}

/** True when the attempt overlaps a stall, or began before the time to settle was over. */
export function isExcused(
  { sentAt, endedAt }: Pick<Attempt, 'sentAt' | 'endedAt'>,
  standstills: readonly Span[],
): boolean {
  return standstills.some(({ from, to }) => endedAt >= from && sentAt < to + SETTLE_MS)
}
