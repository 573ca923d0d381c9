/** Loads plugin code into a sandbox for a test. */
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import type {
  PluginEvent,
  PluginHost,
  PluginInstance,
  PluginLoader,
  ProcessAnswer,
} from '../../../src/plugins/ports.ts'
import {
  createSandboxLoader,
  type SandboxLoaderOptions,
} from '../../../src/plugins/sandbox/sandbox-loader.ts'
import type { PluginDefinition } from '../../../src/project/plugin-ports.ts'
import { definition, pluginEvent, type RecordedHost, recordedHost } from './plugin-host.ts'

/** Time limit that is never reached, however busy the machine is. */
const PATIENT_MS = 60_000
/** Limit for plugins that use all of it. Events in between must not need it, on a busy machine. */
export const BRIEF_MS = 600

/** Loads CommonJS directly: no compiler is started for each of many plugins. */
export function plainLoader(options: SandboxLoaderOptions = {}): PluginLoader {
  return createSandboxLoader(
    {
      clock: systemClock,
      log: silentLog,
      compile: async ({ source }) => ({ compiled: source, error: null }),
    },
    { processMs: PATIENT_MS, ...options },
  )
}

/** A loaded plugin with its host. @throws when it cannot be loaded. */
export async function loadPlugin(
  loader: PluginLoader,
  code: string | PluginDefinition,
  host: PluginHost & Partial<RecordedHost> = recordedHost(),
): Promise<PluginInstance> {
  const loaded = await loader.load(typeof code === 'string' ? definition(code) : code, host)
  if (!loaded.ok) throw new Error(`${loaded.error.name}: ${loaded.error.message}`)
  return loaded.instance
}

/** The answer to one event, with given properties. */
export async function processOne(
  instance: PluginInstance,
  properties: PluginEvent['properties'] = {},
): Promise<ProcessAnswer> {
  const [answer] = await instance.process([pluginEvent({ properties })])
  if (answer === undefined) throw new Error('an event has no answer')
  return answer
}

/** Properties of the kept event; what else was answered, as text. */
export async function propertiesOf(
  instance: PluginInstance,
  properties: PluginEvent['properties'] = {},
): Promise<unknown> {
  const answer = await processOne(instance, properties)
  if (answer.kind === 'failed') return `failed: ${answer.error.message}`
  if (answer.kind === 'dropped') return 'dropped'
  return Reflect.get(Object(answer.event), 'properties')
}

/** `processEvent` whose properties become what the expression gives. */
export function returning(expression: string): string {
  return `exports.processEvent = async (event, meta) => {
    event.properties = { value: await (${expression}) }
    return event
  }`
}
