/** The plan of a bench: workload, load model, times and bounds. */
import type { LoadModel } from '../load-run.ts'
import type { ProcessGroup } from '../machine/process-usage.ts'
import type { Threshold } from '../report/threshold.ts'
import type { BenchProject } from '../workload/management-api.ts'
import type { ManagementRoute } from '../workload/management-source.ts'
import { MIX_KINDS, type Mix, type MixKind } from '../workload/mixed-source.ts'
import type { EventShape } from '../workload/payload.ts'
import type { UuidVersion } from '../workload/uuid-writer.ts'

/** The requests, the part of a plan that differs between the benches. */
export type Workload = SimpleWorkload | MixedWorkload

/** Requests of one kind. */
export type SimpleWorkload = EventWorkload | DecideWorkload | ManagementWorkload

export type EventWorkload = {
  readonly kind: 'capture' | 'batch'
  /** 1 for `capture`. */
  readonly batch: number
  readonly properties: number
  readonly valueBytes: number
  /** `properties` and `valueBytes` are for `plain` events. */
  readonly shape: EventShape
  readonly gzipShare: number
  readonly uuidVersion: UuidVersion
}

export type DecideWorkload = {
  readonly kind: 'decide'
  /** `hot`: each id was asked before. `cold`: no id was. */
  readonly mode: 'hot' | 'cold'
  /** Created before the run where a project's management API is known. */
  readonly flags: number
}

export type ManagementWorkload = {
  readonly kind: 'management'
  readonly route: ManagementRoute
  /** Stored before the run, unless they are there. */
  readonly events: number
}

/** All kinds in one load. `batch` is the size of its batches. */
export type MixedWorkload = Omit<EventWorkload, 'kind'> &
  Omit<DecideWorkload, 'kind'> &
  Omit<ManagementWorkload, 'kind'> & { readonly kind: 'mixed'; readonly mix: Mix }

/** The kinds that a mix gives a share. */
export function partsOf(mixed: MixedWorkload): { share: number; workload: SimpleWorkload }[] {
  const workloads: Readonly<Record<MixKind, SimpleWorkload>> = {
    capture: { ...mixed, kind: 'capture', batch: 1 },
    batch: { ...mixed, kind: 'batch' },
    decide: { ...mixed, kind: 'decide' },
    management: { ...mixed, kind: 'management' },
  }
  return MIX_KINDS.filter((kind) => mixed.mix[kind] > 0).map((kind) => ({
    share: mixed.mix[kind],
    workload: workloads[kind],
  }))
}

/** All settings of a bench. */
export type BenchPlan = {
  readonly workload: Workload
  /** `http://host:port`. */
  readonly url: string
  readonly projects: readonly BenchProject[]
  readonly databaseUrl: string | undefined
  readonly model: LoadModel
  /** Arrival rates that are measured one after the other in an open model, in place of `runs`. */
  readonly ramp?: readonly number[]
  readonly connections: number
  readonly warmupMs: number
  readonly durationMs: number
  readonly runs: number
  readonly timeoutMs: number
  readonly backlogMax: number
  readonly distinctIds: number
  readonly zipfExponent: number | undefined
  readonly seed: number
  /** Closed model: the interval between requests of a client that would not wait for answers. */
  readonly expectedIntervalMs: number | undefined
  readonly thresholds: readonly Threshold[]
  /** False skips the count of stored events. */
  readonly readBack: boolean
  /** Longest wait for accepted events to be stored, after the last run. */
  readonly drainMs: number
  readonly groups: readonly ProcessGroup[]
  /** All settings for the report, without secrets. */
  readonly settings: Readonly<Record<string, unknown>>
}
