/** State that all processes of a run share, and the ids and logs of processes. */
import type { Log } from '../../src/core/log.ts'
import type { Ledger } from './ledger.ts'
import type { Mutant } from './mutant.ts'
import type { SimNats } from './nats.ts'
import type { Network } from './network.ts'
import type { SimPostgres } from './postgres.ts'
import type { SimProcess, Simulation } from './simulation.ts'

/** State that all processes of a run share. */
export type Site = {
  readonly sim: Simulation
  readonly network: Network
  readonly pg: SimPostgres
  readonly nats: SimNats
  readonly ledger: Ledger
  readonly mutant: Mutant
  /** The bytes that the writer of a worker may queue. */
  readonly writerBytesMax: number
  /** The chance that a process is killed at each failpoint it reaches. */
  crashAtFailpoint: number
  /** Chance that a worker freezes when it begins a change, and for how long. */
  stallInChange: number
  stallMs: number
  /** Share of changes that take long, and the longest time. */
  slowChanges: number
  slowChangeMs: number
}

/** Ids of processes, in the form of a UUID. */
export function idOf(process: SimProcess): string {
  const host = [...process.host].map((char) => char.charCodeAt(0).toString(16)).join('')
  return `${process.number.toString(16).padStart(8, '0')}-0000-4000-8000-${host.padStart(12, '0')}`
}

export function hostOf(address: string): string {
  return address.split(':')[0] ?? ''
}

/** The log of one process, as lines of the trace. An entry that shows a defect ends the run. */
export function logOf(sim: Simulation, process: SimProcess): Log {
  const write = (level: string) => (message: string, fields?: object) =>
    sim.note(() => {
      const { error, ...rest } = (fields ?? {}) as { error?: unknown }
      const why = error instanceof Error ? ` (${error.message})` : ''
      return `${process.name} ${level} ${message}${why} ${JSON.stringify(rest)}`
    })
  const log: Log = {
    debug: () => {},
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  }
  return log
}
