// Names the lines of sources in a stack of the built product. Run: `node scripts/stack.mjs < FILE`.
// The build must be the one that printed it: the same version, built anew, is.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './ensure.mjs'

const FRAME = /(?:file:\/\/)?[^\s("']*\/dist\/([^\s:"']+\.js):(\d+):(\d+)/g

const maps = new Map()

process.stdout.write(
  readFileSync(0, 'utf8').replace(FRAME, (frame, file, line, column) => {
    const path = join(root, 'dist', file)
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry?.originalSource === undefined) return frame
    const source = relative(root, resolve(dirname(path), entry.originalSource))
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  }),
)

function mapOf(path) {
  if (!maps.has(path)) {
    const text = existsSync(`${path}.map`) ? readFileSync(`${path}.map`, 'utf8') : undefined
    maps.set(path, text === undefined ? undefined : new SourceMap(JSON.parse(text)))
  }
  return maps.get(path)
}
