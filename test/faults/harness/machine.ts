/** When the machine itself stood still: what failed then says nothing of the product. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../support/until.ts'
import type { Attempt, Span } from './journal.ts'

export type MachineWatch = {
  /** Spans of the load's time in which nothing ran, or the disk took nothing; the last may be open. */
  readonly standstills: readonly Span[]
  stop(): Promise<void>
}

/** Longer than any pause of a machine at work, shorter than what a lease or a deadline outlasts. */
export const STANDSTILL_MS = 1_000
/** Leases that ran out meanwhile are taken anew, and clients come back at once. */
export const SETTLE_MS = 10_000
const TICK_MS = 50
const PROBE_MS = 250

/** Looks at the clock, and has a byte of a file brought to the disk, all the time. */
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

/** True when the attempt was under way in a standstill, or began before all had settled again. */
export function isExcused(
  { sentAt, endedAt }: Pick<Attempt, 'sentAt' | 'endedAt'>,
  standstills: readonly Span[],
): boolean {
  return standstills.some(({ from, to }) => endedAt >= from && sentAt < to + SETTLE_MS)
}
