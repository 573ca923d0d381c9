import { hostname } from 'node:os'

/** Machine, id and start of this process, for finding it on its machine. */
export function thisProcess(): { host: string; pid: number; startedMs: number } {
  const { pid } = process
  return { host: hostname(), pid, startedMs: Math.round(performance.timeOrigin) }
}
