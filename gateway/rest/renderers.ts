/** The renderers of media types other than JSON, and of JSON that is streamed, by method. */

import { isObject } from '../../src/core/json.ts'
import { renderEventCsv, renderEventsCsv, renderEventValuesCsv } from './events-csv.ts'
import { EVENT_STREAM_TYPE } from './live/live-streams.ts'
import { renderPersonExport } from './person-export.ts'
import type { MediaRenderer } from './renderer.ts'
import { JSON_TYPE, NO_STORE } from './replies.ts'
import type { Sessions } from './session/session-cookie.ts'
import { sessionRenderers } from './session/session-replies.ts'

/** By full method path, then by media type. */
export type Renderers = Readonly<Record<string, Readonly<Record<string, MediaRenderer>>>>

/** @param live renders streams of live events, for every caller. */
export function createRenderers(live: MediaRenderer, sessions: Sessions): Renderers {
  return {
    ...Object.fromEntries(
      Object.entries(sessionRenderers(sessions)).map(([path, render]) => {
        return [path, { [JSON_TYPE]: render }]
      }),
    ),
    '/sluice.v1.EventService/ListEvents': { 'text/csv': renderEventsCsv },
    '/sluice.v1.EventService/GetEvent': { 'text/csv': renderEventCsv },
    '/sluice.v1.EventService/ListEventValues': { 'text/csv': renderEventValuesCsv },
    '/sluice.v1.PersonService/ExportPerson': { [JSON_TYPE]: renderPersonExport },
    '/sluice.v1.LiveService/WatchEvents': { [JSON_TYPE]: live, [EVENT_STREAM_TYPE]: live },
    '/sluice.v1.PluginConfigService/GetPluginConfigFrontend': javascriptRenderers,
  }
}

const JAVASCRIPT_TYPES = ['application/javascript', 'text/javascript'] as const

/** Content type of each media type. */
const javascriptRenderers: Readonly<Record<string, MediaRenderer>> = Object.fromEntries(
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
