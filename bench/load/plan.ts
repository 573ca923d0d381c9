import type { LoadModel } from './load-run.ts'
import type { BenchProject } from './management-api.ts'
import type { ManagementRoute } from './management-source.ts'
import type { ProcessGroup } from './process-usage.ts'
import type { Threshold } from './threshold.ts'
import type { UuidVersion } from './uuid-writer.ts'

/** What is asked: the part of a plan that differs between the benches. */
export type Workload =
  | {
      readonly kind: 'capture' | 'batch'
      /** 1 for `capture`. */
      readonly batch: number
      readonly properties: number
      readonly valueBytes: number
      readonly webProperties: boolean
      readonly gzipShare: number
      readonly uuidVersion: UuidVersion
    }
  | {
      readonly kind: 'decide'
      /** `hot`: each id was asked before. `cold`: none was. */
      readonly mode: 'hot' | 'cold'
      /** Made before the run where a project's management API is known. */
      readonly flags: number
    }
  | {
      readonly kind: 'management'
      readonly route: ManagementRoute
      /** Stored before the run, unless they are there. */
      readonly events: number
    }

/** Everything a bench was told. */
export type BenchPlan = {
  readonly workload: Workload
  /** `http://host:port`. */
  readonly url: string
  readonly projects: readonly BenchProject[]
  readonly databaseUrl: string | undefined
  readonly model: LoadModel
  readonly connections: number
  readonly warmupMs: number
  readonly durationMs: number
  readonly runs: number
  readonly timeoutMs: number
  readonly backlogMax: number
  readonly distinctIds: number
  readonly zipfExponent: number | undefined
  readonly seed: number
  /** Closed model: interval between requests of a client that would not wait for answers. */
  readonly expectedIntervalMs: number | undefined
  readonly thresholds: readonly Threshold[]
  /** False leaves stored events uncounted even where they could be. */
  readonly readBack: boolean
  /** Longest wait for accepted events to be stored, after the last run. */
  readonly drainMs: number
  readonly groups: readonly ProcessGroup[]
  /** Everything worth repeating, for the report; without secrets. */
  readonly settings: Readonly<Record<string, unknown>>
}
