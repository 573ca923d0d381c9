/** Types of `schedule.mjs`. */
export type Job = { readonly weight: number; readonly run: () => Promise<unknown> }

export function runJobs(jobs: readonly Job[], capacity: number): Promise<void>
