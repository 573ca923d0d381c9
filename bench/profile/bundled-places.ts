/** Where code of the bundle in `dist` comes from, by its source maps. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | undefined>()

/**
 * The URL of the source of a place in a script, lines and columns from 0; the script's own where it has
 * no map.
 */
export function sourceUrl(url: string, line: number, column: number): string {
  if (!url.startsWith('file:')) return url
  const entry = mapOf(url)?.findEntry(line, column)
  if (entry === undefined || !('originalSource' in entry)) return url
  return new URL(entry.originalSource, url).href
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`))
  return maps.get(url)
}

function readMap(path: string): SourceMap | undefined {
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}
