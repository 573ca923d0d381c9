/**
 * Renders answers that are a JavaScript module for browsers: the member `module` of the message.
 */
import { isObject } from '../../src/core/json.ts'
import type { MediaRenderer } from './renderer.ts'
import { NO_STORE } from './replies.ts'

const JAVASCRIPT_TYPES = ['application/javascript', 'text/javascript'] as const

/** Content type of each media type. */
export const javascriptRenderers: Readonly<Record<string, MediaRenderer>> = Object.fromEntries(
  JAVASCRIPT_TYPES.map((type) => [type, renderModule(type)]),
)

function renderModule(type: string): MediaRenderer {
  return async ({ call }) => {
    const answer = await call()
    const module = isObject(answer) ? answer['module'] : undefined
    return {
      status: 200,
      // Browsers must treat it as a script and nothing else: projects write its text.
      headers: [
        ['content-type', `${type}; charset=utf-8`],
        ['x-content-type-options', 'nosniff'],
        ...NO_STORE,
      ],
      body: typeof module === 'string' ? module : '',
    }
  }
}
