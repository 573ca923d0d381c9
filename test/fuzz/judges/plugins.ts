import { definition, pluginEvent, recordedHost } from '../../support/plugins/plugin-host.ts'
import { plainLoader } from '../../support/plugins/sandbox.ts'
import type { Judge } from '../target.ts'

/** Long enough for what means no harm, short for what never ends. */
const PROCESS_MS = 150

/** Runs a program for two events in the sandbox. It may fail as it likes, but must come back. */
export function createPluginJudge(): Judge {
  const loader = plainLoader({ processMs: PROCESS_MS, loadMs: PROCESS_MS })
  return async (input) => {
    const loaded = await loader.load(definition(input.toString()), recordedHost())
    if (!loaded.ok)
      return typeof loaded.error.message === 'string' ? undefined : 'a refusal without words'
    const { instance } = loaded
    try {
      await instance.setup()
      const events = [pluginEvent({ properties: { a: 1 } }), pluginEvent({ properties: {} })]
      const answers = await instance.process(events)
      return answers.length === events.length
        ? undefined
        : `${answers.length} answers to two events`
    } finally {
      await instance.teardown()
    }
  }
}
