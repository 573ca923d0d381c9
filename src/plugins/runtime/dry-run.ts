/** Dry runs: one event through a plugin config, with nothing stored. */

import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { withNumbers } from '../../core/json-text/exact-numbers.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { PluginDefinition, PluginPlan } from '../../project/plugin-ports.ts'
import { notFoundDetail, throttledDetail, validationError } from '../../wire/details.ts'
import type { DryRun, DryStep, LogType, PluginEvent, PluginHost, PluginInstance } from '../ports.ts'
import { beforeStep, type JudgedEvent, judgeEvent } from './judge-event.ts'
import { type LoadStepDeps, loadWith } from './load-step.ts'
import { takesEvents } from './run-step.ts'

/** Dry runs at a time, and log entries kept of one step. */
export const PLUGIN_DRY_RUNS_MAX = 4
export const PLUGIN_DRY_LOGS_MAX = 200

export type DryRunDeps = Pick<LoadStepDeps, 'loaders' | 'loadDefinitions'> & {
  readonly loadPlan: (project: ProjectId) => Promise<PluginPlan | undefined>
  /** Makes a host that stores nothing. `onLog` gets the plugin's log entries. */
  readonly dryHostOf: (
    definition: PluginDefinition,
    onLog: (type: LogType, message: string) => void,
  ) => PluginHost
  readonly clock: Clock
}

export type DryRuns = {
  /**
   * @throws {AppError} `not_found` of the config, `invalid_argument` of the event,
   * `resource_exhausted` when `PLUGIN_DRY_RUNS_MAX` are under way.
   */
  run(projectId: ProjectId, configId: number, event: JsonObject): Promise<DryRun>
  idle(): Promise<void>
}

/** Each run has its own instances, which end with it. */
export function createDryRuns(deps: DryRunDeps, { siteUrl }: { siteUrl: () => string }): DryRuns {
  const running = new Set<Promise<unknown>>()

  const run = async (projectId: ProjectId, configId: number, event: JsonObject) => {
    const definitions = await upTo(deps, projectId, configId)
    let track = firstEvent(event, { projectId, siteUrl: siteUrl(), nowMs: deps.clock.now() })
    const steps: DryStep[] = []
    for (const definition of definitions) {
      const step = await dryStep(deps, definition, track)
      steps.push(step.shown)
      if (step.next === undefined) break
      track = step.next
    }
    return { steps }
  }

  return {
    async run(projectId, configId, event) {
      if (running.size >= PLUGIN_DRY_RUNS_MAX) {
        const detail = throttledDetail(1)
        throw new AppError('resource_exhausted', 'too many dry runs', { detail })
      }
      const started = run(projectId, configId, event)
      running.add(started)
      try {
        return await started
      } finally {
        running.delete(started)
      }
    },
    async idle() {
      await Promise.allSettled(running)
    },
  }
}

/** The steps before the config and the config itself, enabled or not, in order. */
async function upTo(
  { loadPlan, loadDefinitions }: DryRunDeps,
  projectId: ProjectId,
  configId: number,
): Promise<readonly PluginDefinition[]> {
  const plan = (await loadPlan(projectId)) ?? []
  const ids = new Set([...plan.map((step) => step.configId), configId])
  const definitions = [...(await loadDefinitions(projectId, [...ids]))].sort(
    ({ step: a }, { step: b }) => a.order - b.order || a.pluginId - b.pluginId,
  )
  const at = definitions.findIndex(({ step }) => step.configId === configId)
  if (at === -1) throw new AppError('not_found', 'no such config', { detail: notFoundDetail })
  return definitions.slice(0, at + 1)
}

type DryEvent = { readonly event: PluginEvent; readonly text: string }

function firstEvent(
  given: JsonObject,
  frame: { projectId: ProjectId; siteUrl: string; nowMs: number },
): DryEvent {
  const now = new Date(frame.nowMs).toISOString()
  const { uuid, sent_at: sentAt, team_id: _team, ...members } = given
  const before = {
    uuid: typeof uuid === 'string' ? uuid : uuidv7(),
    event: '',
    distinct_id: '',
    team_id: frame.projectId,
    timestamp: now,
    now,
    ...(typeof sentAt === 'string' ? { sent_at: sentAt } : {}),
    ip: null,
    site_url: frame.siteUrl,
    propertyIp: null,
  }
  const judged = judgeEvent(members, before)
  if (!judged.ok) throw validationError('invalid_input', judged.error, 'event')
  return judged.value
}

/** `next` is undefined when the event was dropped. */
async function dryStep(
  deps: DryRunDeps,
  definition: PluginDefinition,
  track: DryEvent,
): Promise<{ shown: DryStep; next: DryEvent | undefined }> {
  const { configId, pluginName: name } = definition.step
  const logs: DryStep['logs'][number][] = []
  const host = deps.dryHostOf(definition, (type, message) => {
    if (logs.length < PLUGIN_DRY_LOGS_MAX) logs.push({ type, message })
  })
  const outcome = await processOnce(deps, definition, host, track)
  const next = outcome.ok ? outcome.value : restored(track)
  const shown = {
    configId,
    name,
    outcome: !outcome.ok ? 'failed' : next === undefined ? 'dropped' : 'kept',
    // Parsed from the text, because the next plugin may change the event in place.
    event: next === undefined ? null : parseJson(withNumbers(next.text)),
    error: outcome.ok ? null : outcome.error,
    logs,
  } satisfies DryStep
  return { shown, next }
}

function restored({ text }: DryEvent): DryEvent {
  return { event: parseJson(text) as PluginEvent, text }
}

/** The event after the step, undefined when it was dropped; or why the plugin failed. */
async function processOnce(
  { loaders }: DryRunDeps,
  definition: PluginDefinition,
  host: PluginHost,
  track: DryEvent,
): Promise<Result<JudgedEvent | undefined, string>> {
  const answer = await loadWith(loaders, definition, host)
  if (!answer.ok) return err(answer.error.message)
  const { instance } = answer
  try {
    const setUp = await instance.setup()
    if (!setUp.ok) return err(setUp.error.message)
    return takesEvents(instance) ? await judgedAnswer(instance, track) : ok(track)
  } finally {
    await instance.teardown()
  }
}

async function judgedAnswer(
  instance: PluginInstance,
  { event }: DryEvent,
): Promise<Result<JudgedEvent | undefined, string>> {
  const before = beforeStep(event)
  const [answer] = await instance.process([event])
  switch (answer?.kind) {
    case 'kept':
      return judgeEvent(answer.event, before)
    case 'dropped':
      return ok(undefined)
    case 'failed':
      return err(answer.error.message)
    default:
      return err('The plugin gave no answer.')
  }
}
