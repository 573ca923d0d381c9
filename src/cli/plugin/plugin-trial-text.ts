/** Words the results of a trial. */
import { isDeepStrictEqual } from 'node:util'
import type { PluginEvent } from '../../plugins/ports.ts'
import type { Trial, TrialCall } from './plugin-trial.ts'
import type { TrialLog } from './plugin-trial-host.ts'

export function trialText(name: string, trial: Trial): string {
  return [headOf(name, trial), '', ...trial.calls.map(callText), ...footOf(trial)].join('\n')
}

/** The results for programs: events as the plugin gets them, times as ISO 8601. */
export function trialJson(name: string, { capabilities, calls, waiting }: Trial): string {
  return JSON.stringify({
    plugin: name,
    capabilities: {
      methods: capabilities.methods,
      jobs: capabilities.jobs,
      scheduled_tasks: capabilities.scheduledTasks,
    },
    calls: calls.map(({ tookMs, ...call }) => ({ ...call, took_ms: tookMs })),
    waiting_jobs: waiting.map(({ name: job, payload, runAtMs }) => ({
      name: job,
      payload,
      run_at: new Date(runAtMs).toISOString(),
    })),
    failed: failedCalls(calls),
  })
}

export function failedCalls(calls: readonly TrialCall[]): number {
  return calls.filter(({ outcome }) => outcome === 'failed').length
}

function headOf(name: string, { capabilities }: Trial): string {
  const { methods, jobs, scheduledTasks } = capabilities
  const parts = [...methods, ...jobs.map((job) => `job ${job}`), ...scheduledTasks]
  return `${name}: ${parts.length === 0 ? 'exports no function that the server calls' : parts.join(', ')}`
}

function callText(call: TrialCall): string {
  const { before, after, error } = call
  const what = before === undefined ? call.call : `${before.event} of ${before.distinct_id}`
  const lines = [`${what}: ${call.outcome} (${call.tookMs} ms)`]
  lines.push(...call.logs.map(logText))
  if (error !== null) lines.push(indented(error))
  if (before !== undefined) lines.push(`  before ${JSON.stringify(before)}`)
  if (before !== undefined && after !== undefined)
    lines.push(`  after  ${afterText(before, after)}`)
  return lines.join('\n')
}

function afterText(before: PluginEvent, after: PluginEvent | null): string {
  if (after === null) return '-'
  return isDeepStrictEqual(before, after) ? 'the same' : JSON.stringify(inOrderOf(before, after))
}

/** Gives both events the same order of members, so that they can be compared. */
function inOrderOf(before: PluginEvent, after: PluginEvent): object {
  const kept = Object.entries({ ...before, ...after }).filter(([name]) => name in after)
  return Object.fromEntries(kept)
}

function logText({ type, message }: TrialLog): string {
  return indented(`${type} ${message}`)
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

function footOf({ calls, waiting }: Trial): string[] {
  const later = waiting.map(
    ({ name, runAtMs }) => `job ${name} would run at ${new Date(runAtMs).toISOString()}`,
  )
  const events = calls.filter(({ before }) => before !== undefined)
  const count = (outcome: TrialCall['outcome']) =>
    `${events.filter((each) => each.outcome === outcome).length} ${outcome}`
  const counts = (['kept', 'dropped', 'failed'] as const).map(count).join(', ')
  const processed = events.length === 0 ? '' : `events: ${counts}; `
  return [...later, '', `${processed}calls that failed: ${failedCalls(calls)}`]
}
