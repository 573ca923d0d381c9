/** The renderers of media types other than JSON, and of JSON that is streamed, by method. */

import { renderEventCsv, renderEventsCsv, renderEventValuesCsv } from './events-csv.ts'
import { javascriptRenderers } from './javascript-renderer.ts'
import { renderPersonExport } from './person-export.ts'
import type { MediaRenderer } from './renderer.ts'
import { JSON_TYPE } from './replies.ts'

/** By full method path, then by media type. */
export type Renderers = Readonly<Record<string, Readonly<Record<string, MediaRenderer>>>>

export function createRenderers(): Renderers {
  return {
    '/sluice.v1.EventService/ListEvents': { 'text/csv': renderEventsCsv },
    '/sluice.v1.EventService/GetEvent': { 'text/csv': renderEventCsv },
    '/sluice.v1.EventService/ListEventValues': { 'text/csv': renderEventValuesCsv },
    '/sluice.v1.PersonService/ExportPerson': { [JSON_TYPE]: renderPersonExport },
    '/sluice.v1.PluginConfigService/GetPluginConfigFrontend': javascriptRenderers,
  }
}
