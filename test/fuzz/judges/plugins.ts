import { isDeepStrictEqual } from 'node:util'
import type { ProcessAnswer } from '../../../src/plugins/ports.ts'
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
      if (answers.length !== events.length) return `${answers.length} answers to two events`
      return answers.map(faultOfAnswer).find((fault) => fault !== undefined)
    } finally {
      await instance.teardown()
    }
  }
}

/** A value from over the border is a value of JSON, whatever it was within. */
function faultOfAnswer(answer: ProcessAnswer): string | undefined {
  if (answer.kind === 'dropped') return undefined
  if (answer.kind === 'failed') {
    const { name, message } = answer.error
    return typeof name === 'string' && typeof message === 'string'
      ? undefined
      : 'a failure without words'
  }
  const text = JSON.stringify(answer.event)
  return isDeepStrictEqual(JSON.parse(text), answer.event) ? undefined : `no JSON: ${text}`
}
