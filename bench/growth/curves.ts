/** The dimensions that can grow, their steps, and the load at each step. */
import type { Workload } from '../load/plan/plan.ts'
import { WORKLOADS } from '../load/single-run.ts'

export const EVENT_WORKS = ['capture', 'batch'] as const
export type EventWork = (typeof EVENT_WORKS)[number]

/** One table. Each step is one start of the product and one run. */
export type Curve = {
  readonly title: string
  readonly each: 'event' | 'request'
  setup(step: number): Setup
}

/** The product, and its load. */
export type Setup = {
  readonly workload: Workload
  readonly workers: number
  readonly projects: number
  /** Distinct ids of each project. */
  readonly distinctIds: number
}

export type Dimension = {
  /** Default for `--steps`. */
  readonly steps: readonly number[]
  readonly work: EventWork
  /** Distinct ids of all projects together. */
  readonly distinctIds: number
  curves(work: EventWork, distinctIds: number): readonly Curve[]
}

/** Enough projects that every worker owns shards of some. */
const PROJECTS_OF_WORKERS = 64

export const DIMENSIONS = {
  projects: {
    steps: [10, 100, 1_000, 10_000],
    work: 'capture',
    distinctIds: 100_000,
    // The number of persons stays the same at every step; otherwise persons would grow too.
    curves: eventCurve((projects, distinctIds) => ({
      projects,
      distinctIds: Math.ceil(distinctIds / projects),
    })),
  },
  flags: {
    steps: [20, 50, 100, 200, 500, 1_000],
    work: 'capture',
    distinctIds: 10_000,
    curves: (_work, distinctIds) =>
      (['hot', 'cold'] as const).map((mode) => ({
        title: `decide, ${mode}`,
        each: 'request',
        setup: (flags) => ({
          workload: { ...WORKLOADS.decide, mode, flags },
          workers: 1,
          projects: 1,
          distinctIds,
        }),
      })),
  },
  properties: {
    steps: [5, 10, 20, 50, 100, 200],
    work: 'capture',
    distinctIds: 100_000,
    curves: eventCurve((properties) => ({ properties })),
  },
  ids: {
    steps: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    work: 'batch',
    distinctIds: 0, // Replaced by each step.
    curves: eventCurve((distinctIds) => ({ distinctIds })),
  },
  workers: {
    steps: [1, 2, 3, 4],
    work: 'capture',
    distinctIds: 100_000,
    curves: eventCurve((workers, distinctIds) => ({
      workers,
      projects: PROJECTS_OF_WORKERS,
      distinctIds: Math.ceil(distinctIds / PROJECTS_OF_WORKERS),
    })),
  },
} as const satisfies Readonly<Record<string, Dimension>>

type EventSetup = Partial<Omit<Setup, 'workload'>> & { readonly properties?: number }

function eventCurve(
  at: (step: number, distinctIds: number) => EventSetup,
): (work: EventWork, distinctIds: number) => readonly Curve[] {
  return (work, distinctIds) => [
    {
      title: work === 'capture' ? 'captures' : `batches of ${WORKLOADS.batch.batch}`,
      each: 'event',
      setup: (step) => {
        const { properties = WORKLOADS[work].properties, ...setup } = at(step, distinctIds)
        const workload = { ...WORKLOADS[work], properties }
        return { workers: 1, projects: 1, distinctIds, ...setup, workload }
      },
    },
  ]
}
