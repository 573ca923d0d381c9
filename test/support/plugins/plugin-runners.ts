/** The job and schedule runners of plugins, over a database and plugins that the test plays. */
import type { Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { createJobRunner } from '../../../src/plugins/jobs/job-runner.ts'
import type { Runner, RunnerDeps } from '../../../src/plugins/jobs/runner.ts'
import { createScheduleRunner } from '../../../src/plugins/jobs/schedule-runner.ts'
import type { CallAnswer } from '../../../src/plugins/ports.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { Schedule } from '../../../src/project/plugin-ports.ts'
import { createLogLines } from '../log-lines.ts'
import { loadedPlugin, type PluginRow } from './plugin-rows.ts'

export type RunCall = {
  readonly worker: string
  readonly config: number
  readonly name: string
  readonly payload: JsonObject
}

/** Plugins that answer the calls of every worker, and their records. */
export type RunnerWorld = {
  readonly calls: RunCall[]
  readonly said: { type: string; source: string; message: string }[]
  /** `<category> <outcome>`, once for each call. */
  readonly counted: string[]
  readonly errors: JsonObject[]
  /** Configs that no worker can load. */
  readonly unloadable: Set<number>
  answer: (call: RunCall) => Promise<CallAnswer>
}

export const OK: CallAnswer = { ok: true }

export function failure(message: string, isRetry = false): CallAnswer {
  const stack = `Error: ${message}\n    at index.ts:1`
  return { ok: false, error: { name: 'Error', message, stack, isRetry, isTimeout: false } }
}

/** The runners of workers over one database; those of a test end with it. */
export function createRunners(t: Test, sql: Sql, rows: readonly PluginRow[], clock?: Clock) {
  const world: RunnerWorld = {
    calls: [],
    said: [],
    counted: [],
    errors: [],
    unloadable: new Set(),
    answer: async () => OK,
  }
  const lines = createLogLines()
  const depsOf = (worker: string): RunnerDeps => ({
    sql,
    clock: clock ?? systemClock,
    log: lines.log,
    random: Math.random,
    records: {
      log: ({ type, source, message }) => world.said.push({ type, source, message }),
      count: (_config, category, outcome, calls) => {
        for (let call = 0; call < calls; call++) world.counted.push(`${category} ${outcome}`)
      },
    },
    states: {
      failed: async (_project, _step, { error }) => void world.errors.push(error),
    },
    runtime: {
      async use(_project, config, work) {
        const row = rows.find(({ configId }) => configId === config)
        if (row === undefined || world.unloadable.has(config)) return undefined
        const call = async (name: string, payload: JsonObject) => {
          const made = { worker, config, name, payload }
          world.calls.push(made)
          return await world.answer(made)
        }
        return await work(
          loadedPlugin(
            row,
            { runJob: call, runScheduled: (schedule: Schedule) => call(schedule, {}) },
            {
              succeeded() {},
              failed: (_category, { name, message }) => world.errors.push({ name, message }),
            },
          ),
        )
      },
    },
  })
  const start = (runner: Runner) => {
    const abort = new AbortController()
    const ended = runner.run(abort.signal)
    const stop = async () => {
      abort.abort()
      await ended
    }
    t.teardown(stop)
    return { stop }
  }
  return {
    world,
    lines,
    jobs: (worker: string, options: Parameters<typeof createJobRunner>[1] = {}) =>
      start(createJobRunner(depsOf(worker), { pollMs: 20, retryMs: 1, ...options })),
    schedules: (worker: string, options: Parameters<typeof createScheduleRunner>[1] = {}) =>
      start(createScheduleRunner(depsOf(worker), { pollMs: 20, ...options })),
  }
}
