/** The renderers of media types other than JSON, and of JSON that is streamed, by method. */

import { renderEventCsv, renderEventsCsv, renderEventValuesCsv } from './events-csv.ts'
import { javascriptRenderers } from './javascript-renderer.ts'
import { EVENT_STREAM_TYPE } from './live/live-streams.ts'
import { renderPersonExport } from './person-export.ts'
import type { MediaRenderer } from './renderer.ts'
import { JSON_TYPE } from './replies.ts'
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
