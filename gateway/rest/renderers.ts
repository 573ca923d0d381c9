/** Answers in other media types than JSON: one renderer for each that a method names. */

import { renderEventCsv, renderEventsCsv, renderEventValuesCsv } from './events-csv.ts'
import { javascriptRenderers } from './javascript-renderer.ts'
import type { MediaRenderer } from './transcode.ts'

/** By full method path, then by media type. */
export type Renderers = Readonly<Record<string, Readonly<Record<string, MediaRenderer>>>>

export function createRenderers(): Renderers {
  return {
    '/sluice.v1.EventService/ListEvents': { 'text/csv': renderEventsCsv },
    '/sluice.v1.EventService/GetEvent': { 'text/csv': renderEventCsv },
    '/sluice.v1.EventService/ListEventValues': { 'text/csv': renderEventValuesCsv },
    '/sluice.v1.PluginConfigService/GetPluginConfigFrontend': javascriptRenderers,
  }
}
