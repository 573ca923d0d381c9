/**
 * Answers that are a JavaScript module, for browsers: the member `module` of what the worker says.
 */
import { isRecord } from '../../src/wire/proto/rules.ts'
import { NO_STORE } from './replies.ts'
import type { MediaRenderer } from './transcode.ts'

const JAVASCRIPT_TYPES = ['application/javascript', 'text/javascript'] as const

/** By media type. */
export const javascriptRenderers: Readonly<Record<string, MediaRenderer>> = Object.fromEntries(
  JAVASCRIPT_TYPES.map((type) => [type, renderModule(type)]),
)

function renderModule(type: string): MediaRenderer {
  return async ({ call }) => {
    const answer = await call()
    const module = isRecord(answer) ? answer['module'] : undefined
    return {
      status: 200,
      // Nothing else may be made of it than a script, whoever wrote it.
      headers: [
        ['content-type', `${type}; charset=utf-8`],
        ['x-content-type-options', 'nosniff'],
        ...NO_STORE,
      ],
      body: typeof module === 'string' ? module : '',
    }
  }
}
