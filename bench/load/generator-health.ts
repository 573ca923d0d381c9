/** Checks whether the load generator was too slow for its figures to count. */
import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import { TICK_LATE_MS } from './schedule.ts'

/** The load of the generator itself. A saturated generator measures only itself. */
export type GeneratorHealth = {
  /** Share of one core; above 100 when helper threads were busy too. */
  readonly cpuPercent: number
  /** The share of time, from 0 to 1, in which the event loop did not wait. */
  readonly loopUtilization: number
  /** Delay of the event loop beyond its sampling interval, ms. */
  readonly loopLagMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** Pauses of the garbage collector. */
  readonly gc: { readonly count: number; readonly totalMs: number; readonly maxMs: number }
  /** Resident memory at the end. */
  readonly rssMb: number
}

const CPU_PERCENT_MAX = 90
const MISSED_SHARE_MAX = 0.01
const LAG_RESOLUTION_MS = 10

/** Measures from the call until `stop`. */
export function watchGenerator(): { stop(): GeneratorHealth } {
  const delay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  delay.enable()
  const pauses = watchPauses()
  const cpu = process.cpuUsage()
  const loop = performance.eventLoopUtilization()
  const startedAt = performance.now()
  return {
    stop: () => {
      delay.disable()
      const used = process.cpuUsage(cpu)
      const elapsedMs = performance.now() - startedAt
      const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - LAG_RESOLUTION_MS)
      return {
        cpuPercent: (used.user + used.system) / 10 / elapsedMs,
        loopUtilization: performance.eventLoopUtilization(loop).utilization,
        loopLagMs: {
          p50: lag(delay.percentile(50)),
          p99: lag(delay.percentile(99)),
          max: lag(delay.max),
        },
        gc: pauses.stop(),
        rssMb: process.memoryUsage.rss() / 1_048_576,
      }
    },
  }
}

function watchPauses(): { stop(): GeneratorHealth['gc'] } {
  const gc = { count: 0, totalMs: 0, maxMs: 0 }
  const add = (entries: readonly { readonly duration: number }[]) => {
    for (const { duration } of entries) {
      gc.count++
      gc.totalMs += duration
      gc.maxMs = Math.max(gc.maxMs, duration)
    }
  }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  return {
    stop: () => {
      add(observer.takeRecords())
      observer.disconnect()
      return gc
    },
  }
}

/** Why the figures describe the generator and not the server; undefined when they do not. */
export function saturation(
  health: Pick<GeneratorHealth, 'cpuPercent'>,
  open: { readonly arrivals: number; readonly missedTicks: number } | undefined,
): string | undefined {
  if (health.cpuPercent > CPU_PERCENT_MAX) {
    return `generator used ${Math.round(health.cpuPercent)} % of a core`
  }
  if (open !== undefined && open.missedTicks > open.arrivals * MISSED_SHARE_MAX) {
    const share = ((open.missedTicks / open.arrivals) * 100).toFixed(1)
    return `generator was over ${TICK_LATE_MS} ms late for ${share} % of the schedule`
  }
  return undefined
}
