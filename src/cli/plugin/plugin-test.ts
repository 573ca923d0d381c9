/** The command `sluice plugin test`. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../core/clock.ts'
import { projectId } from '../../core/ids.ts'
import { createUuidV7 } from '../../events/uuid.ts'
import { createDryHost } from '../../plugins/host/dry-host.ts'
import { createHostFetch } from '../../plugins/host/fetch.ts'
import { createGeo } from '../../plugins/host/geo.ts'
import { createSandboxLoader } from '../../plugins/sandbox/sandbox-loader.ts'
import { createSourceCompiler } from '../../plugins/settings/source-code.ts'
import { withDefaults } from '../../project/plugin-config-schema.ts'
import type { PluginDefinition } from '../../project/plugin-ports.ts'
import { commandLog } from '../command.ts'
import { type RecordedEvent, readRecorded, SAMPLE_EVENTS } from './plugin-events.ts'
import {
  type GivenSettings,
  type PluginFolder,
  readJson,
  readPluginFolder,
  readSettings,
} from './plugin-folder.ts'
import { type Trial, tryPlugin } from './plugin-trial.ts'
import { failedCalls, trialJson, trialText } from './plugin-trial-text.ts'

export type TrialCommandOptions = {
  readonly events?: string
  readonly config?: string
  readonly run?: readonly string[]
  readonly fetch?: boolean
  readonly geoip?: string
  readonly json?: boolean
}

/**
 * Tries a plugin.
 * @returns the text to print, and how many calls failed.
 * @throws {UsageError} for files and options, {AppError} when the plugin cannot be loaded.
 */
export async function runTrial(
  path: string,
  options: TrialCommandOptions,
): Promise<{ text: string; failed: number }> {
  const folder = readPluginFolder(path)
  const given = readSettings(options.config, folder.configSchema)
  const trial = await trialOf(folder, given, eventsOf(folder, options.events), options)
  const text = (options.json === true ? trialJson : trialText)(folder.name, trial)
  return { text, failed: failedCalls(trial.calls) }
}

/**
 * Loads a plugin that is to be installed, and calls only its set-up. A set-up that fails is
 * ignored, since the settings that it needs may be on the server alone.
 * @throws {AppError} when the plugin cannot be loaded.
 */
export async function requireLoadable(folder: PluginFolder, given: GivenSettings): Promise<void> {
  await trialOf(folder, given, [], {})
}

async function trialOf(
  folder: PluginFolder,
  given: GivenSettings,
  events: readonly RecordedEvent[],
  options: TrialCommandOptions,
): Promise<Trial> {
  const definition = definitionOf(folder, given)
  const loader = createSandboxLoader({
    clock: systemClock,
    log: commandLog('warn'),
    compile: createSourceCompiler(),
  })
  const geo = await createGeo(options.geoip, commandLog('warn'))
  const locate = async (ip: string) => geo.locate(ip)
  const done = new AbortController()
  // Neither the thread of the sandbox nor its timers keep this process alive.
  const awake = systemClock.sleep(RUN_MS_MAX, done.signal).catch(() => {})
  try {
    return await tryPlugin(
      {
        clock: systemClock,
        loader,
        makeHost: (of, onLog) => createDryHost({ clock: systemClock, locate }, of, onLog),
        fetch: options.fetch === true ? openFetch() : undefined,
      },
      { definition, run: options.run ?? [], events },
    )
  } finally {
    await loader.close()
    done.abort()
    await awake
  }
}

/** One day. */
const RUN_MS_MAX = 86_400_000

const PROJECT = projectId(1)
const ID = 1

function definitionOf(folder: PluginFolder, given: GivenSettings): PluginDefinition {
  const { name, configSchema, code } = folder
  return {
    projectId: PROJECT,
    organizationId: '00000000-0000-4000-8000-000000000000',
    step: { configId: ID, pluginId: ID, pluginName: name, order: 1, stamp: 'trial' },
    settings: withDefaults(configSchema, given.settings),
    attachments: given.attachments,
    logLevel: 0,
    code,
  }
}

/** Events of the given file, else of `events.json` in the folder, else the default ones. */
export function eventsOf(
  { folder }: PluginFolder,
  file: string | undefined,
): readonly RecordedEvent[] {
  const beside = join(folder, 'events.json')
  const isBeside = statSync(beside, { throwIfNoEntry: false }) !== undefined
  const source = file ?? (isBeside ? beside : undefined)
  const frame = {
    projectId: PROJECT,
    newUuid: createUuidV7(systemClock.now),
    nowMs: systemClock.now(),
  }
  return readRecorded(source === undefined ? SAMPLE_EVENTS : readJson(source), source ?? '', frame)
}

/** A plugin that is tried on the author's machine may reach a server there. */
function openFetch() {
  const fetch = createHostFetch({ clock: systemClock, allows: () => true, enabled: true })
  return (...[request, signal]: Parameters<TrialFetch>) => fetch(ID, request, signal)
}

type TrialFetch = Parameters<typeof tryPlugin>[0]['fetch'] & object
